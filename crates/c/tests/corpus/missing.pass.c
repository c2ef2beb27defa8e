// expect: pass
/* Declared, used, and defined nowhere; functions that do not need it are tested all the same. */

void log_line(const char *text);

unsigned half(unsigned x)
/*@ ensures return <= x; @*/
{
    return x / 2;
}

unsigned log_all(unsigned n)
/*@ requires n < 10u32;
    ensures return == n; @*/
{
    for (unsigned i = 0; i < n; i++) log_line("again");
    return n;
}
