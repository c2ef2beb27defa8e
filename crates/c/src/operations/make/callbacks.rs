//! Makes up functions for function pointers: they do nothing and return drawn values in turn.
//!
//! Each is known by its address and its definition as C, and may be passed again by later calls, since what was
//! registered is looked for or taken away. Returned pointers are made like arguments of their
//! type and point to live memory that the harness keeps. Functions that seem to allocate are not made up:
//! their callers expect the memory that they asked for.

use super::{ArgumentMaker, FreshMemory, MadeArgument, ParameterHints};
use crate::ctypes::{CType, CTypes, Signature, TypeId};
use crate::machine::{MAX_ANSWERS, MAX_CALLBACKS};
use crate::operations::text;

/// Whether a function of this type can be made up.
pub(in crate::operations) fn is_answerable(types: &CTypes, function: TypeId) -> bool {
    let CType::Function(signature) = types.get(function) else { return false };
    match types.get(signature.returns) {
        CType::Void | CType::Bool | CType::Char | CType::Enum(_) => true,
        CType::Integer { size, .. } | CType::Float { size, .. } => *size <= 8,
        CType::Pointer { to, .. } => match types.get(*to) {
            CType::Void => !signature.parameters.iter().any(|ty| is_size(types, *ty)),
            CType::Function(_) => false,
            _ => types.size(*to).is_some_and(|size| size > 0),
        },
        _ => false,
    }
}

/// A function that was made up.
#[derive(Clone, Copy, Debug)]
struct Callback {
    function: TypeId,
    address: u64,
    /// The step for which it was made, and the how manieth thing that was made for it: its name.
    step: u32,
    nth: u32,
    /// Whether the call that it was made for was made.
    is_passed: bool,
}

/// The functions that were made up in a sequence; each has the slot of its place.
#[derive(Debug, Default)]
pub(in crate::operations) struct Callbacks(Vec<Callback>);

impl Callbacks {
    /// Forgets those that were made for a call that was not made.
    pub(in crate::operations) fn forget_unused(&mut self) {
        let n_passed = self.0.iter().rposition(|callback| callback.is_passed).map_or(0, |last| last + 1);
        self.0.truncate(n_passed);
    }

    /// The call that the latest were made for was made.
    pub(in crate::operations) fn passed(&mut self) {
        self.0.iter_mut().rev().take_while(|callback| !callback.is_passed).for_each(|callback| {
            callback.is_passed = true;
        });
    }

    /// Those of a type that were passed by earlier calls.
    fn known(&self, function: TypeId) -> impl Iterator<Item = &Callback> {
        self.0.iter().filter(move |callback| callback.is_passed && callback.function == function)
    }
}

/// Whether a number may say how many bytes are asked for.
fn is_size(types: &CTypes, ty: TypeId) -> bool {
    matches!(types.get(ty), CType::Integer { size: 4 | 8, .. })
}

/// What is answered where a pointer is.
fn answered(types: &CTypes, returns: TypeId) -> Option<ParameterHints> {
    let CType::Pointer { to, .. } = types.get(returns) else { return None };
    let is_object = matches!(types.get(*to), CType::Record(_));
    let fresh = if is_object { FreshMemory::Zeroed } else { FreshMemory::Filled };
    Some(ParameterHints { fresh, is_unsized: true, is_const: true, ..ParameterHints::unknown() })
}

impl ArgumentMaker<'_, '_, '_, '_> {
    /// Whether one more function of this type can be made up.
    pub(super) fn can_answer(&self, function: TypeId) -> bool {
        self.from.callbacks.borrow().0.len() < MAX_CALLBACKS && is_answerable(self.from.types, function)
    }

    /// Whether one of this type was made up for an earlier call.
    pub(super) fn has_callback(&self, function: TypeId) -> bool {
        self.from.callbacks.borrow().known(function).next().is_some()
    }

