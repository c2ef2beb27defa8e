// expect: postcondition of turned, at most 1 call
// clause: return < 4u32
/* The last direction turns into none at all. */

enum direction { NORTH, EAST, SOUTH, WEST };

enum direction turned(enum direction d)
/*@ requires d <= (u32) WEST;
    ensures return < 4u32; @*/
{
    return d + 1;
}
