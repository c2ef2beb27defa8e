// expect: pass
/* Static functions, and variables inside functions that keep their values. */

/* At the start of every sequence statics are as in a new process, initialised ones too. */
unsigned next_id(void)
{
    static _Bool is_started;
    static unsigned last = 100;
    if (!is_started && last != 100) __builtin_trap();
    is_started = 1;
    return ++last;
}

static int half(int x)
/*@ ensures -1073741824i32 <= return && return <= 1073741824i32; @*/
{
    return x / 2;
}

/* A buffer that every call hands out again. */
const char *digit(unsigned n)
/*@ requires n < 10u32;
    ensures !is_null(return); @*/
{
    static char text[2];
    text[0] = '0' + n;
    return text;
}
