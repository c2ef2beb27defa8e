// expect: unowned-access of reset, at most 1 call
/* The contract hands over one member; the function writes both. */

struct pair { int first, second; };

void reset(struct pair *p)
/*@ requires take F = RW<int>(&(p->first));
    ensures take F2 = RW<int>(&(p->first)); F2 == 0i32; @*/
{
    p->first = 0;
    p->second = 0;
}
