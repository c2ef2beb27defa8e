// expect: signal of share, at most 1 call
/* A division by zero that the machine notices. */

int share(int cake, int guests)
/*@ requires 0i32 <= guests; 0i32 <= cake;
    ensures return <= cake; @*/
{
    return cake / guests;
}
