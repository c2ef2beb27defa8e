/* A store of objects, each a block of a file, found by a red-black tree. */
#ifndef STORE_H
#define STORE_H

#include <stdbool.h>
#include <stdint.h>

#define STORE_BLOCK_SIZE 4096

struct store;

/* NULL if there is no memory. */
struct store *store_new(void);
void store_free(struct store *store);

/* Puts n bytes in the place of what was there; 0, or an error below zero. */
int store_write(struct store *store, uint32_t ino, uint64_t block, const uint8_t *data, uint32_t n);

/* A copy of what is there, which the caller frees; 0, or an error below zero and nothing. */
int store_read(const struct store *store, uint32_t ino, uint64_t block, uint8_t **data, uint32_t *n);

/* Whether no red node has a red child and every way down has as many black ones. */
bool store_is_balanced(const struct store *store);

#endif
