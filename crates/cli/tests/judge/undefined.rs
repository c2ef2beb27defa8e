//! Undefined arithmetic is a class of its own.

use crate::support::hunt;

const INCREMENT: &str = "
int increment(int x)
/*@ ensures return == x + 1i32; @*/
{
    return x + 1;
}
";

#[test]
fn increment_is_refuted_at_the_largest_number() {
    let ended = hunt(INCREMENT, &[]);
    ended
        .fails()
        .says("undefined behaviour in `increment`: signed overflow: 2147483647 + 1 does not fit in int");
    ended.says("int x1 = increment(2147483647);").does_not_say("postcondition");
    let again = hunt(INCREMENT, &["--replay", &ended.replay()]);
    again.fails().says("signed overflow");
}

#[test]
fn it_is_a_note_or_nothing_if_asked_for() {
    hunt(INCREMENT, &["--ub=memory"])
        .passes()
        .says("note: undefined behaviour under a contract: signed overflow in `increment` at file.c:5:14");
    hunt(INCREMENT, &["--ub=off"]).passes().does_not_say("note:");
}

#[test]
fn a_broken_contract_comes_first() {
    let code = format!(
        "{INCREMENT}
int both(int a, int b)
/*@ ensures return >= a; @*/
{{ return b == 1234 ? a - 1 : a; }}"
    );
    hunt(&code, &[]).fails().says("the postcondition of `both` does not hold");
}

#[test]
fn without_a_contract_it_is_noted() {
    let code = "
int twice(int x) { return x * 2; }
int zero(void)
/*@ ensures return == 0i32; @*/
{ return 0; }
";
    hunt(code, &[]).passes().says("note: undefined behaviour: signed overflow in `twice` at file.c:2");
}

#[test]
fn it_is_blamed_where_it_stands() {
    let code = "
static int helper(int x) { return -x; }
int absolute(int x)
/*@ requires x < 1i32; @*/
{ return helper(x); }
";
    hunt(code, &["--only", "absolute"])
        .fails()
        .says("undefined behaviour in `helper`: signed overflow: -(-2147483648) does not fit in int");
}
