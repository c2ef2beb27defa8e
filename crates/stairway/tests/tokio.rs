//! Systems that need a runtime of Tokio: `executor = tokio`, in an ordinary test and inside a runtime. What is
//! awaited and never ready ends its test, whoever runs the future.

mod common;

use common::{Specimen, without_places};
use stairway::prelude::*;
use stairway::report::words as failure_words;
use std::time::Duration;
use tokio::sync::mpsc;

/// A queue that a task of its own works on.
#[derive(Debug)]
pub struct Mailbox {
    to: mpsc::UnboundedSender<u8>,
    from: mpsc::UnboundedReceiver<u8>,
    n: usize,
}

impl Mailbox {
    /// Starts the task.
    pub async fn open() -> Mailbox {
        let (to, mut letters) = mpsc::unbounded_channel();
        let (done, from) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(letter) = letters.recv().await {
                // A timer, which only a runtime has.
                tokio::time::sleep(Duration::ZERO).await;
                if done.send(letter).is_err() {
                    return;
                }
            }
        });
        Mailbox { to, from, n: 0 }
    }

    /// Hands a letter to the task.
    pub async fn send(&mut self, letter: u8) {
        self.n += 1;
        self.to.send(letter).expect("the task listens");
    }

    /// The third letter is lost.
    pub async fn receive(&mut self) -> Option<u8> {
        if self.n == 0 {
            return None;
        }
        self.n -= 1;
        let letter = self.from.recv().await;
        if self.n == 2 { self.from.recv().await.inspect(|_| self.n -= 1) } else { letter }
    }
}

#[derive(Debug)]
struct Letters(Vec<u8>);

#[model(system = Mailbox, executor = tokio)]
impl Letters {
    #[start]
    async fn new() -> (Letters, Mailbox) {
        (Letters(Vec::new()), Mailbox::open().await)
    }

    #[op(awaits, requires = self.0.len() < 6)]
    fn send(&mut self, letter: u8) {
        self.0.push(letter);
    }

    #[op(awaits)]
    fn receive(&mut self) -> Option<u8> {
        if self.0.is_empty() { None } else { Some(self.0.remove(0)) }
    }
}

fn found() -> Vec<String> {
    let report =
        Letters::checker().settings(Settings::new().cases(100).seed(1).without_regressions()).report();
    let found = report.counterexample().unwrap_or_else(|| panic!("nothing was found: {report}"));
    assert!(failure_words::identity(&found.failure).contains("receive"), "{report}");
    found.observed.steps.iter().map(|step| step.name.to_string()).collect()
}

#[test]
fn a_model_runs_on_a_runtime_of_its_own() {
    assert_eq!(found(), ["send", "send", "send", "receive"]);
}

#[tokio::test]
async fn a_model_runs_beside_the_runtime_of_its_test() {
    assert_eq!(found(), ["send", "send", "send", "receive"]);
}

/// Counts what tasks have done.
#[derive(Debug)]
pub struct Counter(u64);

#[contract(executor = tokio)]
impl Counter {
    /// Nothing yet.
    pub async fn new() -> Counter {
        Counter(0)
    }

    /// Adds what a task says.
    #[ensures(self.0 == old(self.0) + n)]
    pub async fn add(&mut self, #[from(0..9)] n: u64) {
        let half = tokio::spawn(async move { n / 2 }).await.expect("the task ends");
        tokio::time::sleep(Duration::ZERO).await;
        self.0 += half * 2;
    }
}

fn broken() -> String {
    let settings = Settings::new().cases(100).seed(1).without_regressions();
    let report = Checker::contracts::<Counter>().settings(settings).report();
    let found = report.counterexample().unwrap_or_else(|| panic!("nothing was found: {report}"));
    let last = found.observed.steps.last().expect("a step");
    format!("{}({})", last.name, last.arguments[1].1)
}

#[test]
fn contracts_run_on_a_runtime_of_their_own() {
    assert_eq!(broken(), "Counter::add(1)");
}

#[tokio::test]
async fn contracts_run_beside_the_runtime_of_their_test() {
    assert_eq!(broken(), "Counter::add(1)");
}

/// Lets others go on before it answers, and lends what it holds.
#[derive(Debug)]
pub struct Polite(tokio::sync::Mutex<u64>);

impl Polite {
    async fn add(&self, n: u64) {
        let mut total = self.0.lock().await;
        tokio::task::yield_now().await;
        *total += n;
    }

    async fn total(&self) -> tokio::sync::MutexGuard<'_, u64> {
        tokio::task::yield_now().await;
        self.0.lock().await
    }
}

#[derive(Debug)]
struct Total(u64);

#[model(system = Polite, executor = tokio)]
impl Total {
    #[start]
    async fn new() -> (Total, Polite) {
        tokio::task::yield_now().await;
        (Total(0), Polite(tokio::sync::Mutex::new(0)))
    }

    #[op(awaits)]
    fn add(&mut self, #[from(0..9)] n: u64) {
        self.0 += n;
    }

    #[op(awaits)]
    fn total(&self) -> u64 {
        self.0
    }
}

#[test]
fn what_yields_goes_on() {
    Total::checker().cases(10).run();
}

/// Tokio wakes what has yielded only when the runtime around it goes on.
#[tokio::test]
async fn what_yields_goes_on_beside_the_runtime_of_its_test() {
    Total::checker().cases(10).run();
}

/// What is never ready, by each way to run a future, and code that does not return.
mod never_ready {
    use super::*;
    use std::future::poll_fn;
    use std::task::{Poll, Waker};

