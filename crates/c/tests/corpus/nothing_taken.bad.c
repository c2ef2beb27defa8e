/* Memory that is read without being taken; memory that has no value yet. */
struct point { int x, y; };
static int counter;

int x_of(struct point *p)
/*@ ensures return == p->x; @*/
{
    return p->x;
}

void set(int *p)
/*@ requires take P = W<int>(p); P == 3i32;
    ensures take P2 = RW<int>(p); *p == counter; @*/
{
    *p = counter;
}
