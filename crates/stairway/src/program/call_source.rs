//! Renders each call as Rust source while it executes, so that a failing program can be printed as a test
//! even if the call panics.
//!
//! A macro describes the operation and the arguments that were drawn for it. Whether an argument is passed by
//! value or by reference depends on the signature of what is called and is known only when the call is made,
//! so [`CallWriter`] writes when it is dropped. Where the call may take the process with it, a listener
//! receives the call as far as it is known before it is made. How a test is made of such steps is decided in
//! `reproducer_program.rs`.

use super::step_source::{
    self, AnswerPart, Binding, LentSource, ModelSource, OracleSource, ResultUse, StepSource, result_name,
};
use crate::oracle::Oracle;
use stairway_engine::{Attachment, Case};
use std::cell::{Cell, RefCell};

pub use super::type_names::{path_of, type_of};

/// How an argument is passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PassingMode {
    /// By value.
    #[default]
    Value,
    /// By reference.
    Shared,
    /// By mutable reference.
    Mutable,
    /// As `&str`.
    Text,
    /// As a slice.
    Slice,
    /// By value as far as is known; which argument it is, for whoever listens.
    Guessed(u8),
}

thread_local! {
    /// Who is told of calls before they are made.
    static LISTENER: Cell<Option<fn(&StepSource)>> = const { Cell::new(None) };
    /// The call that is being made, if somebody listens.
    static CALL: RefCell<Option<(CallDescription, Vec<Cell<PassingMode>>)>> = const { RefCell::new(None) };
}

thread_local! {
    /// What the call on its way turned out to answer, where that decides how it is written.
    static ANSWER: Cell<AnswerUse> = const { Cell::new(AnswerUse { owned: None, kept: None }) };
}

/// What is done with an answer.
#[derive(Clone, Copy, Debug)]
struct AnswerUse {
    /// How it is made owned, written of the call.
    owned: Option<fn(&str) -> String>,
    /// How the result that later steps refer to is got from it, or that there is none; nothing where
    /// that is known before.
    kept: Option<Option<&'static str>>,
}

/// The result that later steps refer to is got like this from the answer; or there is none.
pub(super) fn kept(how: Option<&'static str>) {
    ANSWER.set(AnswerUse { kept: Some(how), ..ANSWER.get() });
}

/// The answer is made an owned one like this.
pub(crate) fn owned(how: fn(&str) -> String) {
    ANSWER.set(AnswerUse { owned: Some(how), ..ANSWER.get() });
}

/// Has `told` told of each call before it is made, on this thread; or nobody.
pub(crate) fn listen(told: Option<fn(&StepSource)>) {
    LISTENER.set(told);
    CALL.take();
}

/// An argument of the call that is being made is passed in another way than by value.
#[cold]
pub(super) fn decide(argument: u8, how: PassingMode) {
    CALL.with_borrow(|call| {
        if let (Some((described, passed)), Some(told)) = (call, LISTENER.get()) {
            if let Some(guessed) = passed.get(usize::from(argument)) {
                guessed.set(how);
            }
            told(&described.code(passed));
        }
    });
}

/// How the arguments of one call were passed, in order.
pub type PassingModes<const N: usize> = [Cell<PassingMode>; N];

/// Nothing was passed yet.
#[inline]
#[must_use]
pub const fn passed<const N: usize>() -> PassingModes<N> {
    [const { Cell::new(PassingMode::Value) }; N]
}

/// How an owned value is lent to a parameter, as the type of the parameter has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lending {
    /// It is not: the parameter owns it.
    Owned,
    /// As `&str`. Its source is a literal, which is one already.
    Text,
    /// As a slice.
    Slice,
    /// By reference.
    Shared,
    /// By mutable reference.
    Mutable,
}

/// A parameter for which a value is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its type as it was written; empty if that means nothing elsewhere.
    pub ty: &'static str,
    /// How a value is lent to it.
    pub lending: Lending,
    /// The paths by which its type names others: a value is written with the last names alone.
    pub imports: &'static [&'static str],
}

