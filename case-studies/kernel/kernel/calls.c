/* System calls: arguments are checked here, and nowhere below.
 *
 * Knows which call needs which object in its slot. Trusts nothing that comes from user mode. */
#include "kernel.h"
#include "planted.h"

/* Threads */

static enum answer thread_create(cptr pointer, uint64_t entry, uint64_t stack_end, uint64_t argument) {
    struct slot *slot = cap_find(pointer, OBJECT_NONE);
    if (slot == NULL)
        return INVALID_THREAD;
    /* The processor would fault in the kernel if it were sent to an address that cannot be. */
    if (!vm_is_users(entry) || !vm_is_users(stack_end))
        return INVALID_ARGUMENT;
    struct thread *thread = thread_take();
    if (thread == NULL)
        return NO_MEMORY;
    thread_start(thread, entry, stack_end, argument);
    *slot = (struct slot){.holds = OBJECT_THREAD, .thread = thread};
    return OK;
}

static enum answer thread_delete(cptr pointer) {
    struct slot *slot = cap_find(pointer, OBJECT_THREAD);
    /* Nobody would be left to hear the answer if the caller deleted itself. */
    if (slot == NULL || slot->thread == current)
        return INVALID_THREAD;
    bool is_waiting = slot->thread->state == THREAD_SENDING || slot->thread->state == THREAD_RECEIVING;
    if (!(PLANTED(KERNEL_FORGETS_WAITER) && is_waiting))
        list_remove(slot->thread);
    thread_give(slot->thread);
    if (!PLANTED(KERNEL_KEEPS_SLOT))
        *slot = (struct slot){0};
    return OK;
}

static enum answer thread_priority(cptr pointer, uint64_t priority) {
    struct slot *slot = cap_find(pointer, OBJECT_THREAD);
    if (slot == NULL)
        return INVALID_THREAD;
    if (priority < LOWEST_PRIORITY || priority > HIGHEST_PRIORITY)
        return INVALID_ARGUMENT;
    sched_prioritise(slot->thread, (uint8_t)priority);
    return OK;
}

static enum answer thread_resume(cptr pointer) {
    struct slot *slot = cap_find(pointer, OBJECT_THREAD);
    if (slot == NULL || slot->thread->state != THREAD_STOPPED)
        return INVALID_THREAD;
    sched_wake(slot->thread);
    return OK;
}

static enum answer thread_stop(void) {
    sched_block(current, THREAD_STOPPED);
    return OK;
}

/* Endpoints */

static enum answer endpoint_create(cptr pointer) {
    struct slot *slot = cap_find(pointer, OBJECT_NONE);
    if (slot == NULL)
        return INVALID_ENDPOINT;
    struct endpoint *endpoint = endpoint_take();
    if (endpoint == NULL)
        return NO_MEMORY;
    *slot = (struct slot){.holds = OBJECT_ENDPOINT, .endpoint = endpoint};
    return OK;
}

static enum answer endpoint_delete(cptr pointer) {
    struct slot *slot = cap_find(pointer, OBJECT_ENDPOINT);
    if (slot == NULL)
        return INVALID_ENDPOINT;
    endpoint_give(slot->endpoint);
    *slot = (struct slot){0};
    return OK;
}

static enum answer send(cptr pointer, uint64_t word, bool waits) {
    struct slot *slot = cap_find(pointer, OBJECT_ENDPOINT);
    return slot == NULL ? INVALID_ENDPOINT : ipc_send(slot->endpoint, word, waits);
}

static enum answer receive(cptr pointer) {
    struct slot *slot = cap_find(pointer, OBJECT_ENDPOINT);
    return slot == NULL ? INVALID_ENDPOINT : ipc_receive(slot->endpoint);
}

/* Frames */

static enum answer frame_create(cptr pointer) {
    struct slot *slot = cap_find(pointer, OBJECT_NONE);
    if (slot == NULL)
        return INVALID_FRAME;
    uint64_t frame = frame_take();
    if (frame == 0)
        return NO_MEMORY;
    *slot = (struct slot){.holds = OBJECT_FRAME, .frame = frame};
    return OK;
}

