/* The first instruction of a 64-bit Arm processor, as QEMU starts it: floating point on, a stack, C. */
    .section .start, "ax"
    .globl _start
_start:
    mrs x0, CurrentEL
    cmp x0, #4
    b.eq 1f
    mov x0, #0x33ff
    msr cptr_el2, x0
1:  mov x0, #(3 << 20)
    msr cpacr_el1, x0
    isb
    ldr x0, =stack_top
    mov sp, x0
    bl board_start
2:  wfe
    b 2b