impl Parameter {
    /// A value as the parameter takes it, given as source: owned, and as what borrows it.
    pub(crate) fn lend(&self, value: &str, lent: &LentSource) -> String {
        match self.lending {
            Lending::Owned | Lending::Text => value.to_string(),
            Lending::Slice => lent.text.clone(),
            Lending::Shared => signed("&", value, lent.is_loose),
            Lending::Mutable => signed("&mut ", value, lent.is_loose),
        }
    }

    /// The statement that gives such a value the parameter's name.
    pub(crate) fn bind(&self, value: &str, lent: &LentSource) -> String {
        let Parameter { name, ty, .. } = self;
        let ty = if ty.is_empty() { String::new() } else { format!(": {ty}") };
        format!("let {name}{ty} = {};", self.lend(value, lent))
    }
}

/// A value that was drawn.
#[derive(Clone, Debug)]
pub struct Value {
    /// The parameter it was drawn for.
    pub parameter: Parameter,
    /// The value as Rust source.
    pub text: String,
    /// The same for a parameter that borrows it.
    pub lent: LentSource,
    /// Whether it is source.
    pub is_source: bool,
}

impl Value {
    /// The value as the parameter's type has it.
    fn lent(&self) -> String {
        self.parameter.lend(&self.text, &self.lent)
    }

    fn is_text(&self) -> bool {
        self.parameter.lending == Lending::Text
    }

    /// The value as a call takes it.
    fn passed(&self, how: PassingMode) -> String {
        let owned = if self.is_text() { format!("String::from({})", self.text) } else { self.text.clone() };
        match how {
            PassingMode::Value | PassingMode::Guessed(_) => owned,
            PassingMode::Text if self.is_text() => self.text.clone(),
            PassingMode::Text | PassingMode::Slice => self.lent.text.clone(),
            PassingMode::Shared => signed("&", &owned, self.lent.is_loose),
            PassingMode::Mutable => signed("&mut ", &owned, self.lent.is_loose),
        }
    }

    /// The statement that gives it its name.
    pub(crate) fn bound(&self) -> Binding {
        let statement = self.parameter.bind(&self.text, &self.lent);
        Binding { name: self.parameter.name.to_string(), statement }
    }
}

/// Keeps a value that a case draws before its first step as an argument for a parameter that borrows it.
#[must_use]
pub fn lent(value: LentSource) -> Attachment {
    Attachment::new(value)
}

/// A value as source with `&` or `&mut` before it, in parentheses where that would take only a part of it.
#[must_use]
pub fn signed(sign: &str, value: &str, is_loose: bool) -> String {
    if is_loose && !sign.is_empty() { format!("{sign}({value})") } else { format!("{sign}{value}") }
}

/// An argument of an operation.
#[derive(Clone, Debug)]
pub enum CallArgument {
    /// A value.
    Value(Value),
    /// The result of an earlier step.
    Result {
        /// The parameter's name.
        name: &'static str,
        /// The step, from 0.
        step: u32,
        /// Which of several results of the step, from 1; 0 for the only one.
        nth: u32,
        /// Whether it is gone afterwards.
        is_consumed: bool,
    },
    /// The result of this very step, which only the model is given: the step, from 0, and which of its results
    /// it is.
    OwnResult(u32, u32),
    /// What the system answered, which only the model is given; whether by reference.
    Answer(bool),
}

/// What a step does to the model.
#[derive(Clone, Debug)]
pub enum ModelStep {
    /// What the model's method of this name does.
    Method(&'static str),
    /// It becomes what the abstraction at this path sees in the system.
    Abstraction(String),
    /// One of several things.
    Open,
}

/// What is called instead of a method, as it is written in the model.
#[derive(Clone, Copy, Debug)]
pub struct WrittenCall {
    /// The expression.
    pub text: &'static str,
    /// The parameters that are mentioned there.
    pub mentioned: &'static [&'static str],
    /// Whether the system is passed on or assigned to, for which it has to be a reference.
    pub is_lent: bool,
}

