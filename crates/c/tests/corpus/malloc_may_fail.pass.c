// expect: pass
// options: --malloc-fail
#include <stdlib.h>

/* Every result of malloc is looked at, and nothing is lost when the second one fails. */

struct name { char *text; };

/*@
predicate (boolean) Name(pointer p) {
  if (is_null(p)) {
    return false;
  } else {
    take N = RW<struct name>(p);
    take T = each (u64 i; i < 8u64) { RW<char>(array_shift<char>(N.text, i)) };
    return true;
  }
}
@*/

struct name *name_new(char first)
/*@ ensures take N = Name(return); @*/
{
    struct name *n = malloc(sizeof *n);
    if (!n) return NULL;
    n->text = calloc(8, 1);
    if (!n->text) {
        free(n);
        return NULL;
    }
    n->text[0] = first;
    return n;
}

void name_free(struct name *n)
/*@ requires take N = Name(n); @*/
{
    if (!n) return;
    free(n->text);
    free(n);
}
