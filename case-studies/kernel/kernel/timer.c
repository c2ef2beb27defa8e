/* A clock that rings once: the processor's own timer.
 *
 * Knows the local APIC. Does not know who is woken by it (trap.c). */
#include "kernel.h"
#include "ports.h"

enum {
    REGISTER_END_OF_INTERRUPT = 0xb0,
    REGISTER_SPURIOUS = 0xf0,
    REGISTER_TIMER = 0x320,
    REGISTER_COUNT = 0x380,
    REGISTER_DIVIDE = 0x3e0,
    ENABLED = 0x100,
    DIVIDE_BY_16 = 0x3,
    /* QEMU's timer counts nanoseconds before it divides. */
    COUNTS_PER_MILLISECOND = 1000000 / 16,
    PORT_FIRST_PIC = 0x21,
    PORT_SECOND_PIC = 0xa1,
};

/* It may ring just before it is stopped, and be heard only afterwards. */
static bool is_set;

static volatile uint32_t *timer_register(unsigned number) {
    return (volatile uint32_t *)(TIMER_DEVICE + number);
}

void timer_init(void) {
    /* Nothing else may interrupt. */
    port_out(PORT_FIRST_PIC, 0xff);
    port_out(PORT_SECOND_PIC, 0xff);
    vm_map_device(TIMER_DEVICE);
    *timer_register(REGISTER_SPURIOUS) = ENABLED | VECTOR_SPURIOUS;
    *timer_register(REGISTER_DIVIDE) = DIVIDE_BY_16;
    *timer_register(REGISTER_TIMER) = VECTOR_TIMER;
}

void timer_set(uint32_t milliseconds) {
    is_set = milliseconds != 0;
    *timer_register(REGISTER_COUNT) = milliseconds * COUNTS_PER_MILLISECOND;
}

bool timer_has_rung(void) {
    *timer_register(REGISTER_END_OF_INTERRUPT) = 0;
    const bool was_set = is_set;
    is_set = false;
    return was_set;
}
