// expect: pass
/* Functions without a body do what their contracts say: results in a range, memory that is filled, lists that are made, grown and consumed. */

struct node { int value; struct node *next; };

/*@ datatype values { Nil {}, Cons { i32 head, values tail } }
    predicate (datatype values) List(pointer p)
    {
        if (is_null(p)) { return Nil {}; }
        else {
            take n = RW<struct node>(p);
            take rest = List(n.next);
            return Cons { head: n.value, tail: rest };
        }
    }
    function [rec] (u32) length(datatype values l)
    {
        match l { Nil {} => { 0u32 } Cons { head: _, tail: t } => { 1u32 + length(t) } }
    } @*/

int between(int low, int high);
/*@ spec between(i32 low, i32 high);
    requires low <= high;
    ensures low <= return; return <= high; @*/

void measure(unsigned *to, unsigned limit);
/*@ spec measure(pointer to, u32 limit);
    requires take before = W<unsigned>(to); limit > 0u32;
    ensures take after = RW<unsigned>(to); after < limit; @*/

struct node *read_list(unsigned n);
/*@ spec read_list(u32 n);
    requires n <= 4u32;
    ensures take made = List(return); length(made) == n; @*/

struct node *push(struct node *list, int value);
/*@ spec push(pointer list, i32 value);
    requires take before = List(list);
    ensures take after = List(return); after == Cons { head: value, tail: before }; @*/

void discard(struct node *list);
/*@ spec discard(pointer list);
    requires take gone = List(list);
    ensures true; @*/

int distance(int low, int high)
/*@ requires 0i32 <= low; low <= high;
    ensures 0i32 <= return; return <= high - low; @*/
{
    return between(low, high) - low;
}

unsigned measured(unsigned limit)
/*@ requires limit > 0u32;
    ensures return <= limit; @*/
{
    unsigned n;
    measure(&n, limit);
    return n + 1;
}

unsigned counted(unsigned n, int value)
/*@ requires n <= 4u32;
    ensures return == n + 1u32; @*/
{
    struct node *list = push(read_list(n), value);
    unsigned found = 0;
    for (struct node *at = list; at; at = at->next) found++;
    discard(list);
    return found;
}