/// An operation that is about to be done.
#[derive(Clone, Debug)]
pub struct CallDescription {
    /// The system's method.
    pub method: &'static str,
    /// What is called instead of it, and the parameters that are mentioned there.
    pub call: Option<WrittenCall>,
    /// The arguments, in order.
    pub given: Vec<CallArgument>,
    /// What it does to the model.
    pub follow: ModelStep,
    /// Whether it is awaited.
    pub is_async: bool,
    /// The function that runs it then; empty for ours, which a test brings along.
    pub executor: &'static str,
    /// The paths by which the type of the answer names others.
    pub imports: &'static [&'static str],
    /// The argument that is in charge on both sides rather than passed to the system: its name, and itself.
    pub oracle: Option<(&'static str, Oracle)>,
}

impl CallDescription {
    fn code(&self, passed: &[Cell<PassingMode>]) -> StepSource {
        let oracle = self.oracle.as_ref().map(|(_, oracle)| OracleSource::of(oracle));
        let model = match &self.follow {
            ModelStep::Method(name) => {
                let arguments: Vec<String> = self.given.iter().map(CallArgument::for_the_model).collect();
                let takes_answer = self.given.iter().any(|given| matches!(given, CallArgument::Answer(_)));
                let call = format!("model.{name}({})", arguments.join(", "));
                ModelSource::Call { text: in_charge(oracle.as_ref(), call), takes_answer }
            }
            ModelStep::Abstraction(of) => ModelSource::Seen(format!("{of}(&system)")),
            ModelStep::Open => ModelSource::Open,
        };
        let (bindings, call, missing) = match self.call {
            Some(WrittenCall { text, mentioned, .. }) => {
                let (bindings, call) = own_names(self.bindings(mentioned), text);
                (bindings, call, None)
            }
            None => (Vec::new(), self.method_call(passed), self.overlap(passed)),
        };
        let results = self.results(passed);
        let missing =
            missing.or_else(|| self.given.iter().find_map(CallArgument::missing)).unwrap_or_default();
        let result =
            self.given.iter().any(|given| matches!(given, CallArgument::OwnResult(..))).then(String::new);
        let names = self.given.iter().filter_map(CallArgument::named).collect();
        let is_async = self.is_async && self.executor.is_empty();
        let call =
            if self.is_async && !is_async { format!("{}(async {{ {call} }})", self.executor) } else { call };
        let lends_system = self.call.is_some_and(|call| call.is_lent);
        let values = self.given.iter().filter_map(|given| match given {
            CallArgument::Value(value) => Some(value.parameter.imports),
            _ => None,
        });
        let imports = values.chain([self.imports]).flatten().map(|path| (*path).to_string()).collect();
        StepSource {
            imports,
            bindings,
            call,
            results,
            model,
            names,
            result,
            is_async,
            missing,
            lends_system,
            oracle,
            ..StepSource::default()
        }
    }

    /// The results of earlier steps that the call is given, and how.
    fn results(&self, passed: &[Cell<PassingMode>]) -> Vec<ResultUse> {
        let one = |(argument, (given, how)): (usize, (&CallArgument, PassingMode))| match given {
            CallArgument::Result { name, step, nth, is_consumed } => {
                let is_changed = match self.call {
                    Some(WrittenCall { mentioned, .. }) if !mentioned.contains(name) => return None,
                    // A call that is written out is given a reference.
                    Some(_) => !is_consumed,
                    None => how == PassingMode::Mutable,
                };
                Some(ResultUse { step: *step, nth: *nth, is_changed, argument })
            }
            _ => None,
        };
        self.for_the_system(passed).enumerate().filter_map(one).collect()
    }

    fn bindings(&self, mentioned: &[&str]) -> Vec<Binding> {
        let bound = |given: &CallArgument| match given {
            CallArgument::Value(value) if mentioned.contains(&value.parameter.name) => Some(value.bound()),
            CallArgument::Result { name, step, nth, is_consumed } if mentioned.contains(name) => {
                let result = result_name(*step, *nth);
                let statement = match is_consumed {
                    true => format!("let mut {name} = {result};"),
                    false => format!("let {name} = &mut {result};"),
                };
                Some(Binding { name: (*name).to_string(), statement })
            }
            _ => None,
        };
        self.given.iter().filter_map(bound).collect()
    }

