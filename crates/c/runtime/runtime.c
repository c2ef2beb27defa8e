/* One translation unit, so that nothing of the runtime can clash with a name of the code under test. */
#define _GNU_SOURCE
#include "internal.h"
#include "access.c"
#include "fences.c"
#include "heap.c"
#include "strings.c"
#include "process.c"
#include "world.c"
#include "frames.c"
#include "undefined.c"
#include "threads.c"
#include "callbacks.c"
#include "guard.c"
