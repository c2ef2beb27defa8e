// expect: postcondition of find, at most 3 calls
// clause: (return == 1i32) == member(T, k)
/* One node of a B-tree: sorted keys, insertion and search. */
#define MAX 5
struct node { unsigned n; int key[MAX]; };
/*@
function (boolean) sorted(struct node t) {
  each (u64 i: 0, 3; i + 1u64 < (u64) t.n implies t.key[i] < t.key[i + 1u64])
}
function (boolean) member(struct node t, i32 k) {
  not(each (u64 i: 0, 4; i < (u64) t.n implies t.key[i] != k))
}
predicate (struct node) Node(pointer p) {
  take N = RW<struct node>(p);
  assert(N.n <= 5u32);
  assert(sorted(N));
  return N;
}
@*/
struct node empty(void)
/*@ ensures return.n == 0u32; @*/
{ struct node t = {0}; return t; }

int find(struct node *t, int k, unsigned *at)
/*@ requires take T = Node(t); take A = W<unsigned>(at);
    ensures take U = Node(t); U == T; take B = RW<unsigned>(at);
            B <= T.n;
            (return == 1i32) == member(T, k); @*/
{
    unsigned lo = 0, hi = t->n;
    while (lo < hi)
    /*@ inv take TI = Node(t); lo <= hi; hi <= TI.n; {t}unchanged; {at}unchanged; @*/
    {
        unsigned mid = (lo + hi) / 2;
        if (t->key[mid] <= k) lo = mid + 1; else hi = mid;
    }
    *at = lo;
    return lo < t->n && t->key[lo] == k;
}

int insert(struct node *t, int k)
/*@ requires take T = Node(t); T.n < 5u32;
    ensures take U = Node(t); member(U, k);
            return == 1i32 implies U.n == T.n + 1u32;
            return == 0i32 implies U == T; @*/
{
    unsigned at;
    if (find(t, k, &at)) return 0;
    for (unsigned i = t->n; i > at; i--) t->key[i] = t->key[i - 1];
    t->key[at] = k;
    t->n++;
    return 1;
}
