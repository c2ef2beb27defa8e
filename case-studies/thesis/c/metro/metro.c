/*
 * A metro station with one track, after the runway of CN's tutorial: trains arrive or depart, never both; at most
 * three go the same way while others wait for the opposite one, and a train is on the track for at most five ticks.
 * The state is passed by value, and everything that is required of it stands in `valid`.
 */

#define INACTIVE 0
#define ACTIVE 1

struct station {
    int arriving;
    int departing;
    int n_waiting_to_arrive;
    int n_waiting_to_depart;
    int ticks_on_track;
    int n_in_a_row;
};

/*@
function (boolean) is_mode(i32 mode) {
  mode == 0i32 || mode == 1i32
}

function (boolean) valid(struct station s) {
  is_mode(s.arriving) &&
  is_mode(s.departing) &&
  !(s.arriving == 1i32 && s.departing == 1i32) &&
  0i32 <= s.n_waiting_to_arrive && s.n_waiting_to_arrive <= 1000i32 &&
  0i32 <= s.n_waiting_to_depart && s.n_waiting_to_depart <= 1000i32 &&
  0i32 <= s.ticks_on_track && s.ticks_on_track <= 5i32 &&
  0i32 <= s.n_in_a_row && s.n_in_a_row <= 3i32 &&
  ((s.arriving == 0i32 && s.departing == 0i32) implies s.n_in_a_row == 0i32) &&
  (0i32 < s.ticks_on_track implies (s.arriving == 1i32 || s.departing == 1i32))
}
@*/

struct station opened(void)
/*@ ensures valid(return);
            return.n_waiting_to_arrive == 0i32;
            return.n_waiting_to_depart == 0i32; @*/
{
    struct station s = {INACTIVE, INACTIVE, 0, 0, 0, 0};
    return s;
}

struct station train_comes(struct station s)
/*@ requires valid(s); s.n_waiting_to_arrive < 1000i32;
    ensures valid(return);
            return.n_waiting_to_arrive == s.n_waiting_to_arrive + 1i32;
            return.arriving + return.departing <= 1i32; @*/
{
    s.n_waiting_to_arrive += 1;
    return s;
}

struct station train_is_ready(struct station s)
/*@ requires valid(s); s.n_waiting_to_depart < 1000i32;
    ensures valid(return);
            return.n_waiting_to_depart == s.n_waiting_to_depart + 1i32; @*/
{
    s.n_waiting_to_depart += 1;
    return s;
}

struct station arrive(struct station s)
/*@ requires valid(s);
             s.arriving == 1i32; 0i32 < s.n_waiting_to_arrive; s.ticks_on_track == 0i32; s.n_in_a_row < 3i32;
    ensures valid(return);
            return.n_waiting_to_arrive == s.n_waiting_to_arrive - 1i32;
            return.n_in_a_row == s.n_in_a_row + 1i32;
            return.departing == 0i32; @*/
{
    s.n_waiting_to_arrive -= 1;
    s.n_in_a_row += 1;
    s.ticks_on_track = 1;
    return s;
}

struct station depart(struct station s)
/*@ requires valid(s);
             s.departing == 1i32; 0i32 < s.n_waiting_to_depart; s.ticks_on_track == 0i32; s.n_in_a_row < 3i32;
    ensures valid(return);
            return.n_waiting_to_depart == s.n_waiting_to_depart - 1i32;
            return.n_in_a_row == s.n_in_a_row + 1i32;
            return.arriving == 0i32; @*/
{
    s.n_waiting_to_depart -= 1;
    s.n_in_a_row += 1;
    s.ticks_on_track = 1;
    return s;
}

struct station switch_modes(struct station s)
/*@ requires valid(s); s.ticks_on_track == 0i32; s.arriving == 1i32 || s.departing == 1i32;
    ensures valid(return);
            return.arriving == 1i32 - s.arriving;
            return.departing == 1i32 - s.departing;
            return.arriving != return.departing; @*/
{
    if (s.arriving == INACTIVE) {
        s.arriving = ACTIVE;
        s.departing = INACTIVE;
    } else {
        s.arriving = INACTIVE;
        s.departing = ACTIVE;
    }
    s.n_in_a_row = 0;
    return s;
}

struct station tick(struct station s)
/*@ requires valid(s);
    ensures valid(return);
            return.ticks_on_track <= 5i32;
            (s.arriving == 0i32 && s.departing == 0i32) implies return.n_in_a_row == 0i32;
            return.arriving + return.departing == 1i32
              || (return.n_waiting_to_arrive == 0i32 && return.n_waiting_to_depart == 0i32); @*/
{
    if (s.ticks_on_track > 0) {
        s.ticks_on_track = s.ticks_on_track == 5 ? 0 : s.ticks_on_track + 1;
        return s;
    }
    if (s.arriving == INACTIVE && s.departing == INACTIVE) {
        if (s.n_waiting_to_arrive > 0) {
            s.arriving = ACTIVE;
        } else if (s.n_waiting_to_depart > 0) {
            s.departing = ACTIVE;
        }
        return s;
    }
    if (s.arriving == ACTIVE) {
        if (s.n_waiting_to_arrive > 0 && (s.n_in_a_row < 3 || s.n_waiting_to_depart == 0)) {
            if (s.n_in_a_row == 3) {
                s.n_in_a_row = 0;
            }
            return arrive(s);
        }
        return s.n_waiting_to_depart > 0 ? switch_modes(s) : s;
    }
    if (s.n_waiting_to_depart > 0 && (s.n_in_a_row < 3 || s.n_waiting_to_arrive == 0)) {
        if (s.n_in_a_row == 3) {
            s.n_in_a_row = 0;
        }
        return depart(s);
    }
    return s.n_waiting_to_arrive > 0 ? switch_modes(s) : s;
}
