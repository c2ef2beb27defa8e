// expect: pass
/* Invariants of for, while, do and nested loops, over current values and entry values. */

unsigned sum_to(unsigned n)
/*@ requires n <= 1000u32;
    ensures return == n * (n + 1u32) / 2u32; @*/
{
    unsigned sum = 0;
    for (unsigned i = 0; i <= n; i++)
    /*@ inv i <= n + 1u32; {n}unchanged;
            2u32 * sum + i == i * i; @*/
    {
        sum += i;
    }
    return sum;
}

unsigned gcd(unsigned a, unsigned b)
/*@ requires a != 0u32 || b != 0u32;
    ensures return != 0u32; {a}%start % return == 0u32; b % return == 0u32; @*/
{
    while (b != 0)
    /*@ inv a != 0u32 || b != 0u32; @*/
    {
        unsigned r = a % b;
        a = b;
        b = r;
    }
    return a;
}

int digits(unsigned x)
/*@ ensures 1i32 <= return && return <= 10i32; @*/
{
    int n = 0;
    do
    /*@ inv 0i32 <= n && n <= 10i32; @*/
    {
        x /= 10;
        n++;
    } while (x);
    return n;
}

unsigned grid(unsigned rows, unsigned columns)
/*@ requires rows < 20u32 && columns < 20u32;
    ensures return == rows * columns; @*/
{
    unsigned n = 0;
    for (unsigned r = 0; r < rows; r++)
    /*@ inv n == r * columns; @*/
    {
        for (unsigned c = 0; c < columns; c++)
        /*@ inv n == r * columns + c;
            inv c <= columns; @*/
        {
            n++;
        }
    }
    return n;
}