    /// Passes one again that was made up for an earlier call; there is one.
    pub(super) fn callback_again(&mut self, function: TypeId, bytes: &mut [u8]) -> MadeArgument {
        let callbacks = self.from.callbacks.borrow();
        let mut steps: Vec<u32> = callbacks.known(function).map(|callback| callback.step).collect();
        steps.dedup();
        let n = self.step.ordinal();
        let chosen = self.step.choices().reference(&steps, n);
        let of_step = || callbacks.known(function).filter(|callback| callback.step == chosen);
        let k = match of_step().count() as u64 {
            0 | 1 => 0,
            n => self.step.choices().alternative(n).min(n - 1) as usize,
        };
        let Some(callback) = of_step().nth(k) else { return Ok(None) };
        bytes.copy_from_slice(&callback.address.to_le_bytes());
        Ok(Some(self.shown(|| format!("m{}_{}", callback.step + 1, callback.nth))))
    }

    /// Makes up a function.
    pub(super) fn callback(&mut self, function: TypeId, bytes: &mut [u8], depth: u32) -> MadeArgument {
        let types = self.from.types;
        let CType::Function(signature) = types.get(function) else { return Ok(None) };
        let n = match types.get(signature.returns) {
            CType::Void => 0,
            _ => self.step.choices().length(1, MAX_ANSWERS as u64),
        };
        let size = types.size(signature.returns).unwrap_or(0).min(8) as usize;
        let mut contents = vec![0u8; 8 * n as usize];
        let mut answers = Vec::new();
        let wish = answered(types, signature.returns);
        for part in contents.chunks_mut(8) {
            match self.value(signature.returns, wish.as_ref(), &mut part[..size], depth + 1)? {
                Some(text) => answers.push(text),
                None => return Ok(None),
            }
        }
        self.last_length = None;
        let slot = self.from.callbacks.borrow().0.len();
        self.from.machine.set_answers(slot, &words(&contents));
        let patches = self.patches_of(&contents);
        let mut log = self.from.log.borrow_mut();
        let kept = log.keep(&contents, patches.into_iter());
        log.answers(slot, kept);
        drop(log);
        let is_float = matches!(types.get(signature.returns), CType::Float { .. });
        let address = self.from.machine.callback(slot, is_float);
        bytes.copy_from_slice(&address.to_le_bytes());
        let name = self.name();
        let (step, nth) = (self.step.ordinal(), self.n_made);
        let callback = Callback { function, address, step, nth, is_passed: false };
        self.from.callbacks.borrow_mut().0.push(callback);
        if self.step.is_shown() {
            let definition = definition(types, signature, &name, &answers);
            self.definitions.push(definition);
            if wish.is_some() {
                let stores =
                    answers.iter().enumerate().map(|(k, answer)| format!("{name}_answers[{k}] = {answer};"));
                self.declarations.push(stores.collect::<Vec<_>>().join(" "));
            }
        }
        Ok(Some(name))
    }
}

/// Eight bytes each.
pub(in crate::operations) fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks(8).map(|part| u64::from_le_bytes(part.try_into().unwrap_or_default())).collect()
}

/// The function as C, to stand before `main`. Pointers are not known there yet: they are stored before the
/// call.
fn definition(types: &CTypes, signature: &Signature, name: &str, answers: &[String]) -> String {
    let parameters = signature.parameters.iter().enumerate();
    let parameters: Vec<String> =
        parameters.map(|(k, ty)| text::declaration(types, *ty, &format!("a{}", k + 1))).collect();
    let parameters = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
    let head = text::declaration(types, signature.returns, &format!("{name}({parameters})"));
    let returns = text::declaration(types, signature.returns, "answers[]");
    let n = answers.len();
    match answers {
        [] => format!("static {head} {{ }}"),
        _ if matches!(types.get(signature.returns), CType::Pointer { .. }) => {
            let stored = text::declaration(types, signature.returns, &format!("{name}_answers[{n}]"));
            format!(
                "static {stored}; static {head} {{ static unsigned n; return {name}_answers[n++ % {n}]; }}"
            )
        }
        [only] => format!("static {head} {{ return {only}; }}"),
        _ => format!(
            "static {head} {{ static const {returns} = {{{}}}; static unsigned n; return answers[n++ % {n}]; }}",
            answers.join(", "),
        ),
    }
}
