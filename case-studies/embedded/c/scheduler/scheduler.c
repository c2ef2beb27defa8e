#include "scheduler.h"
#include <stddef.h>

void scheduler_init(struct scheduler *s)
{
    unsigned k;
    for (k = 0; k < N_TASKS; k++) s->tasks[k].is_used = false;
    for (k = 0; k < N_PRIORITIES; k++) s->first[k] = s->last[k] = NULL;
    s->ready = 0;
    s->latest = NULL;
}

static void append(struct scheduler *s, struct task *task)
{
    unsigned p = task->priority;
    task->next = NULL;
    if (s->first[p]) s->last[p]->next = task;
    else s->first[p] = task;
    s->last[p] = task;
    s->ready |= 1u << p;
    task->is_ready = true;
}

static void remove_from_list(struct scheduler *s, struct task *task)
{
    unsigned p = task->priority;
    struct task **link = &s->first[p], *before = NULL;
    while (*link != task) {
        before = *link;
        link = &before->next;
    }
    *link = task->next;
    if (s->last[p] == task) s->last[p] = before;
    if (BUG != 13 && !s->first[p]) s->ready &= ~(1u << p); /* bug 13: the last one of a priority goes, and its bit does not */
    task->is_ready = false;
}

struct task *scheduler_spawn(struct scheduler *s, uint8_t priority, void (*entry)(struct task *))
{
    unsigned k;
    for (k = 0; k < N_TASKS; k++) {
        struct task *task = &s->tasks[k];
        if (task->is_used) continue;
        task->is_used = true;
        task->entry = entry;
        task->n_runs = 0;
        task->priority = priority;
        append(s, task);
        return task;
    }
    return NULL;
}

#if BUG == 16
/* Bug 16: a recursion that does not see the end of its list. */
static unsigned length(const struct task *task)
{
    volatile unsigned rest; /* it stays a recursion, whatever the compiler would make of it */
    if (task == NULL) return 0;
    rest = length(task->next ? task->next : task);
    return rest + 1;
}
#endif

void scheduler_block(struct scheduler *s, struct task *task)
{
#if BUG == 16
    if (task->is_ready && s->first[task->priority] != task) s->ready += length(task);
#endif
    if (task->is_ready) remove_from_list(s, task);
}

void scheduler_wake(struct scheduler *s, struct task *task)
{
    if (task->is_ready) return;
    if (BUG == 12 && s->first[task->priority]) { /* bug 12: the one that wakes goes before those that wait */
        task->next = s->first[task->priority];
        s->first[task->priority] = task;
        task->is_ready = true;
        return;
    }
    append(s, task);
}

void scheduler_kill(struct scheduler *s, struct task *task)
{
    if (task->is_ready) remove_from_list(s, task);
    task->is_used = false;
    task->entry = NULL;
}

struct task *scheduler_run(struct scheduler *s)
{
    unsigned p = N_PRIORITIES;
    struct task *task;
    if (!s->ready) return NULL;
    do { /* bug 13 lets this look for a task for ever */
        p = p == 0 ? N_PRIORITIES - 1 : p - 1;
    } while (!(s->ready >> p & 1) || !s->first[p]);
    task = s->first[p];
    remove_from_list(s, task);
    append(s, task);
    task->n_runs++;
    /* bug 14: who ran last is told that its turn is over, even if it was killed since */
    if (BUG == 14 && s->latest && s->latest != task) s->latest->entry(s->latest);
    s->latest = task;
    task->entry(task);
    return task;
}
