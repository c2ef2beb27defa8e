/* The PLANTED_ switches bring in one mistake each, for the tests. */
#include "store.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct node {
    uint32_t ino;
    uint64_t block;
    uint8_t *data;
    uint32_t n;
    bool is_red;
    struct node *left, *right;
};

struct store {
    struct node *root;
};

struct store *store_new(void)
{
    return calloc(1, sizeof(struct store));
}

static void free_nodes(struct node *node)
{
    if (!node) return;
    free_nodes(node->left);
    free_nodes(node->right);
    free(node->data);
    free(node);
}

void store_free(struct store *store)
{
    if (!store) return;
    free_nodes(store->root);
    free(store);
}

/* Below zero, zero, or above, as one object comes before the other. */
static int order(uint32_t ino, uint64_t block, const struct node *node)
{
    if (ino != node->ino) return ino < node->ino ? -1 : 1;
#ifdef PLANTED_NARROW_ORDER
    return (int)(uint8_t)block - (int)(uint8_t)node->block;
#else
    return block < node->block ? -1 : block > node->block;
#endif
}

static bool is_red(const struct node *node)
{
    return node && node->is_red;
}

/* A red node with a black one on either side, out of three in order and what hangs on them (Okasaki 1999). */
static struct node *three(struct node *a, struct node *b, struct node *c, struct node *inner_left, struct node *inner_right)
{
    a->right = inner_left;
    c->left = inner_right;
    a->is_red = c->is_red = false;
    b->is_red = true;
    b->left = a;
    b->right = c;
    return b;
}

/* Turns a red child with a red child away, if the node has such. */
static struct node *balanced(struct node *node)
{
    struct node *left = node->left, *right = node->right;
    if (node->is_red) return node;
    if (is_red(left) && is_red(left->left)) return three(left->left, left, node, left->left->right, left->right);
    if (is_red(left) && is_red(left->right)) {
        struct node *middle = left->right;
#ifdef PLANTED_LOST_SUBTREE
        return three(left, middle, node, middle->left, NULL);
#else
        return three(left, middle, node, middle->left, middle->right);
#endif
    }
    if (is_red(right) && is_red(right->left)) {
        struct node *middle = right->left;
        return three(node, middle, right, middle->left, middle->right);
    }
    if (is_red(right) && is_red(right->right)) return three(node, right, right->right, right->left, right->right->left);
    return node;
}

/* Puts a new node, which has no children, into a tree that has no node of its key. */
static struct node *inserted(struct node *tree, struct node *node)
{
    if (!tree) return node;
    if (order(node->ino, node->block, tree) < 0)
        tree->left = inserted(tree->left, node);
    else
        tree->right = inserted(tree->right, node);
    return balanced(tree);
}

static struct node *found(const struct store *store, uint32_t ino, uint64_t block)
{
    struct node *node = store->root;
    while (node) {
        int where = order(ino, block, node);
        if (where == 0) return node;
        node = where < 0 ? node->left : node->right;
    }
    return NULL;
}

int store_write(struct store *store, uint32_t ino, uint64_t block, const uint8_t *data, uint32_t n)
{
    if (n > STORE_BLOCK_SIZE) return -EINVAL;
    /* A block of no bytes has memory too, so that NULL is a failure. */
    uint8_t *copy = malloc(n ? n : 1);
    if (!copy) return -ENOMEM;
    memcpy(copy, data, n);
    struct node *node = found(store, ino, block);
    if (node) {
#ifndef PLANTED_LEAKED_BLOCK
        free(node->data);
#endif
        node->data = copy;
        node->n = n;
        return 0;
    }
    node = malloc(sizeof *node);
    if (!node) {
        free(copy);
        return -ENOMEM;
    }
    *node = (struct node){ .ino = ino, .block = block, .data = copy, .n = n, .is_red = true };
    store->root = inserted(store->root, node);
    store->root->is_red = false;
    return 0;
}

int store_read(const struct store *store, uint32_t ino, uint64_t block, uint8_t **data, uint32_t *n)
{
    const struct node *node = found(store, ino, block);
    if (!node) return -ENOENT;
    uint8_t *copy = malloc(node->n ? node->n : 1);
    if (!copy) return -ENOMEM;
#ifdef PLANTED_WHOLE_BLOCK
    memcpy(copy, node->data, STORE_BLOCK_SIZE);
#else
    memcpy(copy, node->data, node->n);
#endif
    *data = copy;
    *n = node->n;
    return 0;
}

/* How many black nodes there are on every way down, or -1. */
static int n_black(const struct node *node, bool is_below_red)
{
    if (!node) return 0;
    if (node->is_red && is_below_red) return -1;
    int left = n_black(node->left, node->is_red), right = n_black(node->right, node->is_red);
    return left < 0 || left != right ? -1 : left + !node->is_red;
}

bool store_is_balanced(const struct store *store)
{
    return n_black(store->root, false) >= 0;
}
