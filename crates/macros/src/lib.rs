//! The macros of Stairway: `#[property]`, `#[model]`, `laws!`, `refinement!`, `#[contract]`, `#[machine]`,
//! `temporal!` and the derives.
//!
//! Each macro works in three steps with a function each: *parse* what was written, *diagnose* it (every
//! mistake at its own place, saying what to write instead), *expand* it. The expansions name the crate
//! `stairway`, which re-exports these macros; nothing here knows how a property is run or how a value is
//! drawn.

mod arbitrary;
mod attributes;
mod contract;
mod executor;
mod failing;
mod home;
mod invariant;
mod laws;
mod machine;
mod mistaken;
mod model;
mod operands;
mod property;
mod refinement;
mod source_text;
mod temporal;
#[cfg(test)]
mod testing;
mod to_source;
mod token_ranges;

use proc_macro::TokenStream;

/// Makes a function a test that is run with many inputs.
///
/// A parameter `name: Type` is drawn by `any::<Type>()`; `#[from(generator)] name: Type` by that
/// generator, which may mention the parameters before it. `&[T]`, `&str` and `&T` are drawn as
/// `Vec<T>`, `String` and `T` and lent to the function. A parameter of type `&mut Case` is the
/// case itself. `#[example(value, ..)]` and `#[example(name = value, ..)]` give inputs that
/// always run; a value for a `&T` is written as `T` or as a reference, as in a call.
///
/// ```ignore
/// #[property(cases = 1000)]
/// #[example(3, vec![])]
/// fn insert_keeps_order(x: i32, #[from(sorted(vec(any(), 0..20)))] xs: Vec<i32>) {
///     assume!(!xs.contains(&x));
///     let mut ys = xs.clone();
///     insert(x, &mut ys);
///     assert!(ys.is_sorted());
/// }
/// ```
///
/// Options, all of them optional:
///
/// | option | meaning |
/// |---|---|
/// | `cases = 1000` | how many cases are run |
/// | `seed = 5` | where the random choices start |
/// | `time = "2s"` | how long cases are run |
/// | `jobs = 2` | how many threads run cases |
/// | `max_discards = 10` | how many discarded cases are put up with for each that counts |
/// | `exhaustive = 4` | every case up to this bound instead of random ones |
/// | `demand_all_alternatives` | everything that a specification allows must have happened |
/// | `isolate` | cases run in a process of their own, which may crash |
/// | `confined` | the same, in a sandbox that keeps it from changing anything outside |
/// | `writable = "folder"` | what is confined may change files in this folder |
/// | `network` | what is confined may use sockets within this machine |
/// | `allow_exec` | what is confined may start processes and programs |
/// | `timeout = "500ms"` | how long one case may take |
/// | `partial` | a property that gives no result is discarded, not failed |
/// | `executor = path` | the function that runs the future of an `async fn`, or a closure for a `fn` |
///
/// In the body, at any depth, `assume!`, `cover!`, `label!`, `classify!`, `collect!`, `note!` and
/// `maximize!` speak about the case that is being run.
#[proc_macro_attribute]
pub fn property(options: TokenStream, item: TokenStream) -> TokenStream {
    property::property(options.into(), item.into()).into()
}

/// A fixed input of a [`macro@property`], which belongs below `#[property]`; above it, it moves there.
#[proc_macro_attribute]
pub fn example(arguments: TokenStream, item: TokenStream) -> TokenStream {
    property::move_example(arguments.into(), item.into()).into()
}

