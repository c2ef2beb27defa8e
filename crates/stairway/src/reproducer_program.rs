//! A failing program as code: a Rust test that fails on its own.
//!
//! Puts a test together from the steps of a counterexample as source and from how its program begins. The
//! test of a model has the system alone wherever the right answer can be written down; where what fails
//! speaks of the model, both run side by side. Of a contract there are the calls, which check themselves; of
//! a law, one block for each side and the comparison that fails. What cannot be written is said instead.

use crate::failure_words;
use crate::program::call_source::{Parameter, in_charge};
use crate::program::step_source::{
    AnswerSource, ModelSource, StepSource, lent, of as source_of, result_name,
};
use crate::reproducer_driver::DriverSource;
use crate::reproducer_law;
use crate::source::SourceForm;
use crate::source_lines::{Lines, first_line, snake_case};
use stairway_engine::{Counterexample, FailureKind, Moment, Party, ShownStep};

/// What was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// A property.
    #[default]
    Property,
    /// A system beside its model.
    Model,
    /// A model by itself.
    ModelAlone,
    /// What is behind a machine.
    Driver,
    /// The contracts of one or more types.
    Contracts,
    /// A law.
    Law,
    /// An implementation beside its specification.
    Refinement,
    /// The properties of a program on a board.
    Board,
}

/// How the programs of a model begin, as source text.
#[derive(Clone, Debug)]
pub struct Start {
    /// The model's type, as a path.
    pub model: String,
    /// The name of its start.
    pub start: &'static str,
    /// The start's parameters.
    pub parameters: &'static [Parameter],
    /// Whether all of them can be written as Rust source.
    pub is_pasteable: bool,
    /// The expression that makes the system, if it stands by itself.
    pub system: &'static str,
    /// The system's type, where it has to be said.
    pub system_type: String,
    /// The parameters that the expression mentions.
    pub mentioned: &'static [&'static str],
    /// The name of the abstraction; may be empty.
    pub of: &'static str,
    /// The invariants, and what a test states of each.
    pub invariants: Vec<(&'static str, String)>,
    /// Whether there is no system.
    pub is_model_alone: bool,
    /// Whether the start has to be awaited.
    pub is_async: bool,
    /// Who runs what is awaited, as a test calls it; empty where a function of the test's own does.
    pub executor: String,
}

/// How programs begin, as source text.
#[derive(Clone, Debug)]
pub(crate) enum ProgramStart {
    /// With a model and a system.
    Model(Start),
    /// With what is behind a machine.
    Driver(DriverSource),
}

/// What is needed to write a test.
pub(crate) struct Program<'r> {
    pub(crate) name: &'r str,
    pub(crate) subject: Subject,
    pub(crate) start: Option<&'r Start>,
    pub(crate) behind: Option<&'r DriverSource>,
    pub(crate) found: &'r Counterexample,
}

/// Why there is no test; empty if that needs no words.
pub(crate) type NoTestReason = String;

/// Tests are at most this long.
pub(crate) const MAX_LINES: usize = 120;

const BY_HAND: &str =
    "there is no test to paste: operations that are closures, made at run time, have no source";

