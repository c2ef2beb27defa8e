// expect: postcondition of letter_at, at most 1 calls
// seeds: 10
/* What is on the left of an outer node is taken off only once. A rope: characters in the leaves, and in
   every inner node how many of them are on its left. */
struct rope { unsigned n_left; char letter; struct rope *left; struct rope *right; };

/*@
datatype Rope {
  Letter { u8 letter },
  Joined { u32 n_left, datatype Rope left, datatype Rope right }
}

function [rec] (u32) length(datatype Rope r) {
  match r {
    Letter { letter: _ } => { 1u32 }
    Joined { n_left: n_left, left: _, right: right } => { n_left + length(right) }
  }
}

function [rec] (u8) letter_at(datatype Rope r, u32 i) {
  match r {
    Letter { letter: letter } => { letter }
    Joined { n_left: n_left, left: left, right: right } => {
      i < n_left ? letter_at(left, i) : letter_at(right, i - n_left)
    }
  }
}

predicate [rec] (datatype Rope) Rope(pointer p) {
  take N = RW<struct rope>(p);
  if (is_null(N.left)) {
    assert(is_null(N.right) && N.n_left == 0u32);
    return Letter { letter: (u8) N.letter };
  } else {
    take L = Rope(N.left);
    take R = Rope(N.right);
    assert(N.n_left == length(L));
    return Joined { n_left: N.n_left, left: L, right: R };
  }
}
@*/

char letter_at(struct rope *r, unsigned i)
/*@ requires take R = Rope(r); i < length(R);
    ensures take S = Rope(r); S == R; (u8) return == letter_at(R, i); @*/
{
    while (r->left) {
        if (i < r->n_left) {
            r = r->left;
        } else {
            i -= i == r->n_left ? i : 1;
            r = r->right;
        }
    }
    return r->letter;
}
