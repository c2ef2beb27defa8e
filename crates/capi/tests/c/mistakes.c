/* Every mistake that has an error code: each is answered with it and with a sentence. */

#include "check.h"

static sw_verdict fine(sw_test *t) { (void)t; return SW_OK; }
static bool yes(sw_test *t) { (void)t; return true; }
static const sw_property end[] = { SW_EMPTY_CLEANUP };
static const sw_property good[] = { { .name = "fine", .body = fine } };

static sw_set with(const sw_property *properties)
{
    sw_set set = { .name = "set", .reset = yes, .properties = properties, .n_properties = 1, .cleanups = end, .n_cleanups = 1 };
    return set;
}

/* One property with this body and generator. */
static sw_result of(sw_verdict (*body)(sw_test *), const sw_generator *generator, const char *sentence)
{
    sw_property property = { .name = "p", .body = body };
    sw_set set = with(&property);
    sw_result result;
    if (generator) { property.arguments[0].name = "x"; property.arguments[0].generator = generator; }
    result = run(&set, 1, (sw_settings){ .seed = 1 });
    EXPECT((result == SW_PASSED || says(sw_result_name(result))) && says(sentence));
    return result;
}

static void what_is_missing(void)
{
    sw_settings settings = { .seed = 1 };
    sw_set set = with(good);
    sw_property nameless = { .body = fine }, bodiless = { .name = "p" };
    sw_demand demand = { NULL, 5.0, NULL };
    sw_statistic statistic = { "s", NULL };
    sw_property measured = { .name = "p", .body = fine, .statistics = { &statistic } };
    static const sw_generator no_make = { 4, NULL, NULL, 0, 0, NULL, 0 };
    static const sw_generator no_element = SW_ARRAY_OF(NULL, 0, 3);

    EXPECT(sw_run(&set, 1, NULL, &report) == SW_ERROR_NULL && report.result == SW_ERROR_NULL);
    EXPECT(sw_run(&set, 1, &settings, NULL) == SW_ERROR_NULL);
    EXPECT(run(NULL, 1, settings) == SW_ERROR_NO_PROPERTIES);
    EXPECT(run(&set, 0, settings) == SW_ERROR_NO_PROPERTIES && sw_memory_needed(&set, 0, &settings) == 0);
    set.n_properties = 0;
    EXPECT(run(&set, 1, settings) == SW_ERROR_NO_PROPERTIES && says("`set`"));
    set = with(NULL);
    EXPECT(run(&set, 1, settings) == SW_ERROR_NULL);
    set = with(good);
    set.n_cleanups = 0;
    EXPECT(run(&set, 1, settings) == SW_ERROR_NO_CLEANUP && says("SW_EMPTY_CLEANUP"));
    set = with(&nameless);
    EXPECT(run(&set, 1, settings) == SW_ERROR_NULL && says("no name"));
    set = with(&bodiless);
    EXPECT(run(&set, 1, settings) == SW_ERROR_NULL && says("no body (`p`)"));
    set = with(&measured);
    EXPECT(run(&set, 1, settings) == SW_ERROR_NULL && says("statistic"));
    set = with(good);
    set.demands = &demand; set.n_demands = 1;
    EXPECT(run(&set, 1, settings) == SW_ERROR_NULL && says("demand"));
    demand.name = "d"; demand.percent = 101.0;
    EXPECT(run(&set, 1, settings) == SW_ERROR_SETTINGS && says("percent"));
    EXPECT(of(fine, &no_make, "no `make`") == SW_ERROR_NULL);
    EXPECT(of(fine, &no_element, "no element generator") == SW_ERROR_NULL);
}

static void what_is_too_much_or_contradicts_itself(void)
{
    static sw_property many[SW_MAX_PROPERTIES + 1];
    sw_set set = with(many), sets[SW_MAX_SETS + 1];
    sw_settings settings = { .seed = 1 };
    for (int k = 0; k <= SW_MAX_PROPERTIES; k++) many[k] = good[0];
    for (int k = 0; k <= SW_MAX_SETS; k++) sets[k] = with(good);
    set.n_properties = SW_MAX_PROPERTIES + 1;
    EXPECT(run(&set, 1, settings) == SW_ERROR_TOO_MANY);
    set.n_properties = SW_MAX_PROPERTIES;
    EXPECT(run(&set, 1, settings) == SW_ERROR_TOO_MANY && says("together"));
    set.n_properties = SW_MAX_PROPERTIES - 1;
    EXPECT(sw_memory_needed(&set, 1, &settings) > sizeof memory);
    EXPECT(run(&set, 1, settings) == SW_ERROR_MEMORY && says("are needed"));
    EXPECT(run(sets, SW_MAX_SETS + 1, settings) == SW_ERROR_TOO_MANY);
    EXPECT(run(sets, SW_MAX_SETS, settings) == SW_PASSED);
    set = with(good);
    EXPECT(run(&set, 1, (sw_settings){ .min_properties = 5, .max_properties = 4 }) == SW_ERROR_SETTINGS);
    EXPECT(run(&set, 1, (sw_settings){ .verbosity = (sw_verbosity)4 }) == SW_ERROR_SETTINGS);
    EXPECT(run(&set, 1, (sw_settings){ .memory = memory, .memory_size = 10 }) == SW_ERROR_MEMORY);
    EXPECT(report.memory_needed == sw_memory_needed(&set, 1, &settings));
    EXPECT(run(&set, 1, (sw_settings){ .min_properties = 40 }) == SW_PASSED);
}