/// Makes a type the model of another one, the system: programs of calls are run on both, and every
/// answer of the system must be the one that the model gives.
///
/// ```ignore
/// #[model(system = Queue<i32>)]
/// impl Fifo {
///     #[start] fn new(#[from(1..=8)] capacity: usize) -> (Fifo, Queue<i32>) { .. }
///     #[op(weight = 3)] fn push(&mut self, v: i32) -> bool { .. }
///     #[op(requires = !self.items.is_empty())] fn pop(&mut self) -> Option<i32> { .. }
/// }
///
/// #[test] fn random() { Fifo::check(); }
/// #[test] fn more() { Fifo::checker().cases(1000).steps(80).demand_all().run(); }
/// ```
///
/// `global` after the system says that systems share something (a static, a file, a server): the sides of a
/// law then run one after the other. `may_be_stuck` allows states in which no operation is possible.
/// Methods of the block say what they are for; those that do not are left as they are:
///
/// | attribute | the method |
/// |---|---|
/// | `#[start]` | gives the model and the system, from parameters drawn as in `#[property]` |
/// | `#[op]` | is the model's side of the system's method of this name |
/// | `#[cleanup]` | the same, at the end of every program; takes `call` and `awaits` |
/// | `#[invariant]` | `(&self)` or `(&self, system: &System)`; holds after every step |
/// | `#[cover(5.0)]` | the same; holds somewhere in 5 % of all programs |
/// | `#[terminal]` | `(&self)`; a program that has come here is over |
///
/// Options of `#[op]`, all of them optional:
///
/// | option | meaning |
/// |---|---|
/// | `requires = self.len < 9` | when it is possible; may mention the parameters |
/// | `weight = 3` | how likely it is: a number, or an expression over `self` that gives a `u32` |
/// | `call = system.drain().len()` | the system's side, where it is not the method of this name |
/// | `consumes = h` | the result `h` cannot be used afterwards |
/// | `awaits` | the system's method is async; a `call` may use `.await` |
///
/// The parameters of an operation are drawn as in `#[property]` and passed to the system by value,
/// `&` or `&mut`, as its signature wants them. `#[result] h: Ref<File>` names what the system
/// answers for later steps; `h: Ref<File>` is such a result, and the system receives the value
/// itself. In `call`, the arguments have their names: drawn ones as they were written, results as
/// `&mut File`, consumed ones as `File`. Answers that borrow from the system need a `call` that
/// clones them. An operation that returns `Allowed` has several right answers.
#[proc_macro_attribute]
pub fn model(options: TokenStream, item: TokenStream) -> TokenStream {
    model::model(options.into(), item.into()).into()
}

/// Checks what functions require and ensure, and lets programs of random calls look for ways to
/// break it: `stairway::check_contracts::<Account>()`.
///
/// ```ignore
/// #[contract]
/// impl Account {
///     pub fn open() -> Account { .. }
///     #[requires(amount <= self.balance())]
///     #[ensures(self.balance() == old(self.balance()) - amount)]
///     pub fn withdraw(&mut self, amount: u64) { .. }
///     pub fn transfer(&mut self, to: &mut Account, #[from(0..100)] amount: u64) -> bool { .. }
///     #[invariant] fn sane(&self) -> bool { .. }
/// }
///
/// #[test] fn account_keeps_its_contracts() { stairway::check_contracts::<Account>(); }
/// ```
///
/// The checks are there under `cfg(test)` and `--cfg stairway`; otherwise the block is what it would
/// be without this attribute, and `check_contracts` does not compile.
///
/// | attribute | meaning |
/// |---|---|
/// | `#[requires(condition)]` | holds when the function is called; programs discard calls without it |
/// | `#[ensures(condition)]` | holds after the call; `result` is a reference to what it gave |
/// | `old(expression)` | inside `ensures`: the value before the call, owned |
/// | `#[invariant]` | on `fn name(&self) -> bool`: holds after every call that was lent or gave a value |
/// | `#[from(generator)]` | on a parameter: programs draw it by this generator |
///
/// Programs call the functions that are `pub` or `pub(..)`. An argument is a drawn value or the
/// result of an earlier call; what a call gives by value, also in an `Option` or a `Result`, can be
/// passed on, by value, `&` or `&mut`. A result that was passed by value is gone, unless it is
/// `Clone`. Contracts are not checked while a condition is evaluated. Functions that are `async` or
/// `unsafe` are left as they are, and so are those that borrow from `&mut self`, but for `ensures`.
///
/// `#[contract] mod name { .. }` does the same for free functions, which are
/// `check_contracts::<name::Contracts>()`.
#[proc_macro_attribute]
pub fn contract(options: TokenStream, item: TokenStream) -> TokenStream {
    contract::contract(options.into(), item.into()).into()
}