    fn method_call(&self, passed: &[Cell<PassingMode>]) -> String {
        let arguments: Vec<String> =
            self.for_the_system(passed).map(|(given, how)| given.passed(how)).collect();
        let call = format!("system.{}({})", self.method, arguments.join(", "));
        if self.is_async { format!("{call}.await") } else { call }
    }

    fn for_the_system<'d>(
        &'d self,
        passed: &'d [Cell<PassingMode>],
    ) -> impl Iterator<Item = (&'d CallArgument, PassingMode)> {
        let given = self
            .given
            .iter()
            .filter(|given| matches!(given, CallArgument::Value(_) | CallArgument::Result { .. }))
            .filter(|given| !self.is_in_charge(given));
        given.zip(passed).map(|(given, how)| (given, how.get()))
    }

    /// Whether an argument is the oracle.
    fn is_in_charge(&self, given: &CallArgument) -> bool {
        matches!((given, &self.oracle), (CallArgument::Value(value), Some((name, _))) if value.parameter.name == *name)
    }

    /// Why one result cannot be passed twice, if it is.
    fn overlap(&self, passed: &[Cell<PassingMode>]) -> Option<String> {
        let mut seen: Vec<((u32, u32), PassingMode)> = Vec::new();
        for (given, how) in self.for_the_system(passed) {
            let CallArgument::Result { step, nth, .. } = given else { continue };
            let twice = seen.iter().find(|(other, _)| *other == (*step, *nth));
            if twice.is_some_and(|(_, other)| *other == PassingMode::Mutable || how == PassingMode::Mutable) {
                return Some(format!("`{}` borrows {} twice", self.method, result_name(*step, *nth)));
            }
            seen.push(((*step, *nth), how));
        }
        None
    }
}

impl CallArgument {
    fn for_the_model(&self) -> String {
        match self {
            CallArgument::Value(value) => value.lent(),
            CallArgument::Result { step, nth, .. } => reference(*step, *nth),
            CallArgument::OwnResult(step, nth) => reference(*step, *nth),
            CallArgument::Answer(true) => "&answer".to_string(),
            CallArgument::Answer(false) => "answer.clone()".to_string(),
        }
    }

    fn passed(&self, how: PassingMode) -> String {
        match self {
            CallArgument::Value(value) => value.passed(how),
            CallArgument::Result { step, nth, is_consumed, .. } => {
                let name = result_name(*step, *nth);
                match how {
                    PassingMode::Value | PassingMode::Guessed(_) if *is_consumed => name,
                    PassingMode::Value | PassingMode::Guessed(_) => format!("{name}.clone()"),
                    PassingMode::Mutable => format!("&mut {name}"),
                    _ => format!("&{name}"),
                }
            }
            CallArgument::OwnResult(..) | CallArgument::Answer(_) => String::new(),
        }
    }

    /// The statement that gives the model's argument its name.
    fn named(&self) -> Option<Binding> {
        match self {
            CallArgument::Value(value) => Some(value.bound()),
            CallArgument::Result { name, step, nth, .. } => {
                let statement = format!("let {name} = {};", reference(*step, *nth));
                Some(Binding { name: (*name).to_string(), statement })
            }
            CallArgument::OwnResult(..) | CallArgument::Answer(_) => None,
        }
    }

    fn missing(&self) -> Option<String> {
        match self {
            CallArgument::Value(value) if !value.is_source => Some(not_source(value.parameter.name)),
            _ => None,
        }
    }
}

/// An expression with the oracle in charge, where there is one.
pub(crate) fn in_charge(oracle: Option<&OracleSource>, expression: String) -> String {
    match oracle {
        Some(OracleSource { text, .. }) => format!("{text}.during(|| {expression})"),
        None => expression,
    }
}

/// A result as the model knows it.
fn reference(step: u32, nth: u32) -> String {
    match nth {
        0 => format!("Ref::of_step({step})"),
        nth => format!("Ref::of_result({step}, {nth})"),
    }
}

