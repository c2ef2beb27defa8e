//! A step as Rust source, for the test that a report prints.
//!
//! Only a program that is shown has it. Whoever does a step fills it in (`call_source.rs` the call itself),
//! the engine carries it to the report as an [`Attachment`](stairway_engine::Attachment), and the reproducers
//! put a test together. Both sides use the same names: `system`, `model`, `answer`, `before`, `result`, and
//! `r1`, `r2`, .. for the results of steps.

use crate::oracle::Oracle;
use crate::source::SourceForm;
use serde::{Deserialize, Serialize};
use stairway_engine::{Attach, DrawnValue, Observations, ShownStep, Step};
use std::any::{Any, TypeId};

/// A step as source text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepSource {
    /// Paths to types whose values are written with their last name.
    pub imports: Vec<String>,
    /// Statements that give names to what the call mentions.
    pub bindings: Vec<Binding>,
    /// The call on the system; empty if it is not known.
    pub call: String,
    /// The results of earlier steps that the call is given.
    pub results: Vec<ResultUse>,
    /// What the step does to the model.
    pub model: ModelSource,
    /// The answer as an expression; empty if it cannot be written.
    pub answer: AnswerSource,
    /// Whether the answer is shown by the name of the result, because it has no text.
    pub shows_name: bool,
    /// The position of the state of a machine that is shown with the step.
    pub state: Option<usize>,
    /// Whether values of the answer's type have no text: it can be neither shown nor written.
    pub is_opaque: bool,
    /// The answers that would have been right, as expressions; empty if they cannot be written.
    pub expected: Vec<AnswerSource>,
    /// What does not hold after the step.
    pub claim: Claim,
    /// Statements that give names to what the claim may mention.
    pub names: Vec<Binding>,
    /// How the result that later steps refer to is got from the answer, if it is kept.
    pub result: Option<String>,
    /// Whether the call has to be awaited.
    pub is_async: bool,
    /// Whether the call passes the system on, or assigns to it.
    pub lends_system: bool,
    /// What decides for the environment meanwhile, if something does.
    pub oracle: Option<OracleSource>,
    /// Why the step cannot be written, if it cannot.
    pub missing: String,
    /// Both sides of a law, where the step is one.
    pub sides: [Vec<SideStep>; 2],
    /// What functions without a body did during the step, in order: their names, and statements that do the
    /// same.
    pub stand_ins: Vec<(String, String)>,
    /// Where the results that later steps refer to are in the answer, if there are several.
    pub several: Option<AnswerPart>,
    /// What the contract of a C function binds before the call.
    pub entry: Vec<(String, EntryValue)>,
}

/// An oracle that is in charge during a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OracleSource {
    /// The expression that makes it.
    pub text: String,
    /// What it was asked and answered; nothing if nobody asked.
    pub said: String,
}

impl OracleSource {
    /// The oracle as it is now.
    pub(crate) fn of(oracle: &Oracle) -> Self {
        OracleSource { text: format!("{oracle:?}"), said: oracle.said() }
    }
}

/// A value that a contract of C binds, as far as a printed program can make use of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EntryValue {
    /// A number.
    Number(i128),
    /// A value of a datatype: which constructor, and its fields.
    Data(u32, Vec<EntryValue>),
    /// Anything else.
    Other,
}

/// A statement that gives something a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The name.
    pub name: String,
    /// The statement.
    pub statement: String,
}

/// A result of an earlier step that a call is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultUse {
    /// The step, from 0.
    pub step: u32,
    /// Which of several results of the step, from 1; 0 for the only one.
    pub nth: u32,
    /// Whether the call may change it.
    pub is_changed: bool,
    /// Which argument it is, from 0.
    pub argument: usize,
}

/// What a step does to the model, as source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ModelSource {
    /// One statement cannot say it.
    #[default]
    Open,
    /// This expression does it.
    Call {
        /// The expression.
        text: String,
        /// Whether it mentions the answer.
        takes_answer: bool,
    },
    /// The model becomes this expression.
    Seen(String),
}

impl ModelSource {
    /// Whether one statement cannot say it.
    pub(crate) const fn is_open(&self) -> bool {
        matches!(self, ModelSource::Open)
    }

    /// Whether it mentions the answer.
    pub(crate) const fn takes_answer(&self) -> bool {
        matches!(self, ModelSource::Call { takes_answer: true, .. })
    }

