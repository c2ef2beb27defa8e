# Where user programs start, and the one instruction by which they leave user mode.

    .text
    .globl start
start:                                  # rdi: the command line
    subq $8, %rsp
    andq $-16, %rsp
    xorl %ebp, %ebp
    call user_main
    movl %eax, %edi
    call sys_exit

    # struct outcome sys_call(number, a, b, c, d)
    .globl sys_call
sys_call:
    movq %rdi, %rax
    movq %rsi, %rdi
    movq %rdx, %rsi
    movq %rcx, %rdx
    movq %r8, %r10
    int $0x80
    ret                                 # the answer in rax, the word in rdx

    .section .note.GNU-stack, "", @progbits
