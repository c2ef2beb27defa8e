/* The kernel as user programs see it: one function for each system call, and nothing else.
 *
 * syscalls.c traps into the kernel; host/machine.c calls it as a library. */
#ifndef SYSCALLS_H
#define SYSCALLS_H

#include "abi.h"

enum answer sys_thread_create(cptr slot, void (*entry)(void *), void *stack_end, void *argument);
enum answer sys_thread_delete(cptr slot);
enum answer sys_thread_priority(cptr slot, unsigned priority);
enum answer sys_thread_resume(cptr slot);
void sys_thread_stop(void);

enum answer sys_endpoint_create(cptr slot);
enum answer sys_endpoint_delete(cptr slot);
enum answer sys_send(cptr endpoint, uint64_t word);
enum answer sys_send_now(cptr endpoint, uint64_t word);
enum answer sys_receive(cptr endpoint, uint64_t *word);

enum answer sys_frame_create(cptr slot);
enum answer sys_frame_delete(cptr slot);
enum answer sys_frame_map(cptr slot, void *page);
enum answer sys_frame_unmap(cptr slot);

/* When any thread faults, it stops, and the caller goes on at `entry` with the number of the fault. */
enum answer sys_on_fault(void (*entry)(uint64_t), void *stack_end);
/* Counts whoever runs after so much time as one that faulted, with the number FAULT_WATCHDOG; 0: nobody. */
enum answer sys_watchdog(unsigned milliseconds);
enum answer sys_write(const char *bytes, size_t length);
enum answer sys_reset(void);
_Noreturn void sys_exit(unsigned code);

/* How a number of a call and its arguments get to the kernel; `word` is what was received. */
struct outcome {
    uint64_t answer, word;
};
struct outcome sys_call(enum call number, uint64_t a, uint64_t b, uint64_t c, uint64_t d);

#endif
