// expect: out-of-bounds of remember, at most 5 calls
/* The fifth entry falls off the table into whatever follows. */

static int table[4];
static unsigned used;

void remember(int x)
{
    table[used++] = x;
}