    /// The expression or assignment.
    pub(crate) fn text(&self) -> String {
        match self {
            ModelSource::Open => String::new(),
            ModelSource::Call { text, .. } => text.clone(),
            ModelSource::Seen(seen) => format!("model = {seen}"),
        }
    }
}

/// An answer as an expression that a test compares with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerSource {
    /// The expression; empty if it cannot be written.
    pub text: String,
    /// What it says of its type.
    pub form: SourceForm,
}

impl AnswerSource {
    /// Whether it cannot be written.
    pub(crate) const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// An answer of a type that cannot be written, of which all that is known is whether it is `()`.
    pub(crate) fn unwritten<T: 'static>() -> Self {
        let is_unit = TypeId::of::<T>() == TypeId::of::<()>();
        let form = if is_unit { SourceForm::Unit } else { SourceForm::Plain };
        AnswerSource { text: String::new(), form }
    }

    /// Whether it is `()`.
    pub(crate) fn is_unit(&self) -> bool {
        self.form == SourceForm::Unit
    }
}

impl From<bool> for AnswerSource {
    fn from(answer: bool) -> Self {
        AnswerSource { text: answer.to_string(), form: SourceForm::Plain }
    }
}

/// A condition that does not hold, as a test states it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The condition; empty if there is none. Of a law, the name whose values differ.
    pub text: String,
    /// The names in it that a test has to bind.
    pub mentioned: Vec<String>,
}

impl Claim {
    /// A condition that mentions nothing but the model and the system.
    pub(crate) const fn new(text: String) -> Self {
        Claim { text, mentioned: Vec::new() }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn mentions(&self, name: &str) -> bool {
        self.mentioned.iter().any(|mentioned| mentioned == name)
    }
}

/// A value that was drawn before the first step, as an argument for a parameter that borrows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LentSource {
    /// The argument; empty if it cannot be written.
    pub text: String,
    /// Whether the value itself, with `&` before it, needs parentheses.
    pub is_loose: bool,
}

/// A part of an answer with several results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AnswerPart {
    /// A result, by its step from 0 and its number from 1.
    Result(u32, u32),
    /// Something that nobody refers to.
    Other,
    /// A tuple of parts.
    Tuple(Vec<AnswerPart>),
    /// A vector of parts.
    List(Vec<AnswerPart>),
}

impl AnswerPart {
    /// The statements that give the results of `call` their names, as `named` writes each. A vector inside a
    /// tuple is taken apart by a statement of its own.
    pub(crate) fn statements(&self, call: &str, named: &dyn Fn(u32, u32) -> String) -> Vec<String> {
        let mut lists = Vec::new();
        let mut statements = match self {
            AnswerPart::List(parts) => vec![taken_apart(parts, call, named, &mut lists)],
            other => vec![format!("let {} = {call};", other.pattern(named, &mut lists))],
        };
        let mut k = 0;
        while k < lists.len() {
            let (name, parts) = (list_name(k), lists[k]);
            statements.push(taken_apart(parts, &name, named, &mut lists));
            k += 1;
        }
        statements
    }

    fn pattern<'u>(
        &'u self,
        named: &dyn Fn(u32, u32) -> String,
        lists: &mut Vec<&'u [AnswerPart]>,
    ) -> String {
        match self {
            AnswerPart::Result(step, nth) => named(*step, *nth),
            AnswerPart::Other => "_".to_string(),
            AnswerPart::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| part.pattern(named, lists)).collect();
                format!("({})", parts.join(", "))
            }
            AnswerPart::List(parts) => {
                lists.push(parts);
                list_name(lists.len() - 1)
            }
        }
    }
}

fn taken_apart<'u>(
    parts: &'u [AnswerPart],
    list: &str,
    named: &dyn Fn(u32, u32) -> String,
    lists: &mut Vec<&'u [AnswerPart]>,
) -> String {
    let patterns: Vec<String> = parts.iter().map(|part| part.pattern(named, lists)).collect();
    format!("let [{}] = <[_; {}]>::try_from({list}).ok().unwrap();", patterns.join(", "), parts.len())
}

fn list_name(k: usize) -> String {
    format!("list_{}", k + 1)
}