    /// Gives what was put in, and waits where there is nothing.
    #[derive(Debug, Default)]
    pub(super) struct Slot {
        value: Option<u8>,
        waiting: Vec<Waker>,
    }

    impl Slot {
        pub(super) fn put(&mut self, n: u8) -> bool {
            // Nobody is woken.
            self.value.replace(n).is_none()
        }

        pub(super) async fn take(&mut self) -> Option<u8> {
            poll_fn(|context| match self.value.take() {
                Some(n) => Poll::Ready(Some(n)),
                None => {
                    self.waiting.push(context.waker().clone());
                    Poll::Pending
                }
            })
            .await
        }

        /// Forgets who waits.
        pub(super) async fn lose(&mut self) -> Option<u8> {
            poll_fn(|_| self.value.take().map_or(Poll::Pending, |n| Poll::Ready(Some(n)))).await
        }

        pub(super) fn spin(&mut self) -> Option<u8> {
            while self.value.is_none() {
                std::thread::yield_now();
            }
            self.value.take()
        }
    }

    macro_rules! model_of_a_slot {
        ($module:ident, ($($executor:tt)*), $take:item) => {
            pub(super) mod $module {
                use super::*;

                #[derive(Debug)]
                struct Filled(Option<u8>);

                #[model(system = Slot, $($executor)*)]
                impl Filled {
                    #[start]
                    fn new() -> (Filled, Slot) {
                        (Filled(None), Slot::default())
                    }

                    #[op]
                    fn put(&mut self, n: u8) -> bool {
                        self.0.replace(n).is_none()
                    }

                    $take
                }

                pub(crate) fn check(settings: Settings) -> stairway::report::Report {
                    Filled::checker().settings(settings.seed(3).without_regressions()).report()
                }

                #[test]
                #[ignore = "a specimen"]
                fn hangs() {
                    check(Settings::new());
                }
            }
        };
    }

    fn own_runner<F: Future>(future: F) -> F::Output {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
    }

    model_of_a_slot!(
        ours,
        (),
        #[op(awaits)]
        fn take(&mut self) -> Option<u8> {
            self.0.take()
        }
    );
    model_of_a_slot!(
        on_tokio,
        (executor = tokio),
        #[op(awaits)]
        fn take(&mut self) -> Option<u8> {
            self.0.take()
        }
    );
    model_of_a_slot!(
        on_another,
        (executor = own_runner),
        #[op(awaits)]
        fn take(&mut self) -> Option<u8> {
            self.0.take()
        }
    );
    model_of_a_slot!(
        forgets,
        (),
        #[op(awaits)]
        fn lose(&mut self) -> Option<u8> {
            self.0.take()
        }
    );
    model_of_a_slot!(
        spins,
        (),
        #[op]
        fn spin(&mut self) -> Option<u8> {
            self.0.take()
        }
    );

    #[tokio::test]
    #[ignore = "a specimen"]
    async fn inside_a_runtime() {
        on_tokio::check(Settings::new());
    }

    #[test]
    #[ignore = "a specimen"]
    fn on_several_threads() {
        ours::check(Settings::new().jobs(2));
    }

    #[property(executor = own_runner)]
    #[ignore = "a specimen"]
    async fn property(n: u8) {
        let mut slot = Slot::default();
        slot.put(n);
        slot.take().await;
        slot.take().await;
    }
}

/// What is printed of a run that takes too long, and whether the other tests of the process go on.
fn hanging(specimen: &str) -> (String, bool) {
    let ended = Specimen::new(&format!("never_ready::{specimen}")).set("STAIRWAY_HANG", "2s").run();
    assert_eq!(ended.code, Some(101), "{}{}", ended.stdout, ended.stderr);
    (ended.stderr, ended.stdout.contains("test result: FAILED"))
}

#[test]
fn a_step_that_is_never_ready_is_named_and_ends_its_test_only() {
    let (ours, goes_on) = hanging("ours::hangs");
    assert!(goes_on, "{ours}");
    insta::assert_snapshot!(without_places(&ours, None));
    for specimen in ["on_tokio::hangs", "on_another::hangs", "inside_a_runtime"] {
        let (said, goes_on) = hanging(specimen);
        assert!(goes_on && said.contains("of a program, `take`."), "{specimen}: {said}");
    }
}

#[test]
fn where_several_threads_run_cases_no_step_is_named() {
    let (said, goes_on) = hanging("on_several_threads");
    assert!(
        goes_on && said.contains("What is awaited there is not ready") && !said.contains("step"),
        "{said}"
    );
}

#[test]
fn a_property_that_is_never_ready_ends_its_test_only() {
    let (said, goes_on) = hanging("property");
    assert!(goes_on && said.contains("for 2s (seed 0x"), "{said}");
    assert!(said.contains("#[property(timeout = \"1s\")]"), "{said}");
}

#[test]
fn a_step_that_does_not_return_is_named_and_ends_the_process() {
    let (said, goes_on) = hanging("spins::hangs");
    assert!(!goes_on, "{said}");
    insta::assert_snapshot!(said);
}

#[test]
fn a_future_that_nothing_can_wake_is_a_failure_like_any_other() {
    let report = never_ready::forgets::check(Settings::new());
    let found = report.counterexample().unwrap_or_else(|| panic!("nothing was found: {report}"));
    let steps: Vec<&str> = found.observed.steps.iter().map(|step| step.name).collect();
    assert_eq!(steps, ["lose"], "{report}");
    assert!(report.to_string().contains("this future is never ready"), "{report}");
}
