/* Every capability that the header names, one test each. */

#include "check.h"
#include <setjmp.h>
#include <stdlib.h>

/* ------------------------------------------------- a counter with planted bugs, and its set -- */

static int count, bug, n_bodies;
static const sw_property end[] = { SW_EMPTY_CLEANUP };

static bool to_zero(sw_test *t) { (void)t; count = 0; return true; }
static bool below_four(sw_test *t) { (void)t; return count < 4; }

static sw_verdict up(sw_test *t)
{
    n_bodies++;
    count++;
    sw_fail_if(t, bug == 1 && count == 3);
    if (bug == 3 && count == 2) return SW_FAIL;
    return SW_OK;
}

static sw_verdict down(sw_test *t)
{
    n_bodies++;
    count--;
    sw_fail_unless_equal(t, bug == 2 && count == -2, 0);
    return SW_OK;
}

static const sw_property counter[] = {
    { .name = "up", .body = up, .precondition = below_four },
    { .name = "down", .body = down },
};

static sw_set counting(void)
{
    sw_set set = { .name = "counter", .reset = to_zero, .properties = counter, .n_properties = 2,
                   .cleanups = end, .n_cleanups = 1 };
    return set;
}

static void a_set_that_holds_passes(void)
{
    sw_set set = counting();
    bug = 0;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1, .min_properties = 3 }) == SW_PASSED);
    EXPECT(report.n_tests == 100 && report.n_calls >= 400 && report.failed_property == NULL);
    EXPECT(says("stairway: seed 0x1,") && says("PASSED: 100 tests") && says("followed by"));
}

static void failures_shrink_to_the_shortest_sequence(void)
{
    sw_set set = counting();
    for (uint64_t seed = 0; seed < 50; seed++) {
        bug = 1;
        EXPECT(run(&set, 1, (sw_settings){ .seed = seed }) == SW_FAILED);
        EXPECT(report.n_steps == 3 && report.is_minimal && !strcmp(report.failed_property, "up"));
        EXPECT(!strcmp(report.failed_file, __FILE__) && report.failed_line > 0);
        bug = 2;
        EXPECT(run(&set, 1, (sw_settings){ .seed = seed }) == SW_FAILED);
        EXPECT(report.n_steps == 2 && says("down()\n  down()\n      bug == 2 && count == -2 is 1, not 0\n"));
    }
    bug = 3;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 3 }) == SW_FAILED);
    EXPECT(says("the body gave SW_FAIL"));
    EXPECT(run(&set, 1, (sw_settings){ .seed = 3, .no_shrinking = true }) == SW_FAILED);
    EXPECT(report.n_shrink_runs == 0 && says("shown as it was found"));
}

static void a_seed_gives_the_same_tests(void)
{
    static char before[sizeof text];
    sw_set set = counting();
    bug = 0;
    run(&set, 1, (sw_settings){ .seed = 7, .verbosity = SW_INFO });
    strcpy(before, text);
    EXPECT(says("test 99:") && says("  up()\n"));
    run(&set, 1, (sw_settings){ .seed = 7, .verbosity = SW_INFO });
    EXPECT(!strcmp(before, text));
    run(&set, 1, (sw_settings){ .seed = 8, .verbosity = SW_INFO });
    EXPECT(strcmp(before, text) != 0);
    run(&set, 1, (sw_settings){ .seed = 8, .verbosity = SW_QUIET });
    EXPECT(n_text < 100 && says("seed 0x8"));
}

static uint64_t entropy(void *user) { return *(uint64_t *)user; }

static void the_seed_may_come_from_entropy(void)
{
    uint64_t number = 99;
    sw_set set = counting();
    run(&set, 1, (sw_settings){ .seed = 7, .entropy = entropy, .user = &number });
    EXPECT(report.seed == 99 && says("seed 0x63"));
}

/* -------------------------------------------------------------------------------- generators -- */

struct pair { uint8_t small; double real; };

static sw_verdict make_pair(sw_test *t, const sw_generator *self, void *value)
{
    struct pair *pair = (struct pair *)value;
    (void)self;
    pair->small = (uint8_t)sw_draw_unsigned(t, 10, 20);
    pair->real = sw_draw_real(t, 0.5, 1.5);
    return SW_OK;
}

