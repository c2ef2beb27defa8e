/*
 * AVL tree: a tree is read from the input, a key and a height below 8 for each node and a byte that tells which
 * subtrees there are. The specification is the same functions on copies that are never changed.
 */
#include "afl.h"
#define height_of height_of_node
#include WORKLOAD
#undef height_of

#define MAX_COPIES 4096
#define MAX_DEPTH 24

struct copy { int key, height; const struct copy *left, *right; };
static struct copy copies[MAX_COPIES];
static int n_copies, n_nodes;

static int height_of(const struct copy *t) { return t ? t->height : 0; }

static const struct copy *node(int key, const struct copy *left, const struct copy *right)
{
    if (n_copies == MAX_COPIES) _exit(0);
    int l = height_of(left), r = height_of(right);
    copies[n_copies] = (struct copy){ key, 1 + (l < r ? r : l), left, right };
    return &copies[n_copies++];
}

static const struct copy *rotated_right(int key, const struct copy *left, const struct copy *right)
{
    return left ? node(left->key, left->left, node(key, left->right, right)) : 0;
}

static const struct copy *rotated_left(int key, const struct copy *left, const struct copy *right)
{
    return right ? node(right->key, node(key, left, right->left), right->right) : 0;
}

static const struct copy *balanced(int key, const struct copy *left, const struct copy *right)
{
    if (height_of(right) + 1 < height_of(left)) {
        int l = height_of(left->left), r = height_of(left->right);
#ifdef MUTANT_rebalance_1
        if (l <= r) left = rotated_left(left->key, left->left, left->right);
#else
        if (l < r) left = rotated_left(left->key, left->left, left->right);
#endif
        return rotated_right(key, left, right);
    }
    if (height_of(left) + 1 < height_of(right)) {
        if (height_of(right->right) < height_of(right->left)) right = rotated_right(right->key, right->left, right->right);
        return rotated_left(key, left, right);
    }
    return node(key, left, right);
}

static const struct copy *inserted(const struct copy *t, int k)
{
    if (!t) return node(k, 0, 0);
    if (k < t->key) return balanced(t->key, inserted(t->left, k), t->right);
    if (t->key < k) return balanced(t->key, t->left, inserted(t->right, k));
    return t;
}

static const struct copy *deleted(const struct copy *t, int k)
{
    if (!t) return 0;
    if (k < t->key) return balanced(t->key, deleted(t->left, k), t->right);
    if (t->key < k) return balanced(t->key, t->left, deleted(t->right, k));
    if (!t->right) return t->left;
    const struct copy *next = t->right;
    while (next->left) next = next->left;
    return balanced(next->key, t->left, deleted(t->right, next->key));
}

static int are_equal(const struct copy *a, const struct copy *b)
{
    if (!a || !b) return a == b;
    return a->key == b->key && a->height == b->height && are_equal(a->left, b->left) && are_equal(a->right, b->right);
}

/* Whether this is an AVL tree between two bounds; then also what it is. */
static int is_tree(struct tree *t, long low, long high, int depth, const struct copy **copied)
{
    *copied = 0;
    if (!t) return 1;
    if (depth == MAX_DEPTH || !is_live(t, sizeof *t) || t->key <= low || high <= t->key) return 0;
    const struct copy *left, *right;
    n_nodes++;
    if (!is_tree(t->left, low, t->key, depth + 1, &left) || !is_tree(t->right, t->key, high, depth + 1, &right)) return 0;
    int l = height_of(left), r = height_of(right);
    if (l > r + 1 || r > l + 1 || t->height != 1 + (l < r ? r : l)) return 0;
    *copied = node(t->key, left, right);
    return 1;
}

static struct tree *next_tree(int depth)
{
    if (depth == MAX_DEPTH) return 0;
    int has = next_byte();
    struct tree *t = cn_malloc(sizeof *t);
    t->key = (signed char)next_byte();
    t->height = next_byte() % 8;
    t->left = has & 1 ? next_tree(depth + 1) : 0;
    t->right = has & 2 ? next_tree(depth + 1) : 0;
    return t;
}

static void test(void)
{
    const long low = -(1l << 40), high = 1l << 40;
    int which = next_byte(), key = (signed char)next_byte();
    const struct copy *before, *after, *wanted;
    struct tree *t = which & 4 ? next_tree(0) : 0;
    n_copies = 0;
    ASSUME(is_tree(t, low, high, 0, &before));
    wanted = before;
    switch (which % 4) {
    case 0:
        t = insert(t, key);
        wanted = inserted(before, key);
        break;
    case 1:
        t = delete(t, key);
        wanted = deleted(before, key);
        break;
    case 2: {
        const struct copy *at = before;
        ASSUME(at);
        while (at->left) at = at->left;
        CHECK(find_smallest(t) == at->key);
        break;
    }
    default: {
        const struct copy *at = before;
        while (at && at->key != key) at = key < at->key ? at->left : at->right;
        CHECK((has(t, key) != 0) == (at != 0));
    }
    }
    n_nodes = 0;
    CHECK(is_tree(t, low, high, 0, &after) && are_equal(after, wanted) && n_live() == n_nodes);
}
