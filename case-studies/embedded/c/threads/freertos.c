/* The kernel's part on FreeRTOS, POSIX port: one task runs at a time, the one of highest priority. */

#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"
#include "threads.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { STACK_WORDS = 8192, TESTER_WORDS = 32768 };

static TaskHandle_t tasks[N_SLOTS];
static StaticTask_t blocks[N_SLOTS];
static SemaphoreHandle_t has_run;
static volatile unsigned order[8], n_run, n_looked_at;

static void worker(void *slot)
{
    for (;;) {
        ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        order[n_run++ % 8] = (unsigned)(uintptr_t)slot;
        xSemaphoreGive(has_run);
    }
}

size_t kernel_stack_size(void) { return STACK_WORDS * sizeof(StackType_t); }

int kernel_create(unsigned slot, void *stack)
{
    if (slot >= N_SLOTS || tasks[slot]) return INVALID_THREAD;
    tasks[slot] = xTaskCreateStatic(worker, "worker", STACK_WORDS, (void *)(uintptr_t)slot, 1,
                                    (StackType_t *)stack, &blocks[slot]);
    return tasks[slot] ? OK : INVALID_THREAD;
}

int kernel_delete(unsigned slot)
{
    if (slot >= N_SLOTS || !tasks[slot]) return INVALID_THREAD;
    vTaskDelete(tasks[slot]);
    tasks[slot] = NULL;
    return OK;
}

int kernel_set_priority(unsigned slot, int priority)
{
    if (slot >= N_SLOTS || !tasks[slot]) return INVALID_THREAD;
    vTaskPrioritySet(tasks[slot], (UBaseType_t)priority);
    return OK;
}

void kernel_release(unsigned slot) { xTaskNotifyGive(tasks[slot]); }

unsigned kernel_next_to_run(void)
{
    xSemaphoreTake(has_run, portMAX_DELAY);
    return order[n_looked_at++ % 8];
}

static void run_tester(void *tester)
{
    int result;
    /* A function pointer does not fit into a void pointer in ISO C; one to it does. */
    result = (*(int (**)(void))tester)();
    fflush(stdout);
    _Exit(result);
}

void kernel_start(int (*tester)(void))
{
    static int (*kept)(void);
    kept = tester;
    has_run = xSemaphoreCreateCounting(8, 0);
    xTaskCreate(run_tester, "tester", TESTER_WORDS, &kept, configMAX_PRIORITIES - 1, NULL);
    vTaskStartScheduler();
}
