// expect: pass
int f(int n)
/*@ requires 0i32 <= n && n < 10i32; ensures return == n; @*/
{
  int i = 0; int a[3] = {0,0,0};
  while (i < n)
  /*@ inv 0i32 <= i; i <= n; {n}unchanged; take A = RW<int>(&a[0]); let z = A; @*/
  {
    /*@ derive_constraints foo(bar); @*/
    /*@ split_case nothing == something; @*/
    /*@ instantiate i; @*/
    /*@ extract RW<int>, (u64)i; @*/
    /*@ unfold abc(x); @*/
    /*@ focus RW<int>, 3u64; @*/
    i++;
  }
  return i;
}
