// expect: leak of peek, at most 1 call
/* Nothing is allocated: what the caller handed over is not handed back. */

int peek(int *p)
/*@ requires take P = RW<int>(p);
    ensures return == P; @*/
{
    return *p;
}
