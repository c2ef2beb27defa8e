/*
 * Functions that are passed where the code under test wants one and has none: each answers what was drawn for it, one value
 * after the other. Arguments are left alone, which callers clean up, so that one function serves every signature.
 */
#include "internal.h"

static struct sw_callback callbacks[SW_MAX_CALLBACKS] STATE;

static uint64_t answered(unsigned k)
{
    struct sw_callback *c = &callbacks[k];
    return c->n_answers ? c->answers[c->n_calls++ % c->n_answers] : 0;
}

static double answered_float(unsigned k)
{
    union { uint64_t bits; double value; } u = { answered(k) };
    return u.value;
}

#define CALLBACK(k) \
    static uint64_t callback_##k(void) { return answered(k); } \
    static double callback_float_##k(void) { return answered_float(k); }
#define ENTRY(k) (uint64_t)callback_##k, (uint64_t)callback_float_##k

CALLBACK(0) CALLBACK(1) CALLBACK(2) CALLBACK(3) CALLBACK(4) CALLBACK(5) CALLBACK(6) CALLBACK(7)
CALLBACK(8) CALLBACK(9) CALLBACK(10) CALLBACK(11) CALLBACK(12) CALLBACK(13) CALLBACK(14) CALLBACK(15)
CALLBACK(16) CALLBACK(17) CALLBACK(18) CALLBACK(19) CALLBACK(20) CALLBACK(21) CALLBACK(22) CALLBACK(23)
CALLBACK(24) CALLBACK(25) CALLBACK(26) CALLBACK(27) CALLBACK(28) CALLBACK(29) CALLBACK(30) CALLBACK(31)
CALLBACK(32) CALLBACK(33) CALLBACK(34) CALLBACK(35) CALLBACK(36) CALLBACK(37) CALLBACK(38) CALLBACK(39)
CALLBACK(40) CALLBACK(41) CALLBACK(42) CALLBACK(43) CALLBACK(44) CALLBACK(45) CALLBACK(46) CALLBACK(47)
CALLBACK(48) CALLBACK(49) CALLBACK(50) CALLBACK(51) CALLBACK(52) CALLBACK(53) CALLBACK(54) CALLBACK(55)
CALLBACK(56) CALLBACK(57) CALLBACK(58) CALLBACK(59) CALLBACK(60) CALLBACK(61) CALLBACK(62) CALLBACK(63)

/* Filled at `start`: constants that are addresses would be relocated. */
static uint64_t callback_entries[2 * SW_MAX_CALLBACKS] STATE;

static void start_callbacks(void)
{
    uint64_t entries[] = {
        ENTRY(0), ENTRY(1), ENTRY(2), ENTRY(3), ENTRY(4), ENTRY(5), ENTRY(6), ENTRY(7),
        ENTRY(8), ENTRY(9), ENTRY(10), ENTRY(11), ENTRY(12), ENTRY(13), ENTRY(14), ENTRY(15),
        ENTRY(16), ENTRY(17), ENTRY(18), ENTRY(19), ENTRY(20), ENTRY(21), ENTRY(22), ENTRY(23),
        ENTRY(24), ENTRY(25), ENTRY(26), ENTRY(27), ENTRY(28), ENTRY(29), ENTRY(30), ENTRY(31),
        ENTRY(32), ENTRY(33), ENTRY(34), ENTRY(35), ENTRY(36), ENTRY(37), ENTRY(38), ENTRY(39),
        ENTRY(40), ENTRY(41), ENTRY(42), ENTRY(43), ENTRY(44), ENTRY(45), ENTRY(46), ENTRY(47),
        ENTRY(48), ENTRY(49), ENTRY(50), ENTRY(51), ENTRY(52), ENTRY(53), ENTRY(54), ENTRY(55),
        ENTRY(56), ENTRY(57), ENTRY(58), ENTRY(59), ENTRY(60), ENTRY(61), ENTRY(62), ENTRY(63),
    };
    __builtin_memcpy(callback_entries, entries, sizeof entries);
}
