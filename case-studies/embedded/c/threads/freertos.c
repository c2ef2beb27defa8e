/* The kernel's part on FreeRTOS, in its port for POSIX and in that for the Cortex-M3: one task runs at a time, the one of highest
 * priority. */

#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"
#include "threads.h"
#include <stdint.h>
#ifdef BOARD
#include "board.h"
enum { STACK_WORDS = 256, TESTER_WORDS = 8192 };
#else
#include <stdio.h>
#include <stdlib.h>
enum { STACK_WORDS = 8192, TESTER_WORDS = 32768 };
#endif

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
    enum { LONG_ENOUGH = 1000 };
    if (xSemaphoreTake(has_run, pdMS_TO_TICKS(LONG_ENOUGH)) != pdPASS) return NO_THREAD;
    return order[n_looked_at++ % 8];
}

static void run_tester(void *tester)
{
    int result;
    /* A function pointer does not fit into a void pointer in ISO C; one to it does. */
    result = (*(int (**)(void))tester)();
#ifdef BOARD
    board_exit(result);
#else
    fflush(stdout);
    _Exit(result);
#endif
}

#ifdef BOARD
/* The tick belongs to the kernel, so bodies are watched by a timer of the board, whose interrupt the kernel can mask: it never strikes in
 * a critical section. Only the tester is ever left: a body that waits for a worker ends by the time that waiting may take. */
#define REGISTER(address) (*(volatile uint32_t *)(address))
#define TIMER_CONTROL REGISTER(0x40000000)
#define TIMER_VALUE REGISTER(0x40000004)
#define TIMER_RELOAD REGISTER(0x40000008)
#define TIMER_CLEAR REGISTER(0x4000000C)
#define NVIC_ENABLE REGISTER(0xE000E100)
#define NVIC_PRIORITY ((volatile uint8_t *)0xE000E400)
enum { TIMER_IRQ = 8, MASKED_PRIORITY = 0xC0 };

static TaskHandle_t tester_task;

void board_start_timer(unsigned ms)
{
    NVIC_PRIORITY[TIMER_IRQ] = MASKED_PRIORITY;
    NVIC_ENABLE = 1u << TIMER_IRQ;
    TIMER_CLEAR = 1;
    TIMER_RELOAD = TIMER_VALUE = configCPU_CLOCK_HZ / 1000;
    TIMER_CONTROL = ms == 0 ? 0 : 9;
}

bool board_may_leave(void)
{
    TIMER_CLEAR = 1;
    return xTaskGetCurrentTaskHandle() == tester_task;
}
#endif

void kernel_start(int (*tester)(void))
{
    static int (*kept)(void);
    kept = tester;
    has_run = xSemaphoreCreateCounting(8, 0);
#ifdef BOARD
    xTaskCreate(run_tester, "tester", TESTER_WORDS, &kept, configMAX_PRIORITIES - 1, &tester_task);
#else
    xTaskCreate(run_tester, "tester", TESTER_WORDS, &kept, configMAX_PRIORITIES - 1, NULL);
#endif
    vTaskStartScheduler();
}