static sw_verdict bad_range(sw_test *t, const sw_generator *self, void *value) { (void)self; *(int *)value = (int)sw_draw_int(t, 2, 1); return SW_OK; }
static sw_verdict bad_verdict(sw_test *t, const sw_generator *self, void *value) { (void)t; (void)self; (void)value; return (sw_verdict)77; }
static sw_verdict greedy(sw_test *t, const sw_generator *self, void *value) { (void)self; *(void **)value = sw_allocate(t, 1 << 30); return SW_OK; }
static sw_verdict nothing_there(sw_test *t, const sw_generator *self, void *value) { (void)self; *(int *)value = (int)sw_draw_index(t, 0); return SW_OK; }
static sw_verdict weightless(sw_test *t, const sw_generator *self, void *value) { uint32_t w[2] = { 0, 0 }; (void)self; *(int *)value = (int)sw_draw_weighted(t, w, 2); return SW_OK; }
static sw_verdict forever(sw_test *t, const sw_generator *self, void *value) { return sw_draw(t, self, value); }

static void generators_that_are_wrong(void)
{
    static const sw_generator range = { 4, bad_range, NULL, 0, 0, NULL, 1 };
    static const sw_generator verdict = { 4, bad_verdict, NULL, 0, 0, NULL, 1 };
    static const sw_generator memory_hog = { 8, greedy, NULL, 0, 0, NULL, 1 };
    static const sw_generator none = { 4, nothing_there, NULL, 0, 0, NULL, 1 };
    static const sw_generator weights = { 4, weightless, NULL, 0, 0, NULL, 1 };
    static const sw_generator deep = { 4, forever, NULL, 0, 0, NULL, 1 };
    static const sw_generator deep_spans = { 4, forever, NULL, 0, 0, NULL, 8 };
    static const sw_generator sizeless = { 0, bad_range, NULL, 0, 0, NULL, 1 };
    static const sw_generator odd = { 3, sw_make_signed, NULL, 0, 5, NULL, 1 };
    static const sw_generator wide = SW_SIGNED_IN(int8_t, 0, 1000);
    static const sw_generator backwards = SW_INT_IN(5, 4);
    static const sw_generator negative = SW_ARRAY_OF(&sw_any_int, -1, 4);
    static const sw_generator shrinking = SW_ARRAY_OF(&sw_any_int, 5, 4);
    static const sw_generator endless = SW_ARRAY_OF(&sw_any_int, 0, INT64_MAX);
    static sw_generator circle = SW_ARRAY_OF(&circle, 1, 1);
    static const sw_real_range nowhere = { 2.0, 1.0, false };
    static const sw_generator real = SW_REAL_IN(double, &nowhere);

    EXPECT(of(fine, &range, "wrong way round") == SW_ERROR_GENERATOR);
    EXPECT(of(fine, &backwards, "wrong way round") == SW_ERROR_GENERATOR);
    EXPECT(of(fine, &real, "wrong way round") == SW_ERROR_GENERATOR);
    EXPECT(of(fine, &none, "nothing to choose from") == SW_ERROR_GENERATOR);
    EXPECT(of(fine, &weights, "weights are 0") == SW_ERROR_GENERATOR);
    EXPECT(of(fine, &memory_hog, "raise array_bytes (`p`)") == SW_ERROR_GENERATOR);
    EXPECT(of(fine, &sizeless, "size is 0") == SW_ERROR_GENERATOR);
    EXPECT(of(fine, &odd, "1, 2, 4 and 8") == SW_ERROR_GENERATOR);
    EXPECT(of(fine, &wide, "do not fit") == SW_ERROR_GENERATOR);
    EXPECT(of(fine, &negative, "lengths") == SW_ERROR_GENERATOR);
    EXPECT(of(fine, &shrinking, "lengths") == SW_ERROR_GENERATOR);
    EXPECT(of(fine, &endless, "lengths") == SW_ERROR_GENERATOR);
    EXPECT(of(fine, &verdict, "neither SW_OK nor SW_REFUSE") == SW_ERROR_VERDICT);
    EXPECT(of(fine, &deep, "deeper than 32") == SW_ERROR_DEPTH);
    EXPECT(of(fine, &deep_spans, "deeper than 32") == SW_ERROR_DEPTH);
    EXPECT(of(fine, &circle, "circle") == SW_ERROR_DEPTH);
}

