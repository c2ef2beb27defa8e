// expect: pass
/* As many elements as declarations say, and no more. */
#include <string.h>

int sum_of(const int values[4])
{
    long sum = 0;
    for (int i = 0; i < 4; i++)
        sum += values[i];
    return sum > 0;
}

void label(char text[0x10])
{
    memset(text, 'x', 15);
    text[15] = 0;
}

int same(const int one[static 300], const int other[300]) { return memcmp(one, other, 300 * sizeof *one) == 0; }
