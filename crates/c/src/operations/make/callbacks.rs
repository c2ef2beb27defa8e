//! Functions that are made up for function pointers: they do nothing and answer drawn values in turn.
//!
//! Receives the type of a function; hands on the address of one, and its definition as C. Functions that answer pointers are not made
//! up: nobody says whose the memory would be.

use super::{Made, Making};
use crate::ctypes::{CType, CTypes, Signature, TypeId};
use crate::machine::{MAX_ANSWERS, MAX_CALLBACKS};
use crate::operations::text;

/// Whether a function of this type can be made up.
pub(in crate::operations) fn is_answerable(types: &CTypes, function: TypeId) -> bool {
    let CType::Function(signature) = types.get(function) else { return false };
    match types.get(signature.returns) {
        CType::Void | CType::Bool | CType::Char | CType::Enum(_) => true,
        CType::Integer { size, .. } | CType::Float { size, .. } => *size <= 8,
        _ => false,
    }
}

impl Making<'_, '_, '_, '_> {
    /// Whether one more function of this type can be made up.
    pub(super) fn can_answer(&self, function: TypeId) -> bool {
        self.from.n_callbacks.get() < MAX_CALLBACKS && is_answerable(self.from.types, function)
    }

    /// Makes up a function.
    pub(super) fn callback(&mut self, function: TypeId, bytes: &mut [u8], depth: u32) -> Made {
        let types = self.from.types;
        let CType::Function(signature) = types.get(function) else { return Ok(None) };
        let n = match types.get(signature.returns) {
            CType::Void => 0,
            _ => self.step.choices().length(1, MAX_ANSWERS as u64),
        };
        let size = types.size(signature.returns).unwrap_or(0).min(8) as usize;
        let mut contents = vec![0u8; 8 * n as usize];
        let mut answers = Vec::new();
        for part in contents.chunks_mut(8) {
            match self.value(signature.returns, None, &mut part[..size], depth + 1)? {
                Some(text) => answers.push(text),
                None => return Ok(None),
            }
        }
        let slot = self.from.n_callbacks.get();
        self.from.n_callbacks.set(slot + 1);
        self.from.machine.set_answers(slot, &words(&contents));
        let mut log = self.from.log.borrow_mut();
        let kept = log.keep(&contents, std::iter::empty());
        log.answers(slot, kept);
        drop(log);
        let is_float = matches!(types.get(signature.returns), CType::Float { .. });
        bytes.copy_from_slice(&self.from.machine.callback(slot, is_float).to_le_bytes());
        let name = self.name();
        if self.step.is_shown() {
            self.declarations.push(definition(types, signature, &name, &answers));
        }
        Ok(Some(name))
    }
}

/// Eight bytes each.
pub(in crate::operations) fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks(8).map(|part| u64::from_le_bytes(part.try_into().unwrap_or_default())).collect()
}

/// The function as C.
fn definition(types: &CTypes, signature: &Signature, name: &str, answers: &[String]) -> String {
    let parameters = signature.parameters.iter().enumerate();
    let parameters: Vec<String> =
        parameters.map(|(k, ty)| text::declaration(types, *ty, &format!("a{}", k + 1))).collect();
    let parameters = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
    let head = text::declaration(types, signature.returns, &format!("{name}({parameters})"));
    let returns = text::declaration(types, signature.returns, "answers[]");
    match answers {
        [] => format!("{head} {{ }}"),
        [only] => format!("{head} {{ return {only}; }}"),
        _ => format!(
            "{head} {{ static const {returns} = {{{}}}; static unsigned n; return answers[n++ % {}]; }}",
            answers.join(", "),
            answers.len()
        ),
    }
}
