// expect: postcondition of percent, at most 1 call
// clause: return <= 100i32
/* A sensor without a body answers anything that its contract allows, and the caller forgot that it may be negative. */

struct reading { int level; int full; };

void sample(struct reading *r);
/*@ spec sample(pointer r);
    requires take before = W<struct reading>(r);
    ensures take after = RW<struct reading>(r); 0i32 < after.full; after.full <= 1000i32; 0i32 <= after.level; after.level <= 2000i32; @*/

int percent(void)
/*@ ensures 0i32 <= return; return <= 100i32; @*/
{
    struct reading r;
    sample(&r);
    return 100 * r.level / r.full;
}
