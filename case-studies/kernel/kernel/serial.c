/* The serial port and the end of the machine.
 *
 * Knows two devices: the first serial port and QEMU's isa-debug-exit. Knows nothing of what is said. */
#include "kernel.h"
#include "ports.h"

enum {
    PORT_DATA = 0x3f8,
    PORT_STATUS = 0x3fd,
    STATUS_CAN_SEND = 0x20,
    PORT_EXIT = 0xf4,
};

void serial_write(const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        while ((port_in(PORT_STATUS) & STATUS_CAN_SEND) == 0) {
            /* The device always comes to it; if not, who started the machine has set a limit. */
        }
        port_out(PORT_DATA, (uint8_t)bytes[i]);
    }
}

_Noreturn void machine_exit(unsigned code) {
    port_out_long(PORT_EXIT, code);
    for (;;)
        __asm__ volatile("cli; hlt");
}