/// Makes tests of equations between fragments of calls.
///
/// The laws are about the operations of a `#[model]`; its system is tested, the model says what is
/// possible. `laws! { model Fifo: .. }` asks the model alone. Without a model, name the system and
/// its operations: `system Queue = Queue::new();` and then `op push(v: i32);` and so on, with
/// `-> Type` for an answer that is compared with a value, and `requires` with a condition on
/// `system`.
///
/// ```ignore
/// laws! { Fifo:
///     front_of_empty:            start [x = front()]             == start [x = None];
///     front_add(m: i32, n: i32): [push(m); push(n); x = front()] == [push(m); x = front(); push(n)];
/// }
/// ```
///
/// Each law is a test that does the left side on one system and the right side on another, after
/// the same calls on both and before further ones. Answers within a law are compared by the name
/// they are bound to, those of the calls around it all. With `start` nothing comes before the law.
/// A variable is drawn by its type or by `#[from(generator)]`. A call of a name in lower case is an
/// operation, everything else a value. The function `front_add_law()` gives the law's checker, for
/// settings of its own.
#[proc_macro]
pub fn laws(input: TokenStream) -> TokenStream {
    laws::laws(input.into()).into()
}

/// Makes tests that an implementation does only what its specification allows.
///
/// ```ignore
/// refinement! {
///     /// fills, clipped to the array; no effect when `from` is past the end
///     wordarray_set(arr: Vec<u8>, from: u32, n: u32, v: u8) {
///         spec   => spec::set(&arr, from, n, v),
///         real   => wordarray::set(arr, from, n, v),
///         relate => |spec, real| spec == real,
///     }
/// }
/// ```
///
/// Inputs are drawn as in [`macro@property`]: by type, or by `#[from(generator)]`, which is where to say
/// what is well-formed. `spec` gives what must come out, or an `Allowed` (`Outcomes`) when several
/// outcomes are right. The clauses, of which `spec` and `real` are needed:
///
/// | clause | meaning |
/// |---|---|
/// | `abstract name => f(&input)` | an abstract input for `spec`, shown in reports; as many as needed |
/// | `concrete name => g(&input)` | a concrete input for `real`, where what is drawn is a middle ground |
/// | `spec => expression` | what is right; runs before `real` |
/// | `real => expression` | what the implementation does; `?` on its errors fails the case |
/// | `relate => \|spec, real\| condition` | when the two correspond; without it, when they are equal |
/// | `view => \|real\| expression` | instead: what `spec` would call the outcome |
/// | `teardown => \|real\| expression` | frees what the case holds, whatever the verdict |
///
/// Each refinement is a test; `wordarray_set_refinement()` gives its checker, for settings.
/// `#[property(..)]` above it takes the options of a property, `#[example(..)]` a fixed input.
#[proc_macro]
pub fn refinement(input: TokenStream) -> TokenStream {
    refinement::refinement(input.into()).into()
}

