// expect: invariant of transfer, at most 1 call
// options: --invariant is_balanced
/* The total of two accounts never changes, or so the predicate says. */

static int left = 1, right = 1;

void transfer(int amount)
{
    if (amount < 0 || amount > 100) return;
    left -= amount;
    right += amount > 1 ? amount - amount / 2 : amount;
}

_Bool is_balanced(void)
{
    return left + right == 2;
}
