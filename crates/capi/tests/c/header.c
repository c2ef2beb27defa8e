/* The header by itself, and its macros, in every language it is for. */

#include "stairway.h"

static const sw_generator number = SW_INT_IN(1, 2);
static const sw_generator list = SW_ARRAY_OF(&number, 1, 3);
static const sw_generator word = SW_STRING_OF(NULL, 0, 4);
static const sw_generator byte = SW_UNSIGNED_IN(uint8_t, 0, 9);
static const sw_generator die = SW_UNIFORM_IN(int, 1, 6);
static const sw_generator letter = SW_CHAR_IN('a', 'z');
static const sw_real_range unit = { 0.0, 1.0, false };
static const sw_generator share = SW_REAL_IN(double, &unit);
static const sw_property cleanups[] = { SW_EMPTY_CLEANUP };

static sw_verdict helper(sw_test *t, int x)
{
    sw_fail_unless(t, x > 0);
    sw_fail_if(t, x > 9);
    return SW_OK;
}

sw_verdict body(sw_test *t);

sw_verdict body(sw_test *t)
{
    sw_assume(t, SW_ARG(t, int, 0) != 3);
    sw_try(helper(t, SW_ARG(t, int, 0)));
    sw_fail_unless_equal(t, sizeof(int), 4);
    sw_fail(t, "always");
}

int main(void)
{
    size_t sizes = number.size + list.size + word.size + byte.size + die.size + letter.size + share.size;
    return sizes != 4 + 16 + 8 + 1 + 4 + 1 + 8 || cleanups[0].weight != 0;
}
