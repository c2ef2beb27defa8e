/* One sequence of properties, as a test that needs no library: what `stairway embedded run` prints for a failure on a board.
 *
 * Compile it with the program that ran on the board and with `sequence.c`, which takes the place of `libstairway.a`: its `sw_run` does
 * the steps of `sw_sequence` in order and says whether they fail here too. `board.c` takes the place of a board:
 *
 *     cc -I $CAPI/include -I $CAPI/boards -I $CAPI/posix -I $CAPI/host program.c failure.c \
 *         $CAPI/host/sequence.c $CAPI/host/board.c $CAPI/posix/guard.c                          with crates/capi as $CAPI */
#ifndef STAIRWAY_SEQUENCE_H
#define STAIRWAY_SEQUENCE_H

#include "stairway.h"

/* A property by its set and its name, and every number that was drawn for it, in order. */
struct sw_step {
    const char *set, *property;
    size_t n_draws;
    const uint64_t *draws;
};
#define SW_STEP(set, property, ...)                                                                \
    { set, property, sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t), (const uint64_t[]){ __VA_ARGS__ } }
#define SW_STEP_WITHOUT_DRAWS(set, property) { set, property, 0, NULL }
#define SW_SEQUENCE_ENDS { NULL, NULL, 0, NULL }

extern const struct sw_step sw_sequence[];

#endif