/// Names that a test gives to other things are given inside the call only.
fn own_names(bindings: Vec<Binding>, call: &str) -> (Vec<Binding>, String) {
    let is_ours = |Binding { name, .. }: &Binding| {
        let is_result = name.strip_prefix('r').is_some_and(|n| n.parse::<u32>().is_ok());
        is_result || ["model", "answer", "before", "result", "block_on"].contains(&&**name)
    };
    if bindings.iter().any(is_ours) {
        let statements: Vec<String> = bindings.into_iter().map(|binding| binding.statement).collect();
        return (Vec::new(), format!("{{ {} {call} }}", statements.join(" ")));
    }
    (bindings, call.to_string())
}

/// What to do about a value that cannot be written.
pub(crate) fn not_source(name: &str) -> String {
    format!("derive `ToSource` for the type of `{name}`")
}

thread_local! {
    /// The parts of the answer that are being named, the innermost tuple or vector last.
    static PARTS: RefCell<Vec<Vec<AnswerPart>>> = const { RefCell::new(Vec::new()) };
    /// Where the results of the call that is being written are in its answer, if there are several.
    static SEVERAL: RefCell<Option<AnswerPart>> = const { RefCell::new(None) };
}

/// The parts of a tuple or vector of results come next.
pub(super) fn begin_parts() {
    PARTS.with_borrow_mut(|parts| parts.push(Vec::new()));
}

/// A part of an answer with several results.
pub(super) fn part(part: AnswerPart) {
    PARTS.with_borrow_mut(|parts| {
        if let Some(parts) = parts.last_mut() {
            parts.push(part);
        }
    });
}

/// All parts were named.
pub(super) fn end_parts(is_list: bool) {
    let Some(parts) = PARTS.with_borrow_mut(Vec::pop) else { return };
    let whole = if is_list { AnswerPart::List(parts) } else { AnswerPart::Tuple(parts) };
    if PARTS.with_borrow(Vec::is_empty) {
        SEVERAL.set(Some(whole));
    } else {
        part(whole);
    }
}

/// A call on its way: writes it down once it is over, whichever way it ended.
#[derive(Debug)]
pub struct CallWriter<'w> {
    code: &'w mut StepSource,
    passed: &'w [Cell<PassingMode>],
    described: CallDescription,
}

impl<'w> CallWriter<'w> {
    /// Begins to write.
    pub(super) fn new(
        code: &'w mut StepSource,
        passed: &'w [Cell<PassingMode>],
        described: CallDescription,
    ) -> Self {
        ANSWER.set(AnswerUse { owned: None, kept: None });
        PARTS.take();
        SEVERAL.take();
        CallWriter { code, passed, described }
    }

    /// Begins to write the only call of a step, of which whoever listens is told.
    pub(super) fn told(
        code: &'w mut StepSource,
        passed: &'w [Cell<PassingMode>],
        described: CallDescription,
    ) -> Self {
        if let Some(told) = LISTENER.get() {
            for (k, how) in (0..).zip(passed) {
                how.set(PassingMode::Guessed(k));
            }
            told(&described.code(passed));
            CALL.set(Some((described.clone(), passed.to_vec())));
        }
        CallWriter::new(code, passed, described)
    }
}

impl Drop for CallWriter<'_> {
    fn drop(&mut self) {
        let shows_name = self.code.shows_name;
        *self.code = StepSource { shows_name, ..self.described.code(self.passed) };
        let AnswerUse { owned, kept } = ANSWER.get();
        if let Some(owned) = owned {
            self.code.call = owned(&self.code.call);
        }
        if let Some(kept) = kept {
            self.code.result = kept.map(str::to_string);
        }
        if let Some(several) = SEVERAL.take() {
            self.code.result.get_or_insert_default();
            self.code.several = Some(several);
        }
    }
}

/// Makes the call of a step one that is to panic, and says whether it did.
pub(super) fn expect_panic(code: &mut StepSource, has_panicked: bool) {
    code.call =
        format!("std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {{ {}; }})).is_err()", code.call);
    // The model stays as it is.
    code.model = ModelSource::Call { text: "()".to_string(), takes_answer: false };
    code.answer = has_panicked.into();
    code.result = None;
    if !has_panicked {
        code.expected = vec![true.into()];
    }
}

