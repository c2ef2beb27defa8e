/* Bodies that fault or do not return become counterexamples like any other. */
#ifndef GUARD_H
#define GUARD_H

#include "stairway.h"

/* Asks the kernel to hear of faults, and of bodies that take longer; once, before the library runs. */
void guard_init(unsigned milliseconds);

/* What `sw_settings.guard` wants. */
sw_verdict guard(void *user, sw_test *t, sw_verdict (*body)(sw_test *t));

#endif
