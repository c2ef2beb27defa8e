/* FreeRTOS' queues and counting semaphores beside a model of each: a second property set, which runs in the same
 * tests as that of threads. */

#include "FreeRTOS.h"
#include "messages.h"
#include "queue.h"
#include "semphr.h"
#include "threads.h"

enum { LENGTH = 2, MOST = 2 };

static QueueHandle_t queue;
static SemaphoreHandle_t semaphore;
static struct model {
    int items[LENGTH];
    unsigned n_items, n_units;
} model;

/* What is tested: the wrappers that a program would have, which never wait. */
static bool send(int e) { return xQueueSend(queue, &e, 0) == pdPASS; }

static bool receive(int *e)
{
    /* bug 10: the message is looked at and stays */
    return (BUG == 10 ? xQueuePeek(queue, e, 0) : xQueueReceive(queue, e, 0)) == pdPASS;
}

static bool give(void) { return xSemaphoreGive(semaphore) == pdPASS; }

static bool take(void)
{
    /* bug 11: with a full queue, one unit is taken too many */
    if (BUG == 11 && uxQueueSpacesAvailable(queue) == 0) xSemaphoreTake(semaphore, 0);
    return xSemaphoreTake(semaphore, 0) == pdPASS;
}

static sw_verdict send_one(sw_test *t)
{
    int e = SW_ARG(t, int, 0);
    bool has_room = model.n_items < LENGTH;
    sw_fail_unless(t, send(e) == has_room);
    if (has_room) model.items[model.n_items++] = e;
    return SW_OK;
}

static sw_verdict receive_one(sw_test *t)
{
    int e = 0;
    bool is_there = model.n_items > 0;
    sw_fail_unless(t, receive(&e) == is_there);
    if (!is_there) return SW_OK;
    sw_fail_unless_equal(t, e, model.items[0]);
    model.n_items--;
    for (unsigned k = 0; k < model.n_items; k++) model.items[k] = model.items[k + 1];
    sw_fail_unless_equal(t, uxQueueMessagesWaiting(queue), model.n_items);
    return SW_OK;
}

static sw_verdict give_one(sw_test *t)
{
    bool has_room = model.n_units < MOST;
    sw_fail_unless(t, give() == has_room);
    model.n_units += has_room;
    return SW_OK;
}

static sw_verdict take_one(sw_test *t)
{
    bool is_there = model.n_units > 0;
    sw_fail_unless(t, take() == is_there);
    model.n_units -= is_there;
    sw_fail_unless_equal(t, uxSemaphoreGetCount(semaphore), model.n_units);
    return SW_OK;
}

static bool reset(sw_test *t)
{
    (void)t;
    if (!queue) queue = xQueueCreate(LENGTH, sizeof(int));
    if (!semaphore) semaphore = xSemaphoreCreateCounting(MOST, 0);
    if (!queue || !semaphore) return false;
    xQueueReset(queue);
    while (xSemaphoreTake(semaphore, 0) == pdPASS) { }
    model.n_items = model.n_units = 0;
    return true;
}

static const sw_property properties[] = {
    { .name = "send", .body = send_one, .arguments = { { "e", &sw_any_int } } },
    { .name = "receive", .body = receive_one },
    { .name = "give", .body = give_one },
    { .name = "take", .body = take_one },
};
static const sw_property cleanups[] = { SW_EMPTY_CLEANUP };

const sw_set messages = {
    .name = "messages", .model = &model, .reset = reset, .properties = properties, .n_properties = 4,
    .cleanups = cleanups, .n_cleanups = 1,
};
