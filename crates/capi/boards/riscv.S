/* The first instruction, and the way into a trap and back. */

#if __riscv_xlen == 64
#define STORE sd
#define LOAD ld
#define WORD 8
#else
#define STORE sw
#define LOAD lw
#define WORD 4
#endif

    .section .start, "ax", @progbits
    .globl _start
_start:
    csrr t0, mhartid
    bnez t0, 1f
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, stack_top
#if defined(__riscv_flen)
    li t0, 0x2000 /* floating point is on */
    csrs mstatus, t0
#endif
    call board_start
1:  wfi
    j 1b

/* What C may change is saved on a stack of its own, which `mscratch` points to. */
    .section .text.board_trap, "ax", @progbits
    .globl board_trap
    .balign 4
board_trap:
    csrrw sp, mscratch, sp
    addi sp, sp, -16*WORD
    STORE ra, 0*WORD(sp)
    STORE t0, 1*WORD(sp)
    STORE t1, 2*WORD(sp)
    STORE t2, 3*WORD(sp)
    STORE t3, 4*WORD(sp)
    STORE t4, 5*WORD(sp)
    STORE t5, 6*WORD(sp)
    STORE t6, 7*WORD(sp)
    STORE a0, 8*WORD(sp)
    STORE a1, 9*WORD(sp)
    STORE a2, 10*WORD(sp)
    STORE a3, 11*WORD(sp)
    STORE a4, 12*WORD(sp)
    STORE a5, 13*WORD(sp)
    STORE a6, 14*WORD(sp)
    STORE a7, 15*WORD(sp)
    csrr a0, mcause
    csrr a1, mtval
    call board_trapped
    bnez a0, 1f
    LOAD ra, 0*WORD(sp)
    LOAD t0, 1*WORD(sp)
    LOAD t1, 2*WORD(sp)
    LOAD t2, 3*WORD(sp)
    LOAD t3, 4*WORD(sp)
    LOAD t4, 5*WORD(sp)
    LOAD t5, 6*WORD(sp)
    LOAD t6, 7*WORD(sp)
    LOAD a0, 8*WORD(sp)
    LOAD a1, 9*WORD(sp)
    LOAD a2, 10*WORD(sp)
    LOAD a3, 11*WORD(sp)
    LOAD a4, 12*WORD(sp)
    LOAD a5, 13*WORD(sp)
    LOAD a6, 14*WORD(sp)
    LOAD a7, 15*WORD(sp)
    addi sp, sp, 16*WORD
    csrrw sp, mscratch, sp
    mret
1:  addi sp, sp, 16*WORD
    csrw mscratch, sp
    la t0, board_leave
    csrw mepc, t0
    mret

    .section .note.GNU-stack, "", @progbits
