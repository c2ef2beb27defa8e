/* Leaving a function for a place that was saved above it: what setjmp and longjmp do, for machines without a C library. */

#if defined(__riscv)
#if __riscv_xlen == 64
#define STORE sd
#define LOAD ld
#define WORD 8
#else
#define STORE sw
#define LOAD lw
#define WORD 4
#endif

    .section .text.board_save, "ax", @progbits
    .globl board_save
    .type board_save, @function
board_save:
    STORE ra, 0*WORD(a0)
    STORE sp, 1*WORD(a0)
    STORE s0, 2*WORD(a0)
    STORE s1, 3*WORD(a0)
    STORE s2, 4*WORD(a0)
    STORE s3, 5*WORD(a0)
    STORE s4, 6*WORD(a0)
    STORE s5, 7*WORD(a0)
    STORE s6, 8*WORD(a0)
    STORE s7, 9*WORD(a0)
    STORE s8, 10*WORD(a0)
    STORE s9, 11*WORD(a0)
    STORE s10, 12*WORD(a0)
    STORE s11, 13*WORD(a0)
    STORE gp, 14*WORD(a0)
#if defined(__riscv_float_abi_double)
    fsd fs0, 15*WORD(a0)
    fsd fs1, 16*WORD(a0)
    fsd fs2, 17*WORD(a0)
    fsd fs3, 18*WORD(a0)
    fsd fs4, 19*WORD(a0)
    fsd fs5, 20*WORD(a0)
    fsd fs6, 21*WORD(a0)
    fsd fs7, 22*WORD(a0)
    fsd fs8, 23*WORD(a0)
    fsd fs9, 24*WORD(a0)
    fsd fs10, 25*WORD(a0)
#endif
    li a0, 0
    ret

    .section .text.board_jump, "ax", @progbits
    .globl board_jump
    .type board_jump, @function
board_jump:
    LOAD ra, 0*WORD(a0)
    LOAD sp, 1*WORD(a0)
    LOAD s0, 2*WORD(a0)
    LOAD s1, 3*WORD(a0)
    LOAD s2, 4*WORD(a0)
    LOAD s3, 5*WORD(a0)
    LOAD s4, 6*WORD(a0)
    LOAD s5, 7*WORD(a0)
    LOAD s6, 8*WORD(a0)
    LOAD s7, 9*WORD(a0)
    LOAD s8, 10*WORD(a0)
    LOAD s9, 11*WORD(a0)
    LOAD s10, 12*WORD(a0)
    LOAD s11, 13*WORD(a0)
    LOAD gp, 14*WORD(a0)
#if defined(__riscv_float_abi_double)
    fld fs0, 15*WORD(a0)
    fld fs1, 16*WORD(a0)
    fld fs2, 17*WORD(a0)
    fld fs3, 18*WORD(a0)
    fld fs4, 19*WORD(a0)
    fld fs5, 20*WORD(a0)
    fld fs6, 21*WORD(a0)
    fld fs7, 22*WORD(a0)
    fld fs8, 23*WORD(a0)
    fld fs9, 24*WORD(a0)
    fld fs10, 25*WORD(a0)
#endif
    mv a0, a1
    ret

#elif defined(__arm__)
    .syntax unified
    .thumb

    .section .text.board_save, "ax", %progbits
    .globl board_save
    .type board_save, %function
    .thumb_func
board_save: /* in what a Cortex-M0 has too: high registers go through low ones */
    stmia r0!, {r4-r7}
    mov r1, r8
    mov r2, r9
    mov r3, r10
    stmia r0!, {r1-r3}
    mov r1, r11
    mov r2, sp
    mov r3, lr
    stmia r0!, {r1-r3}
#if defined(__ARM_FP)
    vstmia r0, {s16-s31}
#endif
    movs r0, #0
    bx lr

    .section .text.board_jump, "ax", %progbits
    .globl board_jump
    .type board_jump, %function
    .thumb_func
board_jump:
    mov r12, r1
#if defined(__ARM_FP)
    mov r1, r0
    adds r1, r1, #40
    vldmia r1, {s16-s31}
#endif
    ldmia r0!, {r4-r7}
    ldmia r0!, {r1-r3}
    mov r8, r1
    mov r9, r2
    mov r10, r3
    ldmia r0!, {r1-r3}
    mov r11, r1
    mov sp, r2
    mov lr, r3
    mov r0, r12
    bx lr
#endif

#if defined(__riscv)
    .section .note.GNU-stack, "", @progbits
#endif
