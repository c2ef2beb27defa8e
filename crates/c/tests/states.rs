//! States from preconditions: nearly all that are made satisfy their precondition, in files whose predicates
//! relate what lies below a node on either side of it.

use stairway_c::operations::{Calls, Settings};
use stairway_c::project::{Object, Project};
use stairway_c::source::Options;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// How many states are made of each file, and how many of 100 have to be right.
const N_STATES: u64 = 1000;
const PERCENT: u64 = 90;

/// Objects are loaded at fixed addresses, so one at a time.
static ONE_OBJECT: Mutex<()> = Mutex::new(());

fn calls(file: PathBuf, flags: &[&str]) -> Calls {
    let mut options = Options::new(vec![file]);
    options.flags = flags.iter().map(|flag| (*flag).to_string()).collect();
    let project = Project::new(&options, Object::Build, false).expect("the file is right");
    Calls::new(project, Settings::default()).expect("the object can be loaded")
}

fn demand(file: &str, flags: &[&str], function: &str) {
    let _alone = ONE_OBJECT.lock().unwrap_or_else(PoisonError::into_inner);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let calls = calls(file, flags);
    let counts = calls.rehearse(function, N_STATES, None, true).expect("states can be made");
    assert!(counts.n_begun >= N_STATES, "{counts:?}");
    assert!(100 * counts.n_callable >= PERCENT * counts.n_begun, "{function}: {counts:?}");
    assert!(counts.n_blocks > counts.n_made, "{function} has states of several nodes: {counts:?}");
}

#[test]
fn balanced_trees_are_made_whatever_comes_first_in_their_predicate() {
    demand("../../case-studies/thesis/c/avl/avl.c", &[], "find_smallest");
    demand("../../case-studies/thesis/c/avl/avl.c", &["-DBOUNDS"], "delete");
    demand("tests/corpus/states_red_black.pass.c", &[], "largest");
}

#[test]
fn what_a_node_says_of_both_sides_is_true() {
    demand("tests/corpus/states_leftist.pass.c", &[], "merge");
    demand("tests/corpus/states_rope.pass.c", &[], "letter_at");
    demand("tests/corpus/states_ranked.pass.c", &[], "nth");
}

#[test]
fn a_function_without_a_precondition_about_memory_has_no_states() {
    let _alone = ONE_OBJECT.lock().unwrap_or_else(PoisonError::into_inner);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../case-studies/thesis/c/metro/metro.c");
    assert_eq!(calls(file, &[]).rehearse("opened", 10, None, true), None);
}
