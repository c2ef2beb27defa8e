// expect: pass
/* A tree with an array of children. */
struct node { unsigned char is_word; struct node *child[2]; };

/*@
predicate (u32) Trie(pointer p) {
  if (is_null(p)) {
    return 0u32;
  } else {
    take N = RW<struct node>(p);
    assert(N.is_word <= 1u8);
    take a = Trie(N.child[0u64]);
    take b = Trie(N.child[1u64]);
    return (u32) N.is_word + a + b;
  }
}
@*/

unsigned n_words(struct node *t)
/*@ requires take n = Trie(t);
    ensures take m = Trie(t); m == n; return == n; @*/
{
    return t ? t->is_word + n_words(t->child[0]) + n_words(t->child[1]) : 0;
}
