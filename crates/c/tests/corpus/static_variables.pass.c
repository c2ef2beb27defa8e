// expect: pass
// sources: own_count.c
/* Static variables of two files that share a name and nothing else; each contract means the one of its file. */

static unsigned count;

unsigned first_count(void)
/*@ accesses count; requires count < 1000u32; ensures count == {count}@start + 1u32; return == count; @*/
{
    return ++count;
}
