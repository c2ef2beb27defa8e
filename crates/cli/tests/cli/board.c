/* Boxes that hold numbers, and a lamp: whatever can be drawn, in two sets. */
#include "board.h"

#define BUG 0

struct box { int items[8]; unsigned n; bool is_open; };
static struct box boxes[4];
static unsigned n_boxes;
static bool is_lit;

static const sw_kind a_box = { "box" };
static const sw_generator some_box = SW_RESULT_OF(&a_box);

struct pair { int16_t low, high; };
static sw_verdict make_pair(sw_test *t, const sw_generator *self, void *value)
{
    struct pair *pair = value;
    (void)self;
    pair->low = (int16_t)sw_draw_int(t, -5, 5);
    pair->high = (int16_t)(pair->low + (int16_t)sw_draw_index(t, 4));
    return SW_OK;
}
static void print_pair(sw_test *t, const sw_generator *self, const void *value)
{
    const struct pair *pair = value;
    (void)self;
    sw_put_int(t, pair->low);
    sw_put(t, "..");
    sw_put_int(t, pair->high);
}
static const sw_generator pairs = { sizeof(struct pair), make_pair, print_pair, 0, 0, NULL, 2 };
static const sw_generator numbers = SW_ARRAY_OF(&sw_any_int8, 0, 3);
static const sw_generator names = SW_STRING_OF(NULL, 0, 3);

static bool reset(sw_test *t) { (void)t; n_boxes = 0; return true; }
static bool reset_lamp(sw_test *t) { (void)t; is_lit = false; return true; }
static bool has_room(sw_test *t) { (void)t; return n_boxes < 4; }

static sw_verdict open_box(sw_test *t)
{
    sw_note(t, "opens");
    boxes[n_boxes] = (struct box){ .is_open = true };
    sw_give(t, n_boxes++);
    return SW_OK;
}

static sw_verdict fill(sw_test *t)
{
    struct box *box = &boxes[SW_ARG(t, uintptr_t, 0)];
    sw_array all = SW_ARG(t, sw_array, 1);
    struct pair pair = SW_ARG(t, struct pair, 2);
    for (size_t k = 0; k < all.length && box->n < 8; k++) {
        int8_t item = ((int8_t *)all.items)[k];
        if (item >= pair.low && item <= pair.high) box->items[box->n++] = item;
        if (BUG == 1 && item == -3 && is_lit) box->n = 9;
    }
    sw_cover(t, "filled", box->n > 0);
    sw_fail_unless_equal(t, box->n > 8, 0);
    return SW_OK;
}

static sw_verdict drop(sw_test *t)
{
    struct box *box = &boxes[SW_ARG(t, uintptr_t, 0)];
    if (BUG == 2 && box->n == 1) *(volatile int *)8 = 1;
    if (BUG == 3 && box->n == 1) for (volatile int forever = 1; forever; ) { }
    box->is_open = false;
    sw_take(t, 0);
    return SW_OK;
}

static sw_verdict light(sw_test *t)
{
    is_lit = SW_ARG(t, bool, 0);
    SW_ARG(t, bool, 0) = false;
    sw_fail_unless(t, SW_ARG(t, double, 2) == SW_ARG(t, double, 2) || !is_lit || BUG == 1);
    return SW_OK;
}

static bool count(sw_test *t, int64_t *value) { (void)t; *value = n_boxes; return true; }
static const sw_statistic n_open = { "boxes", count };
static uint64_t fingerprint(sw_test *t) { (void)t; return n_boxes; }
static const sw_demand demands[] = { { "filled", 5.0, NULL } };
static const sw_real_range reals = { -1.0, 1.0, false };
static const sw_generator some_real = SW_REAL_IN(double, &reals);

static const sw_property of_boxes[] = {
    { .name = "open", .body = open_box, .precondition = has_room, .result = &a_box, .statistics = { &n_open } },
    { .name = "fill", .body = fill, .arguments = { { "box", &some_box }, { "items", &numbers }, { "range", &pairs } } },
    { .name = "drop", .body = drop, .arguments = { { "box", &some_box } } },
};
static const sw_property of_lamp[] = {
    { .name = "light", .body = light, .arguments = { { "on", &sw_any_bool }, { "label", &names }, { "power", &some_real } } },
};
static const sw_property ends[] = { SW_EMPTY_CLEANUP };
static unsigned char memory[256 * 1024];

int main(void)
{
    const sw_set sets[] = {
        { .name = "boxes", .reset = reset, .properties = of_boxes, .n_properties = 3, .cleanups = ends, .n_cleanups = 1,
          .demands = demands, .n_demands = 1, .fingerprint = fingerprint },
        { .name = "lamp", .reset = reset_lamp, .properties = of_lamp, .n_properties = 1, .cleanups = ends, .n_cleanups = 1 },
    };
    const sw_settings settings = { .memory = memory, .memory_size = sizeof memory, .write = board_write, .guard = board_guard,
                                   .seed = 7, .n_tests = 400, .max_properties = 8, .verbosity = SW_FRAMES };
    return sw_run(sets, 2, &settings, NULL);
}
