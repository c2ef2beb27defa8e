/*
 * Metro station: the state is read from the input, six numbers of four bytes. `tick` calls other functions, whose
 * contracts are checked there too: `arrive(s)` is a call and goes to the checks, `arrive(struct station s)` is the
 * definition and gets another name.
 */
#include "afl.h"

struct station;
static struct station checked_arrive(struct station s);
static struct station checked_depart(struct station s);
static struct station checked_switch(struct station s);
#define arrive(s) arrive_##s)
#define arrive_s checked_arrive(s
#define arrive_struct arrive_itself(struct
#define depart(s) depart_##s)
#define depart_s checked_depart(s
#define depart_struct depart_itself(struct
#define switch_modes(s) switch_##s)
#define switch_s checked_switch(s
#define switch_struct switch_itself(struct
#include WORKLOAD
#undef arrive
#undef depart
#undef switch_modes

static int is_mode(int mode) { return mode == 0 || mode == 1; }

static int is_valid(struct station s)
{
    return 1
#ifndef MUTANT_arriving_unbounded
        && is_mode(s.arriving)
#endif
#ifndef MUTANT_departing_unbounded
        && is_mode(s.departing)
#endif
#ifndef MUTANT_both_at_once
        && !(s.arriving == 1 && s.departing == 1)
#endif
        && 0 <= s.n_waiting_to_arrive && s.n_waiting_to_arrive <= 1000
        && 0 <= s.n_waiting_to_depart && s.n_waiting_to_depart <= 1000
#ifdef MUTANT_ticks_unbounded
        && 0 <= s.ticks_on_track && s.ticks_on_track <= 500
#else
        && 0 <= s.ticks_on_track && s.ticks_on_track <= 5
#endif
#ifdef MUTANT_row_unbounded
        && 0 <= s.n_in_a_row
#else
        && 0 <= s.n_in_a_row && s.n_in_a_row <= 3
#endif
#ifndef MUTANT_idle_in_a_row
        && (s.arriving || s.departing || !s.n_in_a_row)
#endif
        && (s.ticks_on_track <= 0 || s.arriving == 1 || s.departing == 1);
}

static int may_arrive(struct station s)
{
    return is_valid(s) && s.arriving == 1 && 0 < s.n_waiting_to_arrive && s.ticks_on_track == 0 && s.n_in_a_row < 3;
}

static int may_depart(struct station s)
{
    return is_valid(s) && s.departing == 1 && 0 < s.n_waiting_to_depart && s.ticks_on_track == 0 && s.n_in_a_row < 3;
}

static int may_switch(struct station s)
{
    return is_valid(s) && s.ticks_on_track == 0 && (s.arriving == 1 || s.departing == 1);
}

static struct station checked_arrive(struct station s)
{
    CHECK(may_arrive(s));
    struct station r = arrive_itself(s);
    CHECK(is_valid(r) && r.n_waiting_to_arrive == s.n_waiting_to_arrive - 1 && r.n_in_a_row == s.n_in_a_row + 1
          && r.departing == 0);
    return r;
}

static struct station checked_depart(struct station s)
{
    CHECK(may_depart(s));
    struct station r = depart_itself(s);
    CHECK(is_valid(r) && r.n_waiting_to_depart == s.n_waiting_to_depart - 1 && r.n_in_a_row == s.n_in_a_row + 1
          && r.arriving == 0);
    return r;
}

static struct station checked_switch(struct station s)
{
    CHECK(may_switch(s));
    struct station r = switch_itself(s);
    CHECK(is_valid(r) && r.arriving == 1 - s.arriving && r.departing == 1 - s.departing && r.arriving != r.departing);
    return r;
}

static void test(void)
{
    int which = next_byte() % 7;
    struct station s, r;
    s.arriving = next_int();
    s.departing = next_int();
    s.n_waiting_to_arrive = next_int();
    s.n_waiting_to_depart = next_int();
    s.ticks_on_track = next_int();
    s.n_in_a_row = next_int();
    if (which == 0) {
        r = opened();
        CHECK(is_valid(r) && r.n_waiting_to_arrive == 0 && r.n_waiting_to_depart == 0);
        return;
    }
    ASSUME(is_valid(s));
    switch (which) {
    case 1:
        ASSUME(s.n_waiting_to_arrive < 1000);
        r = train_comes(s);
        CHECK(is_valid(r) && r.n_waiting_to_arrive == s.n_waiting_to_arrive + 1 && (long)r.arriving + r.departing <= 1);
        break;
    case 2:
        ASSUME(s.n_waiting_to_depart < 1000);
        r = train_is_ready(s);
        CHECK(is_valid(r) && r.n_waiting_to_depart == s.n_waiting_to_depart + 1);
        break;
    case 3:
        ASSUME(may_arrive(s));
        checked_arrive(s);
        break;
    case 4:
        ASSUME(may_depart(s));
        checked_depart(s);
        break;
    case 5:
        ASSUME(may_switch(s));
        checked_switch(s);
        break;
    default:
        r = tick(s);
        CHECK(is_valid(r) && r.ticks_on_track <= 5);
        CHECK(s.arriving || s.departing || r.n_in_a_row == 0);
        CHECK((long)r.arriving + r.departing == 1 || (r.n_waiting_to_arrive == 0 && r.n_waiting_to_depart == 0));
    }
}
