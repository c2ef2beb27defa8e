// expect: precondition-of-callee of size, at most 1 call
// clause: n != MINi32()
#include <stdlib.h>

/* A contract for a function of the C library, checked where it is called. */

/*@ spec abs(i32 n);
    requires n != MINi32();
    ensures return >= 0i32; @*/

int size(int x)
/*@ ensures return != 17i32 || x == 17i32 || x == -17i32; @*/
{
    return abs(x);
}
