// expect: overlap of drop_first, at most 2 calls
#include <stdlib.h>
#include <string.h>

/* memcpy where memmove is needed. */

char *letters(void)
{
    char *s = malloc(8);
    memcpy(s, "abcdefg", 8);
    return s;
}

void drop_first(char *s)
/*@ requires take S = each (u64 i; i < 8u64) { RW<char>(array_shift<char>(s, i)) };
    ensures take S2 = each (u64 i; i < 8u64) { RW<char>(array_shift<char>(s, i)) };
            S2[0u64] == S[1u64]; @*/
{
    memcpy(s, s + 1, 7);
}
