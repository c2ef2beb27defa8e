# The user program, as the linker made it.
    .section .rodata
    .align 4096
    .globl image_start
image_start:
    .incbin "user.elf"
    .section .note.GNU-stack, "", @progbits
