/* Threads that do one job each time they are resumed. Know no property and no shadow state. */
#include "workers.h"

#include "syscalls.h"
#include "world.h"

volatile cptr last_runner;

static volatile struct job jobs[N_THREAD_SLOTS + 1];

volatile struct job *job_of(cptr slot) {
    bool is_ours = slot >= FIRST_SLOT && slot <= LAST_SLOT;
    volatile struct job *job = &jobs[is_ours ? slot - FIRST_SLOT : N_THREAD_SLOTS];
    job->slot = slot;
    return job;
}

static void race(const volatile struct job *job) {
    last_runner = job->slot;
    (void)sys_send(SLOT_DONE, job->slot);
}

static void wait_for_mail(volatile struct job *job) {
    uint64_t word = 0;
    if (sys_receive(SLOT_MAIL, &word) == OK) {
        job->word = word;
        job->received = true;
    }
}

void worker(void *argument) {
    volatile struct job *job = argument;
    for (;;) {
        if (job->work == RACE)
            race(job);
        else
            wait_for_mail(job);
        sys_thread_stop();
    }
}

void let_others_run(void) {
    (void)sys_thread_priority(SLOT_SELF, LOWEST_PRIORITY);
    (void)sys_thread_priority(SLOT_SELF, HIGHEST_PRIORITY);
}