static void print_pair(sw_test *t, const sw_generator *self, const void *value)
{
    (void)self;
    sw_put(t, "<");
    sw_put_unsigned(t, ((const struct pair *)value)->small);
    sw_put(t, ">");
}

static const sw_generator priority = SW_INT_IN(100, 200);
static const sw_generator die = SW_UNIFORM_IN(int8_t, -3, 3);
static const sw_generator letter = SW_CHAR_IN('x', 'z');
static const sw_generator word = SW_STRING_OF(&letter, 2, 5);
static const sw_generator pair = { sizeof(struct pair), make_pair, print_pair, 0, 0, NULL, 2 };
static const sw_generator pairs = SW_ARRAY_OF(&pair, 0, 4);
static const sw_generator three = SW_ARRAY_OF(&sw_any_short, 3, 3);
static const sw_generator table = SW_ARRAY_OF(&three, 1, 2);
static const sw_real_range unit = { 0.0, 1.0, false };
static const sw_generator share = SW_REAL_IN(float, &unit);
static const sw_generator big = SW_UNSIGNED_IN(uint64_t, UINT64_C(0xfffffffffffffff0), UINT64_MAX);

static int seen_lengths, fails_on;

static sw_verdict ranges(sw_test *t)
{
    const char *string = SW_ARG(t, char *, 2);
    sw_array many = SW_ARG(t, sw_array, 3);
    sw_fail_unless(t, SW_ARG(t, int, 0) >= 100 && SW_ARG(t, int, 0) <= 200);
    sw_fail_unless(t, SW_ARG(t, int8_t, 1) >= -3 && SW_ARG(t, int8_t, 1) <= 3);
    sw_fail_unless(t, strlen(string) >= 2 && strlen(string) <= 5 && strspn(string, "xyz") == strlen(string));
    sw_fail_unless(t, many.length <= 4);
    for (size_t k = 0; k < many.length; k++) {
        struct pair *p = (struct pair *)many.items + k;
        sw_fail_unless(t, p->small >= 10 && p->small <= 20 && p->real >= 0.5 && p->real <= 1.5);
    }
    sw_fail_unless(t, SW_ARG(t, float, 4) >= 0.0f && SW_ARG(t, float, 4) <= 1.0f);
    sw_fail_unless(t, SW_ARG(t, uint64_t, 5) >= UINT64_C(0xfffffffffffffff0));
    seen_lengths |= 1 << many.length;
    sw_fail_if(t, fails_on == 1);
    return SW_OK;
}

static sw_verdict nested(sw_test *t)
{
    sw_array rows = SW_ARG(t, sw_array, 0);
    sw_array *row = (sw_array *)rows.items;
    sw_fail_unless(t, rows.length >= 1 && rows.length <= 2);
    for (size_t k = 0; k < rows.length; k++) sw_fail_unless(t, row[k].length == 3);
    sw_fail_if(t, fails_on == 2);
    return SW_OK;
}

static void generators_keep_to_their_bounds(void)
{
    static const sw_property properties[] = {
        { .name = "ranges", .body = ranges,
          .arguments = { { "p", &priority }, { "d", &die }, { "w", &word }, { "many", &pairs },
                         { "share", &share }, { "big", &big } } },
        { .name = "nested", .body = nested, .arguments = { { "table", &table } } },
    };
    sw_set set = { .name = "g", .reset = to_zero, .properties = properties, .n_properties = 2, .cleanups = end, .n_cleanups = 1 };
    fails_on = seen_lengths = 0;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 5, .n_tests = 300, .max_properties = 8 }) == SW_PASSED);
    EXPECT(seen_lengths == 31);
    fails_on = 1;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 5 , .max_properties = 8}) == SW_FAILED);
    EXPECT(says("ranges(p = 100, d = -3, w = \"xx\", many = {}, share = 0.0, big = 18446744073709551600)"));
    fails_on = 2;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 5 , .max_properties = 8}) == SW_FAILED);
    EXPECT(says("nested(table = {{0, 0, 0}})"));
}

