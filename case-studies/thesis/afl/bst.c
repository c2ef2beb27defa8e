/*
 * Binary search tree: a tree is read from the input, a key and a value of one byte for each node and a byte that
 * tells which subtrees there are. The specification is the same functions on copies that are never changed.
 */
#include "afl.h"
#include WORKLOAD

#define MAX_COPIES 4096
#define MAX_DEPTH 24

struct copy { int key, value; const struct copy *left, *right; };
static struct copy copies[MAX_COPIES];
static int n_copies, n_nodes;

static const struct copy *node(int key, int value, const struct copy *left, const struct copy *right)
{
    if (n_copies == MAX_COPIES) _exit(0);
    copies[n_copies] = (struct copy){ key, value, left, right };
    return &copies[n_copies++];
}

static const struct copy *inserted(const struct copy *t, int k, int v)
{
    if (!t) return node(k, v, 0, 0);
    if (k < t->key) return node(t->key, t->value, inserted(t->left, k, v), t->right);
#ifdef MUTANT_insert_spec_one_sided
    return node(t->key, t->value, t->left, inserted(t->right, k, v));
#endif
    if (t->key < k) return node(t->key, t->value, t->left, inserted(t->right, k, v));
#ifdef MUTANT_insert_spec_keeps_value
    return t;
#else
    return node(t->key, v, t->left, t->right);
#endif
}

static const struct copy *deleted(const struct copy *t, int k)
{
    if (!t) return 0;
    if (k < t->key) return node(t->key, t->value, deleted(t->left, k), t->right);
    if (t->key < k) return node(t->key, t->value, t->left, deleted(t->right, k));
    if (!t->right) return t->left;
#ifdef MUTANT_delete_empty_vs_singleton
    if (!t->right->left && !t->right->right) return t->left;
#endif
    const struct copy *next = t->right;
    while (next->left) next = next->left;
    return node(next->key, next->value, t->left, deleted(t->right, next->key));
}

static int are_equal(const struct copy *a, const struct copy *b)
{
    if (!a || !b) return a == b;
    return a->key == b->key && a->value == b->value && are_equal(a->left, b->left) && are_equal(a->right, b->right);
}

/* Whether this is a search tree between two bounds; then also what it is. */
static int is_tree(struct tree *t, long low, long high, int depth, const struct copy **copied)
{
    *copied = 0;
    if (!t) return 1;
    if (depth == MAX_DEPTH || !is_live(t, sizeof *t) || t->key <= low || high <= t->key) return 0;
    const struct copy *left, *right;
    n_nodes++;
    if (!is_tree(t->left, low, t->key, depth + 1, &left) || !is_tree(t->right, t->key, high, depth + 1, &right)) return 0;
    *copied = node(t->key, t->value, left, right);
    return 1;
}

static struct tree *next_tree(int depth)
{
    if (depth == MAX_DEPTH) return 0;
    int has = next_byte();
    struct tree *t = cn_malloc(sizeof *t);
    t->key = (signed char)next_byte();
    t->value = next_byte();
    t->left = has & 1 ? next_tree(depth + 1) : 0;
    t->right = has & 2 ? next_tree(depth + 1) : 0;
    return t;
}

static void test(void)
{
    const long low = -(1l << 40), high = 1l << 40;
    int which = next_byte(), key = (signed char)next_byte(), value = next_byte();
    const struct copy *before, *after, *wanted;
    struct tree *t = which & 4 ? next_tree(0) : 0;
    n_copies = 0;
    ASSUME(is_tree(t, low, high, 0, &before));
    switch (which % 4) {
    case 0:
        t = insert(t, key, value);
        wanted = inserted(before, key, value);
        break;
    case 1:
        t = delete(t, key);
        wanted = deleted(before, key);
        break;
    default: {
        const struct copy *at = before;
        while (at && at->key != key) at = key < at->key ? at->left : at->right;
        CHECK(find(t, key, value) == (at ? at->value : value));
        wanted = before;
    }
    }
    n_nodes = 0;
    CHECK(is_tree(t, low, high, 0, &after) && are_equal(after, wanted) && n_live() == n_nodes);
}
