// expect: pass
#include <stdlib.h>

/* A predicate with an assertion: well-formed intervals. */

struct interval { int low; int high; };

/*@
predicate (struct interval) Interval(pointer p) {
  take I = RW<struct interval>(p);
  assert(I.low <= I.high);
  return I;
}
@*/

struct interval *interval(int x)
/*@ ensures take I = Interval(return); I.low == x; I.high == x; @*/
{
    struct interval *i = malloc(sizeof *i);
    i->low = i->high = x;
    return i;
}

int contains(struct interval *i, int x)
/*@ requires take I = Interval(i);
    ensures take I2 = Interval(i); I2 == I;
            return == ((I.low <= x && x <= I.high) ? 1i32 : 0i32); @*/
{
    return i->low <= x && x <= i->high;
}

void widen(struct interval *i, int x)
/*@ requires take I = Interval(i);
    ensures take I2 = Interval(i);
            I2.low <= x; x <= I2.high;
            I2.low <= I.low; I.high <= I2.high; @*/
{
    if (x < i->low) i->low = x;
    if (x > i->high) i->high = x;
}

void set(struct interval *i, int low, int high)
/*@ requires take I = W<struct interval>(i); low <= high;
    ensures take I2 = Interval(i);
            I2 == struct interval { low: low, high: high }; @*/
{
    i->low = low;
    i->high = high;
}
