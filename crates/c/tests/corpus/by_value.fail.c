// expect: postcondition of grown, at most 1 call
// clause: return.low <= return.high
/* A struct of 40 bytes, passed and returned in memory. */

struct range { long low, high; char name[24]; };

struct range grown(struct range r, unsigned char by)
/*@ requires r.low <= r.high; -1000i64 < r.low; r.high < 1000i64;
    ensures return.low <= return.high; return.name == r.name; @*/
{
    r.high -= by; /* should be + */
    return r;
}
