// expect: pass
/* Specs in branches that are not compiled do not exist, and names in specs are not macros. */

#define LIMIT 10
#define x_times(n) ((n) * x)

#if defined(NEVER_DEFINED)
/*@ this is not even a spec @*/
#endif

#ifdef __cerb__
/*@ function (i32) scaled(i32 x) { x * 3i32 } @*/
#else
/*@ function (i32) scaled(i32 x) { x * 4i32 } @*/
#endif

#define FUNCTION(name) int name(int x)

FUNCTION(triple)
/*@ requires -100i32 <= x && x <= 100i32;
    ensures return == scaled(x); @*/
{
    return x_times(3);
}

int limit(int LIMIT_of)
/*@ ensures return <= 10i32; LIMIT_of <= 10i32 implies return == LIMIT_of; @*/
{
    return LIMIT_of > LIMIT ? LIMIT : LIMIT_of;
}