static sw_verdict strange(sw_test *t) { (void)t; return (sw_verdict)-5; }
static sw_verdict too_far(sw_test *t) { return SW_ARG(t, int, 3) == 1 ? SW_FAIL : SW_OK; }
static sw_verdict too_wide(sw_test *t) { SW_ARG(t, int64_t, 0) = 1; return SW_OK; }
static sw_verdict uncovered(sw_test *t) { sw_cover(t, "no such demand", true); return SW_OK; }
static sw_result inner;
static sw_verdict again(sw_test *t)
{
    static sw_property properties[] = { { .name = "inner", .body = fine } };
    sw_set set = with(properties);
    sw_settings settings = { .seed = 1 };
    (void)t;
    inner = sw_run(&set, 1, &settings, NULL);
    return SW_OK;
}
static bool draws(sw_test *t) { return sw_draw_bool(t); }
static bool no(sw_test *t) { (void)t; return false; }
static bool gives(sw_test *t) { sw_give(t, 1); return true; }
static sw_verdict garbled(void *user, sw_test *t, sw_verdict (*body)(sw_test *t)) { (void)user; return body(t) + 0x5A5A; }
static sw_verdict drops(void *user, sw_test *t, sw_verdict (*body)(sw_test *t)) { (void)user; (void)t; (void)body; return -1; }

/* Functions that are called out of their turn, and a platform that answers what nobody can. */
static void a_wrong_order_and_a_platform_that_returns_garbage(void)
{
    sw_property giving = { .name = "p", .body = fine, .precondition = gives };
    sw_set set = with(&giving);
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_ERROR_ORDER && says("outside of a body"));
    set = with(good);
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1, .guard = garbled }) == SW_ERROR_VERDICT && says("no verdict"));
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1, .guard = drops }) == SW_ERROR_VERDICT);
}

static void bodies_and_other_callbacks_that_are_wrong(void)
{
    sw_property drawing = { .name = "p", .body = fine, .precondition = draws };
    sw_set set = with(&drawing);
    EXPECT(of(strange, NULL, "no verdict") == SW_ERROR_VERDICT);
    EXPECT(of(too_far, &sw_any_int, "does not have (`p`)") == SW_ERROR_ARGUMENT);
    EXPECT(of(too_far, NULL, "does not have") == SW_ERROR_ARGUMENT);
    EXPECT(of(too_wide, &sw_any_int, "another type") == SW_ERROR_ARGUMENT);
    EXPECT(of(uncovered, NULL, "demand") == SW_ERROR_DEMAND);
    EXPECT(of(again, NULL, "PASSED") == SW_PASSED && inner == SW_ERROR_BUSY);
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_ERROR_GENERATOR && says("outside of generators"));
    set = with(good);
    set.reset = no;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_ERROR_RESET && says("`reset`"));
    set.reset = yes;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 1 }) == SW_PASSED);
}

/* Functions that are called outside of everything do nothing. */
static void no_test_at_hand(void)
{
    EXPECT(sw_state(NULL) == NULL && sw_model(NULL) == NULL && sw_allocate(NULL, 8) == NULL);
    EXPECT(sw_draw_int(NULL, 3, 5) == 3 && sw_draw_index(NULL, 4) == 0 && !sw_draw_bool(NULL));
    sw_note(NULL, "x"); sw_put(NULL, NULL); sw_put_int(NULL, 1); sw_cover(NULL, "x", true);
    EXPECT(sw_failed(NULL, NULL, NULL, 0) == SW_FAIL);
    EXPECT(sw_get_argument(NULL, 0, 4) != NULL);
    EXPECT(!strcmp(sw_result_name((sw_result)1234), "no result of Stairway's"));
    EXPECT(strlen(sw_version()) >= 5 && sw_stack_needed() > 1000);
}

int main(void)
{
    what_is_missing();
    what_is_too_much_or_contradicts_itself();
    generators_that_are_wrong();
    bodies_and_other_callbacks_that_are_wrong();
    a_wrong_order_and_a_platform_that_returns_garbage();
    no_test_at_hand();
    printf("%d wrong\n", n_wrong);
    return n_wrong != 0;
}