static int basic_seen;
static sw_verdict basic(sw_test *t)
{
    if (SW_ARG(t, bool, 0)) basic_seen |= 1;
    if (SW_ARG(t, char, 1) < 0) basic_seen |= 2;
    if (SW_ARG(t, long long, 2) < INT64_C(-1000000000000)) basic_seen |= 4;
    if (SW_ARG(t, unsigned long, 3) > UINT64_C(1000000000000)) basic_seen |= 8;
    if (SW_ARG(t, double, 4) > 1.0) basic_seen |= 16;
    if (SW_ARG(t, char *, 5)[0]) basic_seen |= 32;
    sw_fail_if(t, fails_on == 3 && SW_ARG(t, char *, 5)[0] == '"');
    return SW_OK;
}

static void basic_types_have_generators_and_printers(void)
{
    static const sw_property properties[] = {
        { .name = "basic", .body = basic,
          .arguments = { { "b", &sw_any_bool }, { "c", &sw_any_char }, { "l", &sw_any_long_long },
                         { "u", &sw_any_unsigned_long }, { "d", &sw_any_double }, { "s", &sw_any_string } } } };
    sw_set set = { .name = "b", .reset = to_zero, .properties = properties, .n_properties = 1, .cleanups = end, .n_cleanups = 1 };
    basic_seen = fails_on = 0;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 2, .n_tests = 500, .max_properties = 8 }) == SW_PASSED);
    EXPECT(basic_seen == 63);
    fails_on = 3;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 2, .n_tests = 5000, .max_properties = 8 }) == SW_FAILED);
    EXPECT(says("basic(b = false, c = '\\000', l = 0, u = 0, d = 0.0, s = \"\\\"\")"));
}

/* Draws what fits the state: an index of something that is there. */
static bool present[4];
static sw_verdict make_present(sw_test *t, const sw_generator *self, void *value)
{
    size_t n = 0, wanted;
    (void)self;
    for (size_t k = 0; k < 4; k++) n += present[k];
    if (n == 0) return SW_REFUSE;
    wanted = sw_draw_index(t, n);
    for (size_t k = 0; k < 4; k++)
        if (present[k] && wanted-- == 0) { *(int *)value = (int)k; break; }
    return SW_OK;
}
static const sw_generator a_present = { sizeof(int), make_present, sw_print_signed, 0, 0, NULL, 1 };
static const sw_generator slot = SW_INT_IN(0, 3);
static bool all_absent(sw_test *t) { (void)t; memset(present, 0, sizeof present); return true; }
static sw_verdict add(sw_test *t) { sw_assume(t, !present[SW_ARG(t, int, 0)]); present[SW_ARG(t, int, 0)] = true; return SW_OK; }
static sw_verdict take(sw_test *t)
{
    sw_fail_unless(t, present[SW_ARG(t, int, 0)]);
    present[SW_ARG(t, int, 0)] = false;
    return SW_OK;
}

static void generators_see_the_state_and_bodies_may_refuse(void)
{
    static const sw_property properties[] = {
        { .name = "add", .body = add, .arguments = { { "k", &slot } } },
        { .name = "take", .body = take, .arguments = { { "k", &a_present } } } };
    sw_set set = { .name = "slots", .reset = all_absent, .properties = properties, .n_properties = 2, .cleanups = end, .n_cleanups = 1 };
    EXPECT(run(&set, 1, (sw_settings){ .seed = 4 }) == SW_PASSED);
    EXPECT(says("(refused "));
}

/* --------------------------------------------------------- edited values, notes, statistics -- */

static sw_verdict edits(sw_test *t)
{
    sw_array numbers = SW_ARG(t, sw_array, 1);
    SW_ARG(t, int, 0) = 7;
    if (numbers.length) ((short *)numbers.items)[0] = 5;
    sw_note(t, "a remark");
    sw_note_int(t, "a number", 12);
    sw_fail(t, "always");
}

