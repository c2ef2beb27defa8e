// expect: precondition-of-callee of greet, at most 1 call
// clause: take first = RW<char>(s)
/* A string literal is handed to a function that wants to own it for writing. */

int upper(char *s)
/*@ requires take first = RW<char>(s);
    ensures take last = RW<char>(s); @*/
{
    if (*s >= 'a' && *s <= 'z') *s -= 32;
    return *s;
}

int greet(int is_late)
/*@ requires is_late == 0i32 || is_late == 1i32; @*/
{
    return is_late ? upper("hello") : 0;
}
