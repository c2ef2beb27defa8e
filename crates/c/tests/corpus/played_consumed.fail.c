// expect: use-after-free|unowned-access of last_value, at most 1 call
/* What a function without a body takes and does not hand back is gone. */

struct cell { int value; };

struct cell *cell_new(int value);
/*@ spec cell_new(i32 value);
    requires true;
    ensures take made = RW<struct cell>(return); made.value == value; @*/

void cell_drop(struct cell *c);
/*@ spec cell_drop(pointer c);
    requires take gone = RW<struct cell>(c);
    ensures true; @*/

int last_value(int value)
/*@ ensures return == value; @*/
{
    struct cell *c = cell_new(value);
    cell_drop(c);
    return c->value;
}
