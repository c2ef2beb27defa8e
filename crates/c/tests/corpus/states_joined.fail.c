// expect: postcondition of falls, at most 1 calls
// clause: (return != 0i32) == (B < A)
/* Both ends of a row are taken before it is said how far they are from each other. */
int falls(int *first, int *last)
/*@ requires take A = RW<int>(first); take B = RW<int>(last);
             ptr_eq(last, array_shift<int>(first, 3u64));
    ensures take A2 = RW<int>(first); take B2 = RW<int>(last);
            A2 == A; B2 == B;
            (return != 0i32) == (B < A); @*/
{
    return first[0] >= last[0];
}
