//! Systems that need a runtime of Tokio: `executor = tokio`, in an ordinary test and inside a runtime.

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
