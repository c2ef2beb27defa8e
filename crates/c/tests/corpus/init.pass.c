// expect: pass
// options: --init setup
/* Every sequence begins with `setup`; without it `use` would not be callable. */

static int is_ready;

void setup(void)
/*@ accesses is_ready; ensures is_ready == 1i32; @*/
{
    is_ready = 1;
}

int use(int x)
/*@ accesses is_ready; requires is_ready == 1i32;
    ensures return == x; is_ready == 1i32; @*/
{
    return is_ready ? x : 0;
}
