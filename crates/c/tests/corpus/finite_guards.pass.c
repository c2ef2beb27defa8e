// expect: pass
/* Guards that name the indices one by one, and static variables that nothing writes. */

void both(int *pair)
/*@ requires take P = each (i32 j; j == 0i32 || j == 2i32) { RW<int>(array_shift<int>(pair, j)) };
    ensures take Q = each (i32 j; j == 0i32 || j == 2i32) { RW<int>(array_shift<int>(pair, j)) };
            Q[0i32] == 7i32; Q[2i32] == 8i32; @*/
{
    pair[0] = 7;
    pair[2] = 8;
}

static int *cell;

void fill(void)
/*@ accesses cell;
    requires take C = RW<int>(cell);
    ensures take D = RW<int>(cell); D == 7i32; @*/
{
    *cell = 7;
}