impl Program<'_> {
    /// The test.
    pub(crate) fn test(&self) -> Result<String, NoTestReason> {
        if let Some(behind) = self.behind {
            return behind.test(self);
        }
        let mut lines = Lines::default();
        let steps = self.steps();
        let sides =
            || steps.iter().flat_map(|step| source_of(step).sides.iter().flatten()).map(|side| &side.source);
        let started =
            self.start.into_iter().flat_map(|start| start.parameters).flat_map(|p| p.imports).copied();
        let done = steps.iter().map(source_of).chain(sides()).flat_map(|code| &code.imports);
        lines.import(started.chain(done.map(String::as_str)));
        let is_start_awaited = self.start.is_some_and(|start| start.is_async && start.executor.is_empty());
        if is_start_awaited || steps.iter().map(source_of).chain(sides()).any(|code| code.is_async) {
            lines.block_on();
        }
        match self.subject {
            Subject::Property | Subject::Refinement | Subject::Driver | Subject::Board => {
                return Err(NoTestReason::new());
            }
            Subject::Contracts => self.contracts(&mut lines)?,
            Subject::Law => reproducer_law::write(self, &mut lines)?,
            Subject::Model | Subject::ModelAlone => self.model(&mut lines)?,
        }
        let body = lines.text();
        if body.lines().count() > MAX_LINES {
            return Err(format!("there is no test to paste: it would be longer than {MAX_LINES} lines"));
        }
        let name = snake_case(self.name);
        Ok(format!("#[test]\nfn {name}_counterexample() {{\n{body}}}\n"))
    }

    pub(crate) fn steps(&self) -> &[ShownStep] {
        &self.found.observed.steps
    }

    pub(crate) fn is_panic(&self) -> bool {
        self.has_panicked() || self.found.failure.place.is_some()
    }

    /// Whether the code under test panicked.
    fn has_panicked(&self) -> bool {
        matches!(self.found.failure.kind, FailureKind::Panic(Party::System))
    }

    /// What is said of the failure in one line.
    pub(crate) fn message(&self) -> String {
        // What the words announce is on the next lines.
        first_line(&failure_words::message(&self.found.failure)).trim_end_matches(':').to_string()
    }

    /// Whether all steps can be written.
    pub(crate) fn are_written<'c>(
        &self,
        mut codes: impl Iterator<Item = &'c StepSource>,
    ) -> Result<(), NoTestReason> {
        match codes.find(|code| !code.missing.is_empty()) {
            Some(code) => Err(format!("{} to get this program as a test to paste", code.missing)),
            None => Ok(()),
        }
    }

    /// The first statements: the system, the model, or both.
    pub(crate) fn begin(&self, lines: &mut Lines, has_model: bool) -> Result<(), NoTestReason> {
        let Some(start) = self.start else { return Err(BY_HAND.to_string()) };
        if !start.is_pasteable {
            let why =
                "derive `ToSource` for the parameters of the start to get this program as a test to paste";
            return Err(why.to_string());
        }
        let drawn = &self.found.observed.drawn;
        let values = start.parameters.iter().zip(drawn);
        if !has_model && !start.system.is_empty() {
            for (parameter, drawn) in
                values.filter(|(parameter, _)| start.mentioned.contains(&parameter.name))
            {
                lines.push(parameter.bind(&drawn.value, lent(drawn)));
            }
            let ty = &start.system_type;
            let ty = if ty.is_empty() { String::new() } else { format!(": {ty}") };
            lines.push(format!("let mut system{ty} = {};", start.system));
            self.lend_system(lines);
            return Ok(());
        }
        let arguments: Vec<String> =
            values.map(|(parameter, drawn)| parameter.lend(&drawn.value, lent(drawn))).collect();
        let names = match (has_model, start.is_model_alone) {
            (true, true) => "(mut model, _)",
            (true, false) => "(mut model, mut system)",
            (false, _) => "(_, mut system)",
        };
        let begun = format!("{}::{}({})", start.model, start.start, arguments.join(", "));
        let begun = match (start.is_async, &start.executor[..]) {
            (false, _) => begun,
            (true, "") => format!("block_on({begun})"),
            (true, executor) => format!("{executor}({begun})"),
        };
        lines.push(format!("let {names} = {begun};"));
        self.lend_system(lines);
        Ok(())
    }

    /// Calls that pass the system on were written for a reference to it.
    fn lend_system(&self, lines: &mut Lines) {
        if self.steps().iter().any(|step| source_of(step).lends_system) {
            lines.push("let system = &mut system;".to_string());
        }
    }

    /// The statement of a step that went well.
    pub(crate) fn statement(&self, lines: &mut Lines, k: usize, has_model: bool) {
        let step = &self.steps()[k];
        let StepSource { answer, result, model, bindings, several, .. } = source_of(step);
        let call = called(source_of(step));
        lines.bind(bindings);
        let name = result_name(step.ordinal, 0);
        let later_use = |step, nth| later_use(self.steps()[k + 1..].iter().map(source_of), step, nth);
        if let (Some(several), Some(suffix)) = (several, result) {
            let named = |step, nth| {
                let name = result_name(step, nth);
                match later_use(step, nth) {
                    Some(IsChanged(true)) => format!("mut {name}"),
                    Some(IsChanged(false)) => name,
                    // What nobody names again lives as long as it did.
                    None => format!("_{name}"),
                }
            };
            for statement in several.statements(&format!("{call}{suffix}"), &named) {
                lines.push(statement);
            }
            return;
        }
        match (result, later_use(step.ordinal, 0)) {
            (Some(suffix), Some(IsChanged(is_changed))) => {
                let mutable = if is_changed { "mut " } else { "" };
                lines.push(format!("let {mutable}{name} = {call}{suffix};"));
            }
            _ if has_model && model.takes_answer() => lines.push(format!("let answer = {call};")),
            _ if call == "()" => {}
            _ if step.answer.is_empty() || answer.is_unit() => lines.push(format!("{call};")),
            _ if !answer.is_empty() => lines.push(equal(&call, answer)),
            // It lives as long as it did.
            (Some(_), None) => lines.push(format!("let _{name} = {call};")),
            (None, _) if source_of(step).is_opaque => lines.push(format!("let _ = {call};")),
            (None, _) => lines.note(format!("let _ = {call};"), &format!("-> {}", first_line(&step.answer))),
        }
        if has_model {
            lines.push(format!("{};", model.text()));
        }
    }

    fn contracts(&self, lines: &mut Lines) -> Result<(), NoTestReason> {
        let Some((last, earlier)) = self.steps().split_last() else { return Err(NoTestReason::new()) };
        if self.found.failure.kind == FailureKind::Stuck {
            return Err(NoTestReason::new());
        }
        self.are_written(self.steps().iter().map(source_of))?;
        for k in 0..earlier.len() {
            self.statement(lines, k, false);
        }
        let panics = if self.has_panicked() { "panics here: " } else { "" };
        lines.note(format!("{};", called(source_of(last))), &format!("{panics}{}", self.message()));
        Ok(())
    }

    fn model(&self, lines: &mut Lines) -> Result<(), NoTestReason> {
        let Some((last, earlier)) = self.steps().split_last() else { return self.at_the_start(lines) };
        let start = self.start.ok_or(BY_HAND)?;
        self.are_written(self.steps().iter().map(source_of))?;
        let ending = Ending::of(self, last);
        let can_follow = self.steps().iter().all(|step| !source_of(step).model.is_open());
        let has_model = start.is_model_alone || ending.needs_model();
        if has_model && self.steps().iter().any(|step| source_of(step).several.is_some()) {
            let why = "there is no test to paste: the model is told of several results at once";
            return Err(why.to_string());
        }
        if has_model && !can_follow || start.is_model_alone && ending != Ending::Claim {
            return Err(NoTestReason::new());
        }
        self.begin(lines, has_model)?;
        for (k, step) in earlier.iter().enumerate() {
            if start.is_model_alone {
                lines.push(format!("{};", source_of(step).model.text()));
            } else {
                self.statement(lines, k, has_model);
            }
        }
        self.ending(lines, ending, start.is_model_alone)
    }

    /// What goes wrong before the first step.
    fn at_the_start(&self, lines: &mut Lines) -> Result<(), NoTestReason> {
        let Some(start) = self.start else { return Err(NoTestReason::new()) };
        let claim = match &self.found.failure.kind {
            FailureKind::Invariant { name, moment: Moment::Start } => {
                let known = start.invariants.iter().find(|(known, _)| known == name);
                format!("assert!({});", known.ok_or_else(NoTestReason::new)?.1)
            }
            FailureKind::StartsApart => format!("assert!({}::{}(&system) == model);", start.model, start.of),
            FailureKind::Panic(Party::Start) => {
                lines.comment(&format!("panics here: {}", self.message()));
                return self.begin(lines, true);
            }
            _ => return Err(NoTestReason::new()),
        };
        self.begin(lines, true)?;
        lines.push(claim);
        Ok(())
    }

    /// The last step, at which the test fails.
    fn ending(&self, lines: &mut Lines, ending: Ending, is_model_alone: bool) -> Result<(), NoTestReason> {
        let Some(last) = self.steps().last() else { return Err(NoTestReason::new()) };
        let StepSource { expected, answer, model, bindings, .. } = source_of(last);
        let call = called(source_of(last));
        let shown = first_line(&last.answer);
        if ending != Ending::Claim {
            lines.bind(bindings);
        }
        match ending {
            Ending::Nothing => return Err(NoTestReason::new()),
            Ending::Panic => lines.note(format!("{call};"), &format!("panics here: {}", self.message())),
            Ending::Death => lines.note(format!("{call};"), &self.message()),
            Ending::ModelPanic => {
                if model.takes_answer() {
                    lines.push(format!("let answer = {call};"));
                } else if !answer.is_unit() {
                    lines.push(format!("let _ = {call};"));
                } else if call != "()" {
                    lines.push(format!("{call};"));
                }
                lines.note(format!("{};", model.text()), &format!("panics here: {}", self.message()));
            }
            Ending::Equal if expected.len() == 1 => {
                lines.note(equal(&call, &expected[0]), &format!("answered {shown}"));
            }
            Ending::Equal => {
                let expected: Vec<&str> = expected.iter().map(|answer| &*answer.text).collect();
                let statement = format!("assert!([{}].contains(&{call}));", expected.join(", "));
                lines.note(statement, &format!("answered {shown}"));
            }
            Ending::Beside => {
                lines.push(format!("let answer = {call};"));
                lines.note(format!("assert!({} == answer);", model.text()), &format!("answered {shown}"));
            }
            Ending::Wrong => {
                lines.comment(&self.message());
                lines.push(match &answer.text[..] {
                    "" => format!("assert_ne!(format!(\"{{:?}}\", {call}), {:?});", last.answer),
                    answer => format!("assert_ne!({call}, {answer});"),
                });
            }
            Ending::Claim => self.claim(lines, last, is_model_alone),
        }
        Ok(())
    }

    /// What does not hold of the model and the system after the last step.
    fn claim(&self, lines: &mut Lines, last: &ShownStep, is_model_alone: bool) {
        let StepSource { claim, model, names, answer, .. } = source_of(last);
        let has_before = claim.mentions("before");
        if has_before && !matches!(model, ModelSource::Seen(_)) {
            lines.push("let before = model.clone();".to_string());
        }
        lines.bind(&source_of(last).bindings);
        let call = called(source_of(last));
        let has_result = claim.mentions("result");
        match (is_model_alone, has_result || model.takes_answer()) {
            (true, _) => {}
            (false, true) => lines.push(format!("let answer = {call};")),
            (false, false) if answer.is_empty() || answer.is_unit() => lines.push(format!("{call};")),
            (false, false) => lines.push(equal(&call, answer)),
        }
        lines.push(match model {
            ModelSource::Seen(seen) if has_before => {
                format!("let before = std::mem::replace(&mut model, {seen});")
            }
            _ => format!("{};", model.text()),
        });
        if has_result {
            lines.push("let result = &answer;".to_string());
        }
        for binding in names.iter().filter(|binding| claim.mentions(&binding.name)) {
            lines.push(binding.statement.clone());
        }
        lines.push(format!("assert!({});", claim.text));
    }
}

