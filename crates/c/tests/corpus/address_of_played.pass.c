// expect: pass
/* A function that has a spec and no body has an address that specs can name. */

extern int hurry(int x);
/*@ spec hurry(i32 x); requires true; ensures return == x; @*/

static int stay(int x)
{
    return x;
}

typedef int (*stepper)(int);

/*@
predicate (void) Stepper(pointer f) {
  assert (ptr_eq(f, &stay) || ptr_eq(f, &hurry));
  return;
}
@*/

stepper choose(int x)
/*@ ensures take S = Stepper(return); @*/
{
    return x > 0 ? stay : hurry;
}

int go(int x)
/*@ ensures return == x; @*/
{
    return choose(x)(x);
}
