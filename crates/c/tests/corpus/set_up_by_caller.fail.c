// expect: assert of meter_stop, at most 3 calls
#include <assert.h>
/* Three calls with one object that none of them makes: started twice, it is stopped for too long. */

struct meter { int running, starts; };

void meter_start(struct meter *m) { m->running = 1; m->starts++; }
void meter_stop(struct meter *m) { assert(m->starts < 2); m->running = m->starts = 0; }
