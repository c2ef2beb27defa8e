/* The scheduler beside a model: a list of ready tasks in the order in which they became ready. Tasks are results: properties name
 * those that earlier ones have made. */

#include "../print.h"
#include "scheduler.h"

static struct scheduler s;
static struct task *ran;
static void entry(struct task *task) { ran = task; }

/* The model: every task there is, the ready ones with the turn at which they became so. */
static struct model {
    struct task *task;
    uint32_t turn; /* 0: blocked */
} tasks[N_TASKS];
static uint32_t turn;

static struct model *model_of(struct task *task)
{
    for (unsigned k = 0; k < N_TASKS; k++)
        if (tasks[k].task == task) return &tasks[k];
    return NULL;
}

static struct model *next_to_run(void)
{
    struct model *best = NULL;
    for (unsigned k = 0; k < N_TASKS; k++) {
        struct model *one = &tasks[k];
        if (!one->task || one->turn == 0) continue;
        if (!best || one->task->priority > best->task->priority
            || (one->task->priority == best->task->priority && one->turn < best->turn)) best = one;
    }
    return best;
}

static bool has_room(sw_test *t) { (void)t; return model_of(NULL) != NULL; }

static sw_verdict spawn(sw_test *t)
{
    struct task *task = scheduler_spawn(&s, SW_ARG(t, uint8_t, 0), entry);
    sw_fail_unless(t, task != NULL && model_of(task) == NULL);
    *model_of(NULL) = (struct model){ task, ++turn };
    sw_give(t, (uintptr_t)task);
    return SW_OK;
}

static sw_verdict block(sw_test *t)
{
    struct task *task = (struct task *)SW_ARG(t, uintptr_t, 0);
    scheduler_block(&s, task);
    model_of(task)->turn = 0;
    sw_fail_unless(t, !task->is_ready);
    return SW_OK;
}

static sw_verdict wake(sw_test *t)
{
    struct task *task = (struct task *)SW_ARG(t, uintptr_t, 0);
    scheduler_wake(&s, task);
    if (model_of(task)->turn == 0) model_of(task)->turn = ++turn;
    sw_fail_unless(t, task->is_ready);
    return SW_OK;
}

static sw_verdict kill(sw_test *t)
{
    struct task *task = (struct task *)SW_ARG(t, uintptr_t, 0);
    scheduler_kill(&s, task);
    model_of(task)->task = NULL;
    sw_take(t, 0);
    return SW_OK;
}

static sw_verdict run(sw_test *t)
{
    struct model *expected = next_to_run();
    struct task *task;
    ran = NULL;
    task = scheduler_run(&s);
    sw_fail_unless(t, task == ran);
    sw_fail_unless(t, task == (expected ? expected->task : NULL));
    if (expected) expected->turn = ++turn;
    return SW_OK;
}

static bool reset(sw_test *t)
{
    (void)t;
    scheduler_init(&s);
    turn = 0;
    for (unsigned k = 0; k < N_TASKS; k++) tasks[k].task = NULL;
    return true;
}

static const sw_kind a_task = { "task" };
static const sw_generator some_task = SW_RESULT_OF(&a_task);
static const sw_generator priority = SW_UNSIGNED_IN(uint8_t, 0, N_PRIORITIES - 1);
static const sw_property properties[] = {
    { .name = "spawn", .body = spawn, .precondition = has_room, .arguments = { { "priority", &priority } },
      .result = &a_task, .weight = 3 },
    { .name = "block", .body = block, .arguments = { { "task", &some_task } }, .weight = 3 },
    { .name = "wake", .body = wake, .arguments = { { "task", &some_task } }, .weight = 3 },
    { .name = "kill", .body = kill, .arguments = { { "task", &some_task } } },
    { .name = "run", .body = run, .weight = 3 },
};
static const sw_property cleanups[] = { SW_EMPTY_CLEANUP };

int main(int argc, char **argv)
{
    const sw_set scheduler = {
        .name = "scheduler", .state = &s, .reset = reset, .properties = properties, .n_properties = 5,
        .cleanups = cleanups, .n_cleanups = 1,
    };
    sw_settings settings = settings_of(argc, argv);
    settings.lean = true;
    settings.n_tests = 1000;
    return sw_run(&scheduler, 1, &settings, NULL);
}
