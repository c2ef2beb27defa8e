# From QEMU's PVH entry (32 bits, no paging) to kmain in long mode.
#
# Knows the processor's way there and the first gigabyte, which is mapped as it is for the kernel alone.
# Does not know what the kernel does.

    .section .note.pvh, "a", @note
    .align 4
    .long 4, 4, 18                      # sizes of name and value, XEN_ELFNOTE_PHYS32_ENTRY
    .asciz "Xen"
    .long boot_start

    .set PRESENT_WRITABLE, 0x3
    .set PRESENT_WRITABLE_LARGE, 0x83
    .set CR0_PG_MP_PE, 0x80000003
    .set CR4_PAE_FXSR_XMM, 0x620
    .set MSR_EFER, 0xc0000080
    .set EFER_LME_NXE, 0x900
    .set CODE64, 0x08

    .section .boot, "ax"
    .code32
    .globl boot_start
boot_start:
    cli
    movl %ebx, %ebp                     # what QEMU tells: struct hvm_start_info

    # One table of each level: 512 pages of 2 MiB, for the kernel only.
    movl $vm_second_level, %eax
    orl $(PRESENT_WRITABLE | 4), %eax   # users may pass here; further down they may or may not
    movl %eax, vm_top_level
    movl $boot_third_level, %eax
    orl $PRESENT_WRITABLE, %eax
    movl %eax, vm_second_level
    movl $PRESENT_WRITABLE_LARGE, %eax
    movl $boot_third_level, %edi
    movl $512, %ecx
1:  movl %eax, (%edi)
    addl $0x200000, %eax
    addl $8, %edi
    loop 1b
    movl $vm_top_level, %eax
    movl %eax, %cr3

    movl %cr4, %eax
    orl $CR4_PAE_FXSR_XMM, %eax
    movl %eax, %cr4
    movl $MSR_EFER, %ecx
    rdmsr
    orl $EFER_LME_NXE, %eax
    wrmsr
    movl %cr0, %eax
    andl $~4, %eax                      # no emulation of floating point
    orl $CR0_PG_MP_PE, %eax
    movl %eax, %cr0
    lgdt boot_gdt_pointer
    ljmp $CODE64, $boot_long

    .code64
boot_long:
    xorl %eax, %eax
    movl %eax, %ds
    movl %eax, %es
    movl %eax, %ss
    movl %eax, %fs
    movl %eax, %gs
    movq $kernel_stack_end, %rsp
    movl %ebp, %edi
    xorl %ebp, %ebp
    call kmain
2:  cli
    hlt
    jmp 2b

    .align 8
boot_gdt:
    .quad 0
    .quad 0x00af9a000000ffff            # 64-bit code for the kernel
boot_gdt_pointer:
    .word 15
    .long boot_gdt

    .section .bss
    .align 4096
    .globl vm_top_level, vm_second_level
vm_top_level:       .skip 4096
vm_second_level:    .skip 4096
boot_third_level:   .skip 4096
    .skip 16384
    .globl kernel_stack_end
kernel_stack_end:

    .section .note.GNU-stack, "", @progbits