static void values_that_the_body_edits_are_reported(void)
{
    static const sw_property properties[] = {
        { .name = "edits", .body = edits, .arguments = { { "x", &sw_any_int }, { "a", &three } } } };
    sw_set set = { .name = "e", .reset = to_zero, .properties = properties, .n_properties = 1, .cleanups = end, .n_cleanups = 1 };
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_FAILED);
    EXPECT(says("  edits(x = 0, a = {0, 0, 0})\n      a remark\n      a number = 12\n      always\n"
                "      changed by the body: x = 7, a = {5, 0, 0}\n"));
}

static bool the_count(sw_test *t, int64_t *value) { (void)t; *value = count; return true; }
static const sw_statistic count_after = { "count", the_count };

static void statistics_are_taken_and_selected(void)
{
    static const sw_property properties[] = {
        { .name = "up", .body = up, .precondition = below_four, .statistics = { &count_after }, .weight = 5 },
        { .name = "down", .body = down } };
    sw_set set = { .name = "c", .reset = to_zero, .properties = properties, .n_properties = 2, .cleanups = end, .n_cleanups = 1 };
    bug = 0;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_PASSED);
    EXPECT(says("count after up: ") && says(" to 4, mean ") && says("followed by"));
    run(&set, 1, (sw_settings){ .seed = 1, .statistics = SW_STATISTICS_USER });
    EXPECT(says("count after up: ") && !says("followed by"));
    run(&set, 1, (sw_settings){ .seed = 1, .statistics = SW_STATISTICS_AUTOMATIC });
    EXPECT(!says("count after up: ") && says("followed by"));
    run(&set, 1, (sw_settings){ .seed = 1, .statistics = SW_STATISTICS_NONE });
    EXPECT(!says("count after up: ") && !says("followed by"));
}

/* ------------------------------------------------------------------- coverage and assurance -- */

static bool is_four(sw_test *t) { (void)t; return count == 4; }
static bool never(sw_test *t) { (void)t; return false; }

static void coverage_is_demanded(void)
{
    static const sw_demand good[] = { { "reaches four", 5.0, is_four } };
    static const sw_demand bad[] = { { "reaches the moon", 5.0, never } };
    sw_set set = counting();
    bug = 0;
    set.demands = good; set.n_demands = 1;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_PASSED && says("reaches four: in ") && says(": met"));
    set.demands = bad;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_UNCOVERED && says("NOT MET"));
}

static sw_verdict covers(sw_test *t) { sw_cover(t, "said so", true); return SW_OK; }
static sw_verdict impossible(sw_test *t) { sw_fail(t, "cannot be"); }

static void bodies_say_what_they_cover_and_every_property_has_to_run(void)
{
    static const sw_demand said[] = { { "said so", 50.0, NULL } };
    static const sw_property properties[] = {
        { .name = "covers", .body = covers }, { .name = "impossible", .body = impossible, .precondition = never } };
    sw_set set = { .name = "c", .reset = to_zero, .properties = properties, .n_properties = 2, .cleanups = end,
                   .n_cleanups = 1, .demands = said, .n_demands = 1 };
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_UNCOVERED && says("`impossible` never ran"));
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1, .allow_unused_properties = true }) == SW_PASSED
           && says("`impossible` never ran"));
}

static uint64_t modulo(sw_test *t) { (void)t; return (uint64_t)(count & 3); }

static void states_and_transitions_are_counted(void)
{
    sw_set set = counting();
    bug = 0;
    set.fingerprint = modulo;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_PASSED);
    /* Four states; up and down from each, and the end in each. */
    EXPECT(report.n_states == 4 && report.n_transitions == 12 && !report.is_table_full);
    EXPECT(report.new_state_chance == 0.0 && says("reached 4 states and 12 transitions"));
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1, .max_states = 2 }) == SW_PASSED);
    EXPECT(report.is_table_full && says("raise max_states"));
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1, .n_tests = 2, .max_properties = 2,
                                         .allow_unused_properties = true }) == SW_PASSED);
    EXPECT(report.new_transition_chance > 0.0);
}

/* --------------------------------------------------------------------- several sets at once -- */

