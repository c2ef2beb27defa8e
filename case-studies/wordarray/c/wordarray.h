/*
 * Arrays of machine words: `wordarray_u8`, `_u16`, `_u32` and `_u64`, with the same functions for each.
 * An array owns its elements; `free` gives back both. Functions that make an array answer NULL when there is no memory.
 */
#ifndef WORDARRAY_H
#define WORDARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORDARRAY_JOIN(a, b) a##_##b
#define WORDARRAY_NAME(a, b) WORDARRAY_JOIN(a, b)

#endif
