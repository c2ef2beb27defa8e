// expect: invalid-free of trim, at most 1 call
#include <stdlib.h>
#include <string.h>

/* The pointer that is freed is not the one that was allocated. */

static char *skip(char *s)
{
    while (*s == ' ') s++;
    return s;
}

int trim(unsigned n)
/*@ requires n < 5u32;
    ensures return == 1i32; @*/
{
    char *text = malloc(8);
    memset(text, ' ', n);
    strcpy(text + n, "x");
    char *word = skip(text);
    int is_word = word[0] == 'x';
    free(word);
    return is_word;
}