/// Makes a typestate API, tests and pictures from a module of states and operations.
///
/// ```ignore
/// #[machine(start = Ready)]
/// pub mod atm {
///     pub enum State { Ready, CardInserted { retries: u8 }, Session }
///     pub enum Op { Insert, CheckPin { pin: u16, ret: Pin }, Dispense { amount: u32 }, Eject }
///     pub enum Pin { Correct, #[weight(4)] Incorrect }
///
///     fn next(s: State, op: Op) -> State {
///         match (s, op) {
///             (Ready, Insert) => CardInserted { retries: 2 },
///             (CardInserted { .. }, CheckPin { ret: Correct, .. }) => Session,
///             (CardInserted { retries: 0 }, CheckPin { ret: Incorrect, .. }) => Ready,
///             (CardInserted { retries }, CheckPin { ret: Incorrect, .. }) => CardInserted { retries: retries - 1 },
///             (Session, Dispense { .. }) => Session,
///             (_, Eject) => Ready,
///         }
///     }
/// }
/// ```
///
/// What `next` does not mention is not possible. It may also return `Option<State>`. In the module:
///
/// | item | meaning |
/// |---|---|
/// | `enum State` | the states with their data |
/// | `enum Op` | the operations with their arguments; a field `ret` (or `#[ret]`) is the result |
/// | `fn next` | where an operation leads; read by the macro, and run by the compiler |
/// | `fn options(s: State, c: &mut Choices) -> Op` | optional: how steps are drawn |
/// | `#[weight(4)]` | on an operation or a variant: how likely it is where steps are drawn |
/// | `#[terminal]` | on a state: the machine may end there |
/// | `#[tracked(0..=2)]`, `#[tracked]` | on a field of a state: it is part of the handle's type |
///
/// `allow(unreachable, never_done, dead_ends, overlaps, hidden)` after the start allows what is
/// otherwise an error: states that cannot be reached, operations that are never done, states in which
/// nothing is possible, guards that overlap, operations that `options` never proposes.
#[proc_macro_attribute]
pub fn machine(options: TokenStream, item: TokenStream) -> TokenStream {
    machine::machine(options.into(), item.into(), home::Home::Stairway).into()
}

/// [`macro@machine`] for crates that depend on `stairway-machine` alone: the same without tests.
#[proc_macro_attribute]
pub fn machine_core(options: TokenStream, item: TokenStream) -> TokenStream {
    machine::machine(options.into(), item.into(), home::Home::Machine).into()
}

/// Makes one machine of several: products, copies, and channels between them.
///
/// ```ignore
/// compose! {
///     /// Two-phase commit.
///     pub mod commit = coordinator * 3 participant;
/// }
/// compose! {
///     pub mod link = sender * receiver;
///     channel data: Send -> Deliver, capacity(2), lossy, duplicating;
///     channel acks: Reply -> Acked, lossy;
/// }
/// ```
///
/// An operation that several parts have, they do together, and fields of one name are one argument. Of copies
/// one takes part; in an operation that is `broadcast`, all do. A channel takes the message (the field that
/// is called like the channel, or the only one) from the operations before the arrow to those behind it. What
/// comes of it is a machine like any other: `System { .. }` is its state, with a field for each part and
/// channel.
#[proc_macro]
pub fn compose(input: TokenStream) -> TokenStream {
    machine::compose(input.into(), home::Home::Stairway).into()
}

/// [`compose!`] for crates that depend on `stairway-machine` alone.
#[proc_macro]
pub fn compose_core(input: TokenStream) -> TokenStream {
    machine::compose(input.into(), home::Home::Machine).into()
}

#[doc(hidden)]
#[proc_macro]
pub fn composed(input: TokenStream) -> TokenStream {
    machine::composed(input.into(), home::Home::Stairway).into()
}

#[doc(hidden)]
#[proc_macro]
pub fn composed_core(input: TokenStream) -> TokenStream {
    machine::composed(input.into(), home::Home::Machine).into()
}

/// Checks temporal properties of a machine while the crate is compiled, and at a hundred times the depth
/// under `cargo test`.
///
/// ```ignore
/// temporal! {
///     /// The PIN phase ends: the card is back or the session is open.
///     pin_phase_ends in atm: always(implies(at(CardInserted { .. }), within(4, at(Ready | Session))))
/// }
/// temporal! { sends_three in arq, random(100), depth(60): eventually(at(Ready { n: 3 })) }
/// ```
///
/// | formula | holds where |
/// |---|---|
/// | `at(pattern)`, `at(pattern if condition)` | the state matches |
/// | `after(pattern)` | the operation that led here matches |
/// | `not(f)`, `and(f, g)`, `or(f, g)`, `implies(f, g)` | as usual |
/// | `next(f)` | `f` holds after the next step |
/// | `always(f)`, `eventually(f)`, `until(f, g)` | from here on |
/// | `within(n, f)`, `within(auto, f)` | `f` holds after at most `n` steps; with `auto` the smallest number is found |
/// | `leads_to(f, g)` | `always(implies(f, eventually(g)))` |
/// | `can_reach(f)`, `can_always(f)` | some run from here reaches a state where `f` holds, or stays in such states |
/// | `inevitably(f)` | all runs from here reach a state where `f` holds |
/// | `fair(op)`, `strongly_fair(op)` | `op` is done again and again if it stays possible, or is possible again and again |
///
/// Options: `proved`, `sampled`, `exhaustive`, `random(100)`, `depth(20)`, `states(1000)`, `seed(1)`,
/// `tests(10000)`, `open`, `vacuous`, and `driven` for formulas about a real system that drives the machine.
#[proc_macro]
pub fn temporal(input: TokenStream) -> TokenStream {
    temporal::temporal(input.into(), home::Home::Stairway).into()
}

