// expect: pass
#include <stdio.h>
#include <stdlib.h>

/* Leaving the process and writing to it are noted, not blamed; files are private to a sequence. */

void leave(unsigned char code)
{
    exit(code);
}

void chatter(unsigned n)
{
    for (unsigned i = 0; i < n % 100; i++) printf("%u bottles\n", i);
    fprintf(stderr, "done\n");
}

/* In a fresh folder the file is never there before. */
int once(void)
{
    static int n_calls;
    FILE *f = fopen("mark", "r");
    if (f) {
        fclose(f);
        if (n_calls == 0) abort();
    } else {
        f = fopen("mark", "w");
        if (f) fclose(f);
    }
    return ++n_calls;
}
