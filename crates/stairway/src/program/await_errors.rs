//! Futures that nothing awaits, and awaiting what is no future: compile errors that say what to write.
//!
//! A forgotten `awaits` would otherwise be rustc's word on comparing an answer with a future, on its
//! lifetime, and on code that the user never wrote. An answer is passed through here as what it would be if
//! it had been awaited, so that nothing but this is said.

use std::marker::PhantomData;

/// An answer on its way, where `D` is the type that was declared for it.
#[derive(Debug)]
pub struct PendingAnswer<T, D>(Option<T>, PhantomData<fn() -> D>);

/// No type was declared.
#[derive(Debug)]
pub enum Undeclared {}

impl<T, D> PendingAnswer<T, D> {
    /// What a call gave.
    #[inline]
    pub const fn new(answer: T) -> Self {
        PendingAnswer(Some(answer), PhantomData)
    }

    fn take(&mut self) -> T {
        self.0.take().expect("an answer is taken once")
    }
}

/// For answers of the type that was declared, which may be a future.
pub trait AnswerDeclared<T> {
    /// The answer.
    fn ready(&mut self) -> T;
}

impl<T> AnswerDeclared<T> for &mut &mut PendingAnswer<T, T> {
    #[inline]
    fn ready(&mut self) -> T {
        self.take()
    }
}

/// Implemented by no future.
#[diagnostic::on_unimplemented(
    message = "this gives a future, and nothing awaits it",
    label = "its answer is `{Self}`",
    note = "in a model, write `#[op(awaits)]`, or `.await` in its `call` as well",
    note = "in `#[contract(of = ..)]`, write `async fn`",
    note = "futures that need Tokio run with `executor = tokio` next to `system =` or `of =`"
)]
pub trait Awaited {}

/// For futures.
pub trait AnswerLater {
    /// What it would be if it had been awaited.
    type Answer;
    /// The future.
    type Future;
    /// Never runs: it does not compile.
    fn ready(&mut self) -> Self::Answer
    where
        Self::Future: Awaited;
}

impl<F: Future, D> AnswerLater for &mut PendingAnswer<F, D> {
    type Answer = F::Output;
    type Future = F;
    fn ready(&mut self) -> F::Output
    where
        F: Awaited,
    {
        unreachable!("no future is `Awaited`")
    }
}

/// For everything else.
pub trait AnswerNow<T> {
    /// The answer.
    fn ready(&mut self) -> T;
}

impl<T, D> AnswerNow<T> for PendingAnswer<T, D> {
    #[inline]
    fn ready(&mut self) -> T {
        self.take()
    }
}

/// What can be awaited.
#[diagnostic::on_unimplemented(
    message = "this is awaited, and gives no future",
    label = "its answer is `{Self}`",
    note = "in a model, remove `awaits`; in `#[contract(of = ..)]`, remove `async`"
)]
pub trait Awaitable {
    /// What it becomes.
    type Answer;
    /// The future.
    fn future(self) -> impl Future<Output = Self::Answer>;
}

#[diagnostic::do_not_recommend]
impl<F: IntoFuture> Awaitable for F {
    type Answer = F::Output;
    fn future(self) -> impl Future<Output = F::Output> {
        self.into_future()
    }
}

/// Awaits an answer.
pub async fn awaited<F: Awaitable>(answer: F) -> F::Answer {
    answer.future().await
}