static int other;
static bool other_to_zero(sw_test *t) { *(int *)sw_state(t) = 0; return true; }
static sw_verdict bump(sw_test *t)
{
    ++*(int *)sw_state(t);
    sw_fail_if(t, bug == 4 && count == 2 && other == 1);
    return SW_OK;
}
static void show_other(sw_test *t) { sw_put(t, "other is "); sw_put_int(t, *(int *)sw_state(t)); }

static void sets_are_composed(void)
{
    static const sw_property bumping[] = { { .name = "bump", .body = bump } };
    sw_set both[2];
    both[0] = counting();
    both[1] = (sw_set){ .name = "other", .state = &other, .reset = other_to_zero, .properties = bumping,
                        .n_properties = 1, .cleanups = end, .n_cleanups = 1, .show = show_other };
    bug = 4;
    EXPECT(run(both, 2, (sw_settings){ .seed = 6 }) == SW_FAILED);
    EXPECT(says("  counter: up()\n  counter: up()\n  other: bump()\n") && says("      other is 1\n"));
    EXPECT(!strcmp(report.failed_set, "other"));
    bug = 0;
    EXPECT(run(both, 2, (sw_settings){ .seed = 6 }) == SW_PASSED);
}

/* -------------------------------------------------- hangs, dead ends, systems without reset -- */

static jmp_buf out_of_body;
static sw_verdict guard(void *user, sw_test *t, sw_verdict (*body)(sw_test *))
{
    int left;
    (void)user;
    left = setjmp(out_of_body);
    return left ? (sw_verdict)left : body(t);
}
static sw_verdict hangs(sw_test *t)
{
    (void)t;
    if (++count == 2) longjmp(out_of_body, bug == 5 ? SW_HANG : SW_CRASH);
    return SW_OK;
}

static void what_a_guard_catches_is_a_failure(void)
{
    static const sw_property properties[] = { { .name = "hangs", .body = hangs } };
    sw_set set = { .name = "h", .reset = to_zero, .properties = properties, .n_properties = 1, .cleanups = end, .n_cleanups = 1 };
    bug = 5;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1, .guard = guard }) == SW_FAILED);
    EXPECT(report.n_steps == 2 && says("`hangs` does not return") && says("the guard gave SW_HANG"));
    bug = 6;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1, .guard = guard }) == SW_FAILED);
    EXPECT(report.n_steps == 2 && says("`hangs` crashes"));
}

static void a_state_without_eligible_properties_fails(void)
{
    static const sw_property properties[] = { { .name = "up", .body = up, .precondition = below_four } };
    static const sw_property cleanups[] = { { .name = "never", .body = sw_empty_cleanup, .precondition = never } };
    sw_set set = { .name = "s", .reset = to_zero, .properties = properties, .n_properties = 1, .cleanups = cleanups, .n_cleanups = 1 };
    bug = 0;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_FAILED);
    EXPECT(says("no property is eligible") && report.n_steps == 4);
    set = counting();
    set.cleanups = cleanups;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_FAILED && says("no cleanup property became eligible"));
}

static int n_cleaned, n_failing;
static sw_verdict clean(sw_test *t) { (void)t; n_cleaned++; count = 0; return SW_OK; }
static sw_verdict ever_higher(sw_test *t)
{
    count++;
    n_failing += count == 6;
    sw_fail_if(t, count == 6);
    return SW_OK;
}

static void without_reset_a_failure_is_shown_as_found(void)
{
    static const sw_property properties[] = { { .name = "higher", .body = ever_higher, .arguments = { { "x", &slot } } } };
    static const sw_property cleanups[] = { { .name = "clean", .body = clean } };
    sw_set set = { .name = "w", .properties = properties, .n_properties = 1, .cleanups = cleanups, .n_cleanups = 1 };
    count = n_failing = n_cleaned = 0;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1, .n_tests = 50, .max_properties = 5 }) == SW_PASSED && n_cleaned == 50);
    count = n_failing = 0;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1, .max_properties = 20 }) == SW_FAILED);
    EXPECT(n_failing == 1 && report.n_steps == 6 && report.n_shrink_runs == 0 && says("higher(x = "));
    count = 0;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1, .max_properties = 20, .trace_bytes = 64 }) == SW_FAILED);
    EXPECT(says("raise trace_bytes") && says("count == 6 holds"));
}

