/* The mistake is in an included file, and is shown there. */
#include "parts/wrong.h"

int f(int x)
{
    return x;
}