static enum answer frame_map(cptr pointer, uint64_t at) {
    struct slot *slot = cap_find(pointer, OBJECT_FRAME);
    if (slot == NULL)
        return INVALID_FRAME;
    bool is_page = at >= WINDOW_START && at < WINDOW_END && at % PAGE_BYTES == 0;
    if (!is_page || slot->mapped_at != 0 || (vm_is_mapped(at) && !PLANTED(KERNEL_MAPS_OVER)))
        return INVALID_ARGUMENT;
    if (!vm_map(at, slot->frame, true, false))
        return NO_MEMORY;
    slot->mapped_at = at;
    return OK;
}

static enum answer frame_unmap(cptr pointer) {
    struct slot *slot = cap_find(pointer, OBJECT_FRAME);
    if (slot == NULL)
        return INVALID_FRAME;
    if (slot->mapped_at == 0)
        return INVALID_ARGUMENT;
    vm_unmap(slot->mapped_at);
    slot->mapped_at = 0;
    return OK;
}

static enum answer frame_delete(cptr pointer) {
    struct slot *slot = cap_find(pointer, OBJECT_FRAME);
    if (slot == NULL)
        return INVALID_FRAME;
    if (slot->mapped_at != 0)
        vm_unmap(slot->mapped_at);
    frame_give(slot->frame);
    *slot = (struct slot){0};
    return OK;
}

/* The machine */

static enum answer on_fault(uint64_t entry, uint64_t stack_end) {
    if (!vm_is_users(entry) || !vm_is_users(stack_end))
        return INVALID_ARGUMENT;
    trap_watch(current, entry, stack_end);
    return OK;
}

static enum answer watchdog(uint64_t milliseconds) {
    if (milliseconds > WATCHDOG_MOST_MS)
        return INVALID_ARGUMENT;
    timer_set((uint32_t)milliseconds);
    return OK;
}

/* A user's bytes, if all of them are the user's. */
static enum answer write(uint64_t at, uint64_t length) {
    if (at < USER_START || at >= WINDOW_END || length > WINDOW_END - at)
        return INVALID_ARGUMENT;
    for (uint64_t page = at & ~(PAGE_BYTES - 1ul); page < at + length; page += PAGE_BYTES)
        if (!vm_is_mapped(page))
            return INVALID_ARGUMENT;
    serial_write((const char *)at, length);
    return OK;
}

/* A reboot in the eyes of the tester: it must not depend on anything that a bug may have broken. */
static enum answer reset(void) {
    struct slot *self = cap_find(SLOT_SELF, OBJECT_THREAD);
    if (self == NULL || self->thread != current)
        return INVALID_THREAD;
    caps_reset();
    ipc_reset();
    threads_reset(current);
    sched_reset();
    vm_reset();
    return OK;
}

static enum answer dispatch(const struct frame *asked) {
    const uint64_t a = asked->rdi, b = asked->rsi, c = asked->rdx, d = asked->r10;
    switch (asked->rax) {
    case CALL_THREAD_CREATE: return thread_create(a, b, c, d);
    case CALL_THREAD_DELETE: return thread_delete(a);
    case CALL_THREAD_PRIORITY: return thread_priority(a, b);
    case CALL_THREAD_RESUME: return thread_resume(a);
    case CALL_THREAD_STOP: return thread_stop();
    case CALL_ENDPOINT_CREATE: return endpoint_create(a);
    case CALL_ENDPOINT_DELETE: return endpoint_delete(a);
    case CALL_SEND: return send(a, b, true);
    case CALL_SEND_NOW: return send(a, b, false);
    case CALL_RECEIVE: return receive(a);
    case CALL_FRAME_CREATE: return frame_create(a);
    case CALL_FRAME_DELETE: return frame_delete(a);
    case CALL_FRAME_MAP: return frame_map(a, b);
    case CALL_FRAME_UNMAP: return frame_unmap(a);
    case CALL_ON_FAULT: return on_fault(a, b);
    case CALL_WATCHDOG: return watchdog(a);
    case CALL_WRITE: return write(a, b);
    case CALL_RESET: return reset();
    case CALL_EXIT: machine_exit((unsigned)a);
    default: return INVALID_ARGUMENT;
    }
}

void call(void) {
    struct thread *caller = current;
    caller->frame.rax = dispatch(&caller->frame);
}
