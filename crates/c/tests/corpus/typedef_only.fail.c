// expect: assert of label_check, at most 1 call
/* Nobody returns a `label`, so everything that has its type is one. */
#include <assert.h>
#include <string.h>

typedef const char *label;

int label_check(label l)
{
    assert(strchr(l, '%') == 0);
    return 1;
}
