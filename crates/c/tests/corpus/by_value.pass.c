// expect: pass
/* Structs by value: in one register, in two, in memory; nested and mixed with floats. */

struct small { short a, b; };
struct two { long a; int b; };
struct large { long a[4]; char tag; };
struct nested { struct small s; struct two t; };
struct mixed { float f; int i; double d; };

struct small swapped(struct small s)
/*@ ensures return.a == s.b && return.b == s.a; @*/
{
    return (struct small){ s.b, s.a };
}

struct two plus(struct two x, int n)
/*@ requires 0i32 <= n && n < 100i32; x.b < 100i32;
    ensures return == struct two { a: x.a, b: x.b + n }; @*/
{
    x.b += n;
    return x;
}

struct large tagged(struct large l, char tag)
/*@ ensures return.tag == tag; return.a == l.a; @*/
{
    l.tag = tag;
    return l;
}

struct nested nest(struct small s, struct two t)
/*@ ensures return.s == s; return.t == t; @*/
{
    struct nested n = { s, t };
    return n;
}

int whole(struct mixed m)
/*@ ensures return == m.i; @*/
{
    return m.i;
}
