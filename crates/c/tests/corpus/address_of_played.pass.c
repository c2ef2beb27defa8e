// expect: pass
/* A function that has a spec and no body has an address that specs can name. */

extern int step(int x);
/*@ spec step(i32 x); requires true; ensures return == x; @*/

static int stay(int x)
{
    return x;
}

typedef int (*stepper)(int);

/*@
predicate (void) Stepper(pointer f) {
  assert (ptr_eq(f, &stay) || ptr_eq(f, &step));
  return;
}
@*/

stepper choose(int x)
/*@ ensures take S = Stepper(return); @*/
{
    return x > 0 ? stay : step;
}

int go(int x)
/*@ ensures return == x; @*/
{
    return choose(x)(x);
}