/// The name that a test gives to the result of a step, counted from 0, or to one of several.
pub(crate) fn result_name(step: u32, nth: u32) -> String {
    match nth {
        0 => format!("r{}", step + 1),
        nth => format!("r{}_{nth}", step + 1),
    }
}

/// One statement on a side of a law.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideStep {
    /// The name it binds; may be empty.
    pub name: String,
    /// The call.
    pub source: StepSource,
    /// The value it binds instead of an answer, as an expression.
    pub value: String,
    /// Its result, where it gives one: the step of the law, and which of its results.
    pub result: (u32, u32),
}

macro_rules! attached {
    ($($t:ty),*) => {$(
        impl Attach for $t {
            fn boxed_clone(&self) -> Box<dyn Attach> {
                Box::new(self.clone())
            }

            fn is_equal(&self, other: &dyn Attach) -> bool {
                let other: &dyn Any = other;
                other.downcast_ref() == Some(self)
            }

            fn to_bytes(&self) -> Vec<u8> {
                // Writing to memory does not fail.
                postcard::to_allocvec(self).unwrap_or_default()
            }
        }
    )*};
}

attached!(StepSource, LentSource);

/// What a step without source has.
static NOTHING: StepSource = StepSource {
    imports: Vec::new(),
    bindings: Vec::new(),
    call: String::new(),
    results: Vec::new(),
    model: ModelSource::Open,
    answer: AnswerSource { text: String::new(), form: SourceForm::Plain },
    shows_name: false,
    state: None,
    is_opaque: false,
    expected: Vec::new(),
    claim: Claim::new(String::new()),
    names: Vec::new(),
    result: None,
    is_async: false,
    lends_system: false,
    oracle: None,
    missing: String::new(),
    sides: [Vec::new(), Vec::new()],
    stand_ins: Vec::new(),
    several: None,
    entry: Vec::new(),
};

/// The source of a step in a report.
pub(crate) fn of(step: &ShownStep) -> &StepSource {
    step.attachment.get().unwrap_or(&NOTHING)
}

/// Where the source of the step that is being done is kept, if it is shown.
#[inline]
pub fn of_running<'s>(step: &'s mut Step<'_, '_>) -> Option<&'s mut StepSource> {
    step.attached()
}

/// The same for the latest of the steps that were shown.
pub(crate) fn of_latest(observed: &mut Observations) -> Option<&mut StepSource> {
    Some(observed.steps.last_mut()?.attachment.get_or_default())
}

/// A value that was drawn before the first step, as an argument for a parameter that borrows it.
pub(crate) fn lent(drawn: &DrawnValue) -> &LentSource {
    static NOT_LENT: LentSource = LentSource { text: String::new(), is_loose: false };
    drawn.attachment.get().unwrap_or(&NOT_LENT)
}

/// Reads the sources that have come from another process; says whether all of them can be read.
pub(crate) fn restore(observed: &mut Observations) -> bool {
    let drawn = &mut observed.drawn;
    drawn
        .iter_mut()
        .all(|drawn| drawn.attachment.restore(|bytes| postcard::from_bytes::<LentSource>(bytes).ok()))
        && observed
            .steps
            .iter_mut()
            .all(|step| step.attachment.restore(|bytes| postcard::from_bytes::<StepSource>(bytes).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_results_are_taken_apart() {
        let named = |step, nth| {
            let name = result_name(step, nth);
            if nth == 1 { format!("mut {name}") } else { name }
        };
        let pair =
            AnswerPart::Tuple(vec![AnswerPart::Result(1, 1), AnswerPart::Other, AnswerPart::Result(1, 2)]);
        assert_eq!(pair.statements("system.split()", &named), ["let (mut r2_1, _, r2_2) = system.split();"]);
        let list = AnswerPart::List(vec![AnswerPart::Result(1, 1), AnswerPart::Result(1, 2)]);
        assert_eq!(
            list.statements("system.hire()", &named),
            ["let [mut r2_1, r2_2] = <[_; 2]>::try_from(system.hire()).ok().unwrap();"]
        );
        let nested = AnswerPart::Tuple(vec![list, AnswerPart::Other]);
        assert_eq!(
            nested.statements("system.hire()", &named),
            [
                "let (list_1, _) = system.hire();",
                "let [mut r2_1, r2_2] = <[_; 2]>::try_from(list_1).ok().unwrap();"
            ]
        );
    }
}
