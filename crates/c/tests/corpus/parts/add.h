int add(int a, int b);
/*@ requires -1000i32 <= a && a <= 1000i32; -1000i32 <= b && b <= 1000i32;
    ensures return == a + b; @*/
