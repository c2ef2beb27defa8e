// expect: out-of-bounds of sum_of, at most 1 call
/* No contract, but the declaration says how many there are. */

int sum_of(const int values[4])
{
    long sum = 0;
    for (int i = 0; i <= 4; i++)
        sum += values[i];
    return sum > 0;
}
