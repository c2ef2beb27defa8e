# Into the kernel and out again.
#
# The processor pushes a user thread's rip and rsp right into its struct thread, and the rest follows
# here; so the kernel needs one stack, and switching threads is leaving with another struct thread.
# Does not know why the kernel was entered.

    .text
    .macro entry vector, has_error=0
    .align 16
trap_\vector:
    .if \has_error == 0
    pushq $0
    .endif
    pushq $\vector
    jmp trap_common
    .endm

    .altmacro
    .macro entries from, to
    .set number, \from
    .rept \to - \from + 1
    entry_of %number
    .set number, number + 1
    .endr
    .endm
    .macro entry_of number
    .if \number == 8 || \number == 10 || \number == 11 || \number == 12 || \number == 13 || \number == 14 || \number == 17 || \number == 21
    entry \number 1
    .else
    entry \number
    .endif
    .endm
    entries 0, 31
    entry 64
    entry 65
    entry 128

trap_common:
    pushq %rax
    pushq %rbx
    pushq %rcx
    pushq %rdx
    pushq %rsi
    pushq %rdi
    pushq %rbp
    pushq %r8
    pushq %r9
    pushq %r10
    pushq %r11
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, %rdi
    testb $3, 18*8(%rsp)                # from user mode?
    jz 1f                               # no: a bug of the kernel, which is reported on the stack where it happened
    movq $kernel_stack_end, %rsp
1:  cld
    call trap
    movq %rax, %rdi

    # Runs the thread whose registers are at rdi.
    .globl trap_return
trap_return:
    movq %rdi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %r11
    popq %r10
    popq %r9
    popq %r8
    popq %rbp
    popq %rdi
    popq %rsi
    popq %rdx
    popq %rcx
    popq %rbx
    popq %rax
    addq $16, %rsp                      # vector and error
    iretq

    .section .rodata
    .align 8
    .globl trap_entries, trap_entry_call, trap_entry_timer, trap_entry_spurious
    .macro address_of number
    .quad trap_\number
    .endm
trap_entries:
    .set number, 0
    .rept 32
    address_of %number
    .set number, number + 1
    .endr
trap_entry_timer:
    .quad trap_64
trap_entry_spurious:
    .quad trap_65
trap_entry_call:
    .quad trap_128

    .section .note.GNU-stack, "", @progbits