/// Where the end of a program is written down, if it is shown.
pub fn code_of_the_end<'c>(case: &'c mut Case<'_>) -> Option<&'c mut StepSource> {
    if !case.is_detailed() {
        return None;
    }
    step_source::of_latest(case.observed())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(ty: &'static str, lending: Lending, text: &str, lent: &str) -> Value {
        let parameter = Parameter { name: "v", ty, lending, imports: &["shapes::Point"] };
        let lent = LentSource { text: lent.to_string(), is_loose: false };
        Value { parameter, text: text.to_string(), lent, is_source: true }
    }

    #[test]
    fn values_are_passed_as_the_signature_wants_them() {
        let hows = [PassingMode::Value, PassingMode::Shared, PassingMode::Mutable, PassingMode::Text];
        let text = value("&str", Lending::Text, "\"a\"", "\"a\"");
        assert_eq!(
            hows.map(|how| text.passed(how)),
            ["String::from(\"a\")", "&String::from(\"a\")", "&mut String::from(\"a\")", "\"a\""]
        );
        let owned = value("String", Lending::Owned, "String::from(\"a\")", "\"a\"");
        assert_eq!(owned.passed(PassingMode::Text), "\"a\"");
        let list = value("Vec<u8>", Lending::Owned, "vec![1, 2]", "&[1, 2]");
        assert_eq!(list.passed(PassingMode::Slice), "&[1, 2]");
        let bound = |ty, lending, text, lent| value(ty, lending, text, lent).bound().statement;
        assert_eq!(bound("&[u8]", Lending::Slice, "vec![1]", "&[1]"), "let v: &[u8] = &[1];");
        assert_eq!(
            bound("&mut Vec<u8>", Lending::Mutable, "vec![1]", "&[1]"),
            "let v: &mut Vec<u8> = &mut vec![1];"
        );
        assert_eq!(bound("", Lending::Owned, "3", "&3"), "let v = 3;");
        let mut range = value("&Range<u8>", Lending::Shared, "0..3", "&(0..3)");
        range.lent.is_loose = true;
        assert_eq!(range.passed(PassingMode::Mutable), "&mut (0..3)");
        assert_eq!(range.bound().statement, "let v: &Range<u8> = &(0..3);");
    }

    #[test]
    fn a_call_is_written_when_it_is_over_even_by_a_panic() {
        let mut code = StepSource::default();
        let hows = passed::<2>();
        let described = CallDescription {
            method: "write",
            call: None,
            given: vec![
                CallArgument::Result { name: "h", step: 0, nth: 0, is_consumed: false },
                CallArgument::Answer(true),
                CallArgument::Value(value("i32", Lending::Owned, "3", "&3")),
            ],
            follow: ModelStep::Method("write"),
            is_async: false,
            executor: "",
            imports: &["shapes::Line"],
            oracle: None,
        };
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _writing = CallWriter::new(&mut code, &hows, described);
            hows[0].set(PassingMode::Mutable);
            std::panic::resume_unwind(Box::new(()));
        }));
        assert!(ended.is_err());
        assert_eq!(code.call, "system.write(&mut r1, 3)");
        assert_eq!(code.imports, ["shapes::Point", "shapes::Line"]);
        let text = "model.write(Ref::of_step(0), &answer, 3)".to_string();
        assert_eq!(code.model, ModelSource::Call { text, takes_answer: true });
        let names: Vec<&str> = code.names.iter().map(|binding| &*binding.statement).collect();
        assert_eq!(names, ["let h = Ref::of_step(0);", "let v: i32 = 3;"]);
        assert_eq!(code.results, [ResultUse { step: 0, nth: 0, is_changed: true, argument: 0 }]);
    }

    #[test]
    fn a_name_that_the_test_needs_is_given_in_the_call() {
        let bindings =
            |name: &str| vec![Binding { name: name.to_string(), statement: format!("let {name}: u8 = 1;") }];
        assert_eq!(own_names(bindings("n"), "f(n)"), (bindings("n"), "f(n)".to_string()));
        for name in ["model", "r12"] {
            let (bindings, call) = own_names(bindings(name), "f()");
            assert_eq!((bindings.len(), call), (0, format!("{{ let {name}: u8 = 1; f() }}")));
        }
    }
}
