/* Which bug is built in. */
#include "planted.h"

#ifndef PLANTED_BUG
#define PLANTED_BUG NO_BUG
#endif

const enum planted_bug planted_bug = PLANTED_BUG;