static sw_verdict once(sw_test *t) { n_failing++; sw_fail_if(t, n_failing == 40); return SW_OK; }

static void what_does_not_fail_again_is_flaky(void)
{
    static const sw_property properties[] = { { .name = "once", .body = once } };
    sw_set set = { .name = "f", .reset = to_zero, .properties = properties, .n_properties = 1, .cleanups = end, .n_cleanups = 1 };
    n_failing = 0;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_FLAKY && says("FLAKY: `once` failed"));
}

/* -------------------------------------------------------------------------------- memory -- */

static sw_verdict many(sw_test *t) { return SW_ARG(t, sw_array, 0).length > 20 ? SW_REFUSE : SW_OK; }

static void what_is_not_checked_is_said(void)
{
    static const sw_generator long_list = SW_ARRAY_OF(&sw_any_int, 15, 16);
    static const sw_property properties[] = { { .name = "many", .body = many, .arguments = { { "l", &long_list } } } };
    static const sw_property below[] = { { .name = "up", .body = up, .precondition = below_four } };
    sw_set set = { .name = "m", .reset = to_zero, .properties = properties, .n_properties = 1, .cleanups = end, .n_cleanups = 1 };
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1, .min_properties = 3, .max_choices = 40 }) == SW_GAVE_UP);
    EXPECT(says("GAVE UP: 0 tests passed") && says("raise max_choices"));
    bug = 0;
    set.properties = below;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1, .min_properties = 6 }) == SW_PASSED);
    EXPECT(says("100 tests ended with fewer than 6 properties"));
}

static void the_need_for_memory_is_exact_enough(void)
{
    sw_set set = counting();
    sw_settings settings = { .seed = 3, .memory = memory, .write = keep };
    unsigned char *odd = memory + 1;
    for (bug = 0; bug < 4; bug++) {
        settings.memory_size = sw_memory_needed(&set, 1, &settings);
        EXPECT(settings.memory_size > 1000);
        settings.memory = odd;
        EXPECT(run(&set, 1, settings) == (bug ? SW_FAILED : SW_PASSED));
        EXPECT(report.memory_used <= settings.memory_size && report.memory_needed == settings.memory_size);
        settings.memory_size--;
        EXPECT(run(&set, 1, settings) == SW_ERROR_MEMORY && says("are needed"));
    }
    EXPECT(report.memory_needed < 64 * 1024);
}

/* Handles are results: those that were given and not taken since can be named. */
static const sw_kind handle = { "handle" }, other_kind = { "other" };
static const sw_generator some_handle = SW_RESULT_OF(&handle), some_other = SW_RESULT_OF(&other_kind);
static uintptr_t n_opened;
static bool is_open[64];

static bool nothing_open(sw_test *t)
{
    (void)t;
    n_opened = 0;
    for (int k = 0; k < 64; k++) is_open[k] = false;
    return true;
}

static sw_verdict open_one(sw_test *t)
{
    sw_assume(t, n_opened < 63);
    is_open[++n_opened] = true;
    sw_give(t, n_opened);
    return SW_OK;
}

static sw_verdict use_one(sw_test *t)
{
    uintptr_t h = SW_ARG(t, uintptr_t, 0);
    sw_fail_unless(t, is_open[h]); /* a handle that was taken is never handed out */
    sw_fail_if(t, bug == 4 && h == 3);
    return SW_OK;
}

static sw_verdict close_one(sw_test *t)
{
    is_open[SW_ARG(t, uintptr_t, 0)] = false;
    sw_take(t, 0);
    return SW_OK;
}

static sw_verdict takes_what_is_not_there(sw_test *t) { sw_take(t, 0); return SW_OK; }
static sw_verdict gives_two(sw_test *t) { sw_give(t, 1); sw_give(t, 2); return SW_OK; }

