/* A scheduler as small firmware has it: tasks of fixed priorities, the ready one of highest priority runs, equal ones in the order in
 * which they became ready. `-DBUG=n` plants bug n. */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

enum { N_PRIORITIES = 4, N_TASKS = 6 };

struct task {
    struct task *next; /* in the list of its priority, while it is ready */
    void (*entry)(struct task *);
    uint32_t n_runs;
    uint8_t priority;
    bool is_used, is_ready;
};

struct scheduler {
    struct task tasks[N_TASKS];
    struct task *first[N_PRIORITIES], *last[N_PRIORITIES];
    uint32_t ready; /* one bit for each priority that has a ready task */
    struct task *latest; /* who ran last */
};

void scheduler_init(struct scheduler *s);
struct task *scheduler_spawn(struct scheduler *s, uint8_t priority, void (*entry)(struct task *));
void scheduler_block(struct scheduler *s, struct task *task);
void scheduler_wake(struct scheduler *s, struct task *task);
void scheduler_kill(struct scheduler *s, struct task *task);

/* Runs the next task once; it goes to the end of its list. NULL if none is ready. */
struct task *scheduler_run(struct scheduler *s);

#endif
