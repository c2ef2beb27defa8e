static int count = 7;

int second_count(int by)
/*@ accesses count; requires -100i32 <= by; by <= 100i32; -1000000i32 < count; count < 1000000i32;
    ensures count == {count}@start + by; return == count; @*/
{
    count += by;
    return count;
}