static void results_of_earlier_properties_are_arguments(void)
{
    static const sw_property handles[] = {
        { .name = "open", .body = open_one, .result = &handle },
        { .name = "use", .body = use_one, .arguments = { { "h", &some_handle } } },
        { .name = "close", .body = close_one, .arguments = { { "h", &some_handle } } },
    };
    static const sw_property never_there[] = {
        { .name = "open", .body = open_one, .result = &handle },
        { .name = "use", .body = use_one, .arguments = { { "h", &some_other } } },
    };
    static const sw_property wrong[] = {
        { .name = "takes", .body = takes_what_is_not_there }, { .name = "gives", .body = open_one },
        { .name = "gives two", .body = gives_two, .result = &handle },
    };
    sw_set set = { .name = "handles", .reset = nothing_open, .properties = handles, .n_properties = 3, .cleanups = end,
                   .n_cleanups = 1 };
    bug = 0;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_PASSED);
    bug = 4;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_FAILED && report.n_steps == 4 && report.is_minimal);
    EXPECT(says("gives handle 2") && says("use(h = handle 2)"));
    /* A property whose argument nobody gives is never eligible, and that is said. */
    set.properties = never_there; set.n_properties = 2;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_UNCOVERED && says("`use` never ran"));
    for (int k = 0; k < 3; k++) {
        set.properties = &wrong[k]; set.n_properties = 1;
        EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_ERROR_RESULT);
    }
    bug = 0;
}

static void every_sequence_up_to_a_depth_is_tried(void)
{
    sw_set set = counting();
    bug = 1; /* the third `up` in a row */
    EXPECT(run(&set, 1, (sw_settings){ .exhaustive_depth = 2 }) == SW_PASSED && report.explored_depth == 2);
    EXPECT(report.n_sequences >= 4 && says("explored every sequence of up to 2 properties"));
    EXPECT(run(&set, 1, (sw_settings){ .exhaustive_depth = 3 }) == SW_FAILED && report.n_steps == 3);
    bug = 0;
    /* Different ways to one state are followed once. */
    set.fingerprint = modulo;
    EXPECT(run(&set, 1, (sw_settings){ .exhaustive_depth = 6 }) == SW_PASSED && report.n_pruned > 0);
    set.reset = NULL;
    EXPECT(run(&set, 1, (sw_settings){ .exhaustive_depth = 3 }) == SW_ERROR_SETTINGS);
}

static void how_much_passing_tests_say_is_known(void)
{
    sw_set set = counting();
    bug = 0;
    EXPECT(sw_tests_for(0.95, 0.01) == 299 && sw_tests_for(2.0, 0.5) == 0);
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1, .n_tests = sw_tests_for(0.95, 0.01) }) == SW_PASSED);
    EXPECT(report.most_failing <= 0.01 && report.most_failing > 0.0099 && says("at most 1.00 % (95 % confidence)"));
}

static void a_lean_run_takes_less_and_finds_the_same(void)
{
    sw_set set = counting();
    size_t usual;
    bug = 1;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_FAILED && report.n_steps == 3);
    usual = report.memory_needed;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1, .lean = true }) == SW_FAILED && report.n_steps == 3);
    EXPECT(report.memory_needed < usual && report.memory_used <= report.memory_needed);
    bug = 0;
}

int main(void)
{
    results_of_earlier_properties_are_arguments();
    every_sequence_up_to_a_depth_is_tried();
    how_much_passing_tests_say_is_known();
    a_lean_run_takes_less_and_finds_the_same();
    a_set_that_holds_passes();
    failures_shrink_to_the_shortest_sequence();
    a_seed_gives_the_same_tests();
    the_seed_may_come_from_entropy();
    generators_keep_to_their_bounds();
    basic_types_have_generators_and_printers();
    generators_see_the_state_and_bodies_may_refuse();
    values_that_the_body_edits_are_reported();
    statistics_are_taken_and_selected();
    coverage_is_demanded();
    bodies_say_what_they_cover_and_every_property_has_to_run();
    states_and_transitions_are_counted();
    sets_are_composed();
    what_a_guard_catches_is_a_failure();
    a_state_without_eligible_properties_fails();
    without_reset_a_failure_is_shown_as_found();
    what_does_not_fail_again_is_flaky();
    what_is_not_checked_is_said();
    the_need_for_memory_is_exact_enough();
    printf("%d wrong\n", n_wrong);
    return n_wrong != 0;
}
