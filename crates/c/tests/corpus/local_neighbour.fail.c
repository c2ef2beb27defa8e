// expect: out-of-bounds of digits, at most 1 call
/* One element too many, which is the next variable's: no canary stands between them. */

static void fill(int *to, int n, int value)
{
    for (int i = 0; i <= n; i++)
        to[i] = value;
}

int digits(int n)
{
    int seen[4], left[4];
    fill(left, 3, n);
    fill(seen, 4, 0);
    return left[0] == n;
}
