/* Text and the exit code through semihosting: the machine stops at an instruction that means "debugger, please", and whoever runs it,
 * QEMU or a debug probe, does what is asked. */

#include "board.h"

enum { SYS_WRITE0 = 0x04, SYS_EXIT_EXTENDED = 0x20, APPLICATION_EXIT = 0x20026 };

static uintptr_t ask(uintptr_t what, const void *with)
{
#if defined(__aarch64__)
    register uintptr_t x0 __asm__("x0") = what;
    register const void *x1 __asm__("x1") = with;
    __asm__ volatile("hlt 0xf000" : "+r"(x0) : "r"(x1) : "memory");
    return x0;
#else
    register uintptr_t r0 __asm__("r0") = what;
    register const void *r1 __asm__("r1") = with;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
#endif
}

void board_write(void *user, const char *text, size_t n)
{
    char piece[65];
    size_t k = 0;
    (void)user;
    while (n--) {
        piece[k++] = *text++;
        if (k < sizeof piece - 1 && n > 0) continue;
        piece[k] = 0;
        ask(SYS_WRITE0, piece);
        k = 0;
    }
}

_Noreturn void board_exit(int code)
{
    const uintptr_t block[2] = { APPLICATION_EXIT, (uintptr_t)code };
    for (;;) ask(SYS_EXIT_EXTENDED, block);
}
