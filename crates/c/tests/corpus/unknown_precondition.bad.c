/* Nobody knows which calls `element` allows, so what other calls do to it is not held against it. */

/*@
function (boolean) is_ready(map<i32, i32> values, i32 n)
@*/

int element(int *values, int n)
/*@ requires 0i32 < n;
             take V = each (i32 i; 0i32 <= i && i < n) { RW<int>(array_shift<int>(values, i)) };
             is_ready(V, n);
    ensures take V2 = each (i32 i; 0i32 <= i && i < n) { RW<int>(array_shift<int>(values, i)) }; @*/
{
    return values[n - 1];
}