/// [`temporal!`] for crates that depend on `stairway-machine` alone: checked by the compiler, and not under
/// `cargo test`.
#[proc_macro]
pub fn temporal_core(input: TokenStream) -> TokenStream {
    temporal::temporal(input.into(), home::Home::Machine).into()
}

/// Checks that a machine is a more detailed description of another one, while the crate is compiled: each of
/// its steps is a step of the other one, by what a function makes of its states, or leaves that state as it
/// is.
///
/// ```ignore
/// const fn as_lock(s: ticket::State) -> lock::State { .. }
/// refines! { tickets_lock: ticket refines lock by as_lock }
/// ```
#[proc_macro]
pub fn refines(input: TokenStream) -> TokenStream {
    temporal::refines(input.into(), home::Home::Stairway).into()
}

/// [`refines!`] for crates that depend on `stairway-machine` alone.
#[proc_macro]
pub fn refines_core(input: TokenStream) -> TokenStream {
    temporal::refines(input.into(), home::Home::Machine).into()
}

/// Checks a property of `const fn`s while the crate is compiled, and with a hundred times as many inputs
/// under `cargo test`.
///
/// ```ignore
/// const_property! { reversing_twice(n: usize in 0..=6, xs: [u8; n]): is_same(reverse(reverse(xs)), xs) }
/// const_property! { halves(x: u16) if x % 2 == 0, random(50): x / 2 * 2 == x }
/// ```
#[proc_macro]
pub fn const_property(input: TokenStream) -> TokenStream {
    temporal::const_property(input.into()).into()
}

/// A test that a program is rejected by the compiler with a given message.
///
/// ```ignore
/// failing! {
///     dispense_needs_a_session: "`dispense` is not possible when `atm` is in state `CardInserted`"
///     {
///         use bank::atm::*;
///         fn main() { start().insert().dispense(42); }
///     }
/// }
/// ```
#[proc_macro]
pub fn failing(input: TokenStream) -> TokenStream {
    failing::failing(input.into()).into()
}

/// Makes values of a type from its fields.
///
/// Fields are drawn by `any()`, or by the generator in `#[from(generator)]` (`#[from(just(0))]`
/// for one that should not vary). The variants of an enum are equally likely unless some have a
/// `#[weight(n)]`; the others then weigh 1, and one that weighs 0 is never made. Recursive types
/// end by themselves: the deeper a value is, the rarer are the variants that hold further ones.
///
/// ```ignore
/// #[derive(Arbitrary)]
/// enum Tree {
///     Leaf,
///     Node(Box<Tree>, #[from(0..100)] u32, Box<Tree>),
/// }
/// ```
///
/// A `#[from]` without a generator is left to the other derives that know it.
#[proc_macro_derive(Arbitrary, attributes(from, weight))]
pub fn derive_arbitrary(item: TokenStream) -> TokenStream {
    arbitrary::derive(item.into()).into()
}

/// Writes a value as the Rust source that makes it, for reproducers that can be pasted.
///
/// ```ignore
/// #[derive(ToSource)]
/// struct Point { x: i32, y: i32 }        // is written as: Point { x: 1, y: 2 }
/// ```
#[proc_macro_derive(ToSource, attributes(from, weight))]
pub fn derive_to_source(item: TokenStream) -> TokenStream {
    to_source::derive(item.into()).into()
}
