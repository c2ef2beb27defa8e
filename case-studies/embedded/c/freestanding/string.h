/* What FreeRTOS asks of a C library, for boards without one; memory.c of `crates/capi/freestanding` and the library have them. */
#ifndef STRING_H
#define STRING_H
#include <stddef.h>
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *left, const void *right, size_t n);
#endif