/// How the test of a model ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// The system panics.
    Panic,
    /// Something else puts an end to it.
    Death,
    /// The model panics.
    ModelPanic,
    /// The answer is not what is written down.
    Equal,
    /// The answer is not the model's.
    Beside,
    /// The answer is known to be wrong.
    Wrong,
    /// A condition does not hold.
    Claim,
    /// There is nothing to say.
    Nothing,
}

impl Ending {
    fn of(program: &Program<'_>, last: &ShownStep) -> Self {
        let (kind, code) = (&program.found.failure.kind, source_of(last));
        let can_follow = program.steps().iter().all(|step| !source_of(step).model.is_open());
        if matches!(kind, FailureKind::Panic(Party::Specification)) {
            // Only a step that is not over has no state.
            return if last.state.is_empty() && can_follow { Ending::ModelPanic } else { Ending::Nothing };
        }
        if matches!(kind, FailureKind::Answer { .. }) {
            return match (code.expected.is_empty(), can_follow) {
                (false, _) => Ending::Equal,
                (true, true) => Ending::Beside,
                (true, false) if code.is_opaque => Ending::Nothing,
                (true, false) => Ending::Wrong,
            };
        }
        match () {
            () if !code.claim.is_empty() => Ending::Claim,
            () if program.is_panic() => Ending::Panic,
            () if matches!(kind, FailureKind::Stuck | FailureKind::Specification(_)) => Ending::Nothing,
            () => Ending::Death,
        }
    }

