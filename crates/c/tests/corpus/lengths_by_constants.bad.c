// Lengths of arrays that no constant says.

enum { BEFORE = -1 };

void f(void *p)
/*@ requires take P = RW<char[SOMETHING]>(p); @*/
{
}

void g(void *p)
/*@ requires take P = RW<char[BEFORE]>(p); @*/
{
}
