// expect: pass
/* Enumerations as arguments, results and members. Their constants are i32 in specs. */

enum colour { RED = 1, GREEN, BLUE = 7 };

struct pixel { enum colour colour; unsigned char alpha; };

/*@
function (boolean) is_colour(u32 c) { c == (u32) RED || c == (u32) GREEN || c == (u32) BLUE }
@*/

enum colour next(enum colour c)
/*@ requires is_colour(c);
    ensures is_colour(return); return != c; @*/
{
    switch (c) {
    case RED: return GREEN;
    case GREEN: return BLUE;
    default: return RED;
    }
}

unsigned paint(struct pixel p, enum colour c)
/*@ requires is_colour(p.colour); is_colour(c);
    ensures (return == 1u32) == (p.colour == c); @*/
{
    return p.colour == c;
}