    const fn needs_model(self) -> bool {
        matches!(self, Ending::ModelPanic | Ending::Beside | Ending::Claim)
    }
}

/// The statement that a call answers this.
fn equal(call: &str, answer: &AnswerSource) -> String {
    let AnswerSource { text, form } = answer;
    match form {
        // What is in an empty list is not known where more than one type can be compared with it.
        SourceForm::EmptyList => format!("assert!({call}.is_empty());"),
        // Both are of the same type here.
        SourceForm::OpenElements => format!("assert!([{text}].contains(&{call}));"),
        SourceForm::Plain | SourceForm::Unit => format!("assert_eq!({call}, {text});"),
    }
}

/// The call as an expression.
pub(crate) fn called(code: &StepSource) -> String {
    let call = if code.is_async { format!("block_on(async {{ {} }})", code.call) } else { code.call.clone() };
    in_charge(code.oracle.as_ref(), call)
}

/// A result is used later; whether it may be changed then.
pub(crate) struct IsChanged(pub(crate) bool);

/// Whether one of these steps is given a result.
pub(crate) fn later_use<'s>(
    steps: impl Iterator<Item = &'s StepSource>,
    step: u32,
    nth: u32,
) -> Option<IsChanged> {
    let sources = steps.flat_map(|source| {
        let sides = source.sides.iter().flatten().map(|side| &side.source);
        std::iter::once(source).chain(sides)
    });
    let uses = sources.flat_map(|source| &source.results).filter(|used| (used.step, used.nth) == (step, nth));
    uses.map(|used| used.is_changed).reduce(|one, other| one || other).map(IsChanged)
}
