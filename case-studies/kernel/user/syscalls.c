/* System calls by name. Knows the order of arguments; does not know how the kernel is entered. */
#include "syscalls.h"

static enum answer answer(enum call number, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    return (enum answer)sys_call(number, a, b, c, d).answer;
}

enum answer sys_thread_create(cptr slot, void (*entry)(void *), void *stack_end, void *argument) {
    return answer(CALL_THREAD_CREATE, slot, (uint64_t)entry, (uint64_t)stack_end, (uint64_t)argument);
}

enum answer sys_thread_delete(cptr slot) {
    return answer(CALL_THREAD_DELETE, slot, 0, 0, 0);
}

enum answer sys_thread_priority(cptr slot, unsigned priority) {
    return answer(CALL_THREAD_PRIORITY, slot, priority, 0, 0);
}

enum answer sys_thread_resume(cptr slot) {
    return answer(CALL_THREAD_RESUME, slot, 0, 0, 0);
}

void sys_thread_stop(void) {
    (void)answer(CALL_THREAD_STOP, 0, 0, 0, 0);
}

enum answer sys_endpoint_create(cptr slot) {
    return answer(CALL_ENDPOINT_CREATE, slot, 0, 0, 0);
}

enum answer sys_endpoint_delete(cptr slot) {
    return answer(CALL_ENDPOINT_DELETE, slot, 0, 0, 0);
}

enum answer sys_send(cptr endpoint, uint64_t word) {
    return answer(CALL_SEND, endpoint, word, 0, 0);
}

enum answer sys_send_now(cptr endpoint, uint64_t word) {
    return answer(CALL_SEND_NOW, endpoint, word, 0, 0);
}

enum answer sys_receive(cptr endpoint, uint64_t *word) {
    const struct outcome outcome = sys_call(CALL_RECEIVE, endpoint, 0, 0, 0);
    if (outcome.answer == OK)
        *word = outcome.word;
    return (enum answer)outcome.answer;
}

enum answer sys_frame_create(cptr slot) {
    return answer(CALL_FRAME_CREATE, slot, 0, 0, 0);
}

enum answer sys_frame_delete(cptr slot) {
    return answer(CALL_FRAME_DELETE, slot, 0, 0, 0);
}

enum answer sys_frame_map(cptr slot, void *page) {
    return answer(CALL_FRAME_MAP, slot, (uint64_t)page, 0, 0);
}

enum answer sys_frame_unmap(cptr slot) {
    return answer(CALL_FRAME_UNMAP, slot, 0, 0, 0);
}

enum answer sys_on_fault(void (*entry)(uint64_t), void *stack_end) {
    return answer(CALL_ON_FAULT, (uint64_t)entry, (uint64_t)stack_end, 0, 0);
}

enum answer sys_watchdog(unsigned milliseconds) {
    return answer(CALL_WATCHDOG, milliseconds, 0, 0, 0);
}

enum answer sys_write(const char *bytes, size_t length) {
    return answer(CALL_WRITE, (uint64_t)bytes, length, 0, 0);
}

enum answer sys_reset(void) {
    return answer(CALL_RESET, 0, 0, 0, 0);
}

_Noreturn void sys_exit(unsigned code) {
    for (;;)
        (void)answer(CALL_EXIT, code, 0, 0, 0);
}
