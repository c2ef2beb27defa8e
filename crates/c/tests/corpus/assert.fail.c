// expect: assert of withdraw, at most 3 calls
#include <assert.h>

static int balance;

void deposit(unsigned char amount)
{
    if (balance < 1000) balance += amount;
}

void withdraw(unsigned char amount)
{
    if (balance > amount / 2) balance -= amount;
    assert(balance >= 0);
}
