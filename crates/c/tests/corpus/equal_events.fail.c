// expect: out-of-bounds of machine_handle, at most 19 calls
// seeds: 3
/* A machine that keeps its last events. Only TICK is kept, and every other event clears the trace, so that it takes
   seventeen of them in a row. */
#include <stdlib.h>
enum event { START, TICK, PAUSE, STOP };
enum state { IDLE, RUNNING, PAUSED };
struct machine { enum state state; int n; enum event trace[16]; };
struct machine *machine_new(void) { return calloc(1, sizeof(struct machine)); }
void machine_free(struct machine *m) { free(m); }
enum state machine_state(const struct machine *m) { return m->state; }
int machine_handle(struct machine *m, enum event e)
{
    static const signed char next[3][4] = { { RUNNING, -1, -1, -1 }, { -1, RUNNING, PAUSED, IDLE }, { RUNNING, -1, -1, IDLE } };
    int to = next[m->state][e];
    if (to < 0 || e != TICK) { m->n = 0; if (to >= 0) m->state = (enum state)to; return to >= 0; }
    m->trace[m->n++] = e;
    m->state = (enum state)to;
    return 1;
}
