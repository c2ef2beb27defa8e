/* What the threads that the properties create do when they run. */
#ifndef WORKERS_H
#define WORKERS_H

#include "abi.h"

enum work { RACE, WAIT_FOR_MAIL };

/* What one thread is to do next, shared between it and the tester. */
struct job {
    cptr slot;
    enum work work;
    /* Set by the worker once mail has come. */
    bool received;
    uint64_t word;
};

/* The job of the thread in a slot; a stranger's if the slot is none of the tester's. */
volatile struct job *job_of(cptr slot);

/* Which of the racing threads ran last: the variable of section 5.3. */
extern volatile cptr last_runner;

/* The entry of every thread; takes its job. */
void worker(void *job);

/* Makes the caller the least important thread until no other one can run. */
void let_others_run(void);

#endif
