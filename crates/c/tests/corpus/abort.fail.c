// expect: abort of transition, at most 3 calls
#include <stdlib.h>

/* A protocol whose third step is forbidden after the first two. */

enum event { CONNECT, LOGIN, QUIT };
static int state;

void transition(enum event e)
{
    switch (e) {
    case CONNECT: state = state == 0 ? 1 : state; break;
    case LOGIN: state = state == 1 ? 2 : state; break;
    case QUIT:
        if (state == 2) abort();
        state = 0;
    }
}
