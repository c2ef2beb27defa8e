//! Contracts that would exclude a call that failed, as text to paste.
//!
//! Everything is read off the arguments of the failing sequence, which is as small as it can be: what has
//! nothing to do with the failure is 0. A proposal may exclude too much or too little; it is a beginning for
//! the user, and decides nothing.

use super::log::Event;
use super::targets::Target;
use super::{Calls, Sequence, absent, text};
use crate::ctypes::{CType, CTypes, TypeId};
use crate::machine::{ByteState, Range, Violation};
use std::fmt;

/// Where a null pointer leads, also when it was moved on.
const FIRST_PAGE: u64 = 4096;
/// How far behind the byte that failed a pointer may have been moved on, in bytes.
const PASSED: u64 = 8;

impl Calls {
    /// A precondition that this call does not meet, if there is one that may have to do with what went wrong.
    pub(super) fn excluding(
        &self,
        target: &Target,
        arguments: &[u8],
        what: Option<&ByteState>,
        telling: NumberFilter,
    ) -> Option<String> {
        let types = &self.project.program.types;
        let argument = |k: usize| &arguments[target.prototype.place(k)];
        let pointer = |k: usize| match types.get(target.parameters[k]) {
            CType::Pointer { to, .. } => {
                Some((*to, u64::from_le_bytes(argument(k).try_into().unwrap_or_default())))
            }
            _ => None,
        };
        let named = |k: &usize| target.names.get(*k).is_some_and(|name| !name.is_empty());
        let parameters = || (0..target.parameters.len()).filter(named);
        match what {
            Some(ByteState::Null) => {
                if let Some(k) = parameters().find(|k| pointer(*k).is_some_and(|(_, address)| address == 0)) {
                    return Some(format!("!is_null({});", target.names[k]));
                }
                return parameters().find_map(|k| {
                    let (to, address) = pointer(k)?;
                    let behind = self.behind(target, k, to, address)?;
                    (behind.address < FIRST_PAGE)
                        .then(|| format!("{} !is_null({});", behind.take, behind.name))
                });
            }
            // Before its beginning nothing is promised, however many elements there are.
            Some(ByteState::RedZone { block, offset: offset @ 0.., .. }) => {
                let block = self.machine.block(*block)?;
                let is_it = |k: &usize| pointer(*k).is_some_and(|(_, address)| block.range.holds(address, 1));
                let Some(k) = parameters().find(is_it) else {
                    return parameters().find_map(|k| {
                        let (to, address) = pointer(k)?;
                        let behind = self.behind(target, k, to, address)?;
                        let elements = || elements(types, target, &behind.name, behind.to, *offset, None);
                        let is_it = Range {
                            size: block.range.size.max(offset.unsigned_abs()) + PASSED,
                            ..block.range
                        }
                        .holds(behind.address, 1);
                        is_it.then(|| format!("{} {}", behind.take, elements()))
                    });
                };
                let (to, _) = pointer(k)?;
                // An object that the code made itself is as large as it made it, whatever callers promise.
                let is_own = block.allocated_at.is_some() && matches!(types.get(to), CType::Record(_));
                let beside = [absent::length_of(types, target, k), k.checked_add(1), k.checked_sub(1)];
                let beside = beside.into_iter().flatten();
                let length = beside.filter(|n| *n < target.parameters.len()).filter(named).find_map(|n| {
                    let whole = whole(types, target.parameters[n])?;
                    Some((target.names[n], text::number(argument(n), whole.is_signed)))
                });
                if !is_own {
                    return Some(elements(types, target, target.names[k], to, *offset, length));
                }
            }
            _ => {}
        }
        let numbers = numbers(types, target, arguments).filter(|(_, value, _)| telling.admits(*value));
        let (name, value, whole) = numbers.max_by_key(|(_, value, _)| value.unsigned_abs())?;
        Some(clause(name, value, whole))
    }

    /// What is behind a pointer to a pointer, or to a struct of which one member is one.
    fn behind(&self, target: &Target, k: usize, to: TypeId, address: u64) -> Option<MemberPointer> {
        let types = &self.project.program.types;
        let taken = format!("Of_{}", target.names[k]);
        let (offset, name, inner) = match types.get(to) {
            CType::Pointer { to, .. } => (0, taken.clone(), *to),
            CType::Record(of) => {
                let pointers =
                    types.record(*of).members.iter().filter_map(|member| match types.get(member.ty) {
                        CType::Pointer { to, .. } => Some((member, *to)),
                        _ => None,
                    });
                let mut pointers = pointers.filter(|(member, _)| !member.name.is_empty());
                let (member, inner) = pointers.next().filter(|_| pointers.next().is_none())?;
                (member.offset, format!("{taken}.{}", member.name), inner)
            }
            _ => return None,
        };
        let mut bytes = [0; 8];
        self.machine.read(address + offset, &mut bytes).then(|| MemberPointer {
            take: format!("take {taken} = RW<{}>({});", types.name(to), target.names[k]),
            name,
            to: inner,
            address: u64::from_le_bytes(bytes),
        })
    }

    /// A precondition that an earlier call does not meet: about the most remarkable number that was passed.
    pub(super) fn excluding_earlier(&self, sequence: &Sequence) -> Option<(&'static str, u32, String)> {
        let types = &self.project.program.types;
        let log = sequence.log.borrow();
        let calls = log.events.iter().filter_map(|event| match event {
            Event::Call(call) => Some(call),
            _ => None,
        });
        let numbers = (1..).zip(calls).flat_map(|(step, call)| {
            let (target, arguments) = (&self.targets[call.op].0, log.bytes(call.arguments));
            let is_free = target.contract.is_none();
            let numbers = numbers(types, target, arguments).filter(move |_| is_free);
            numbers.map(move |(name, value, whole)| (target.name, step, name, value, whole))
        });
        // 0 and 1 are what any caller passes.
        let remarkable = numbers.filter(|(.., value, _)| !(0..=1).contains(value));
        let (function, step, name, value, whole) =
            remarkable.max_by_key(|(.., value, _)| value.unsigned_abs())?;
        Some((function, step, clause(name, value, whole)))
    }

    /// That the first number is not 0, if it is.
    pub(super) fn excluding_zero(&self, target: &Target, arguments: &[u8]) -> Option<String> {
        let mut numbers = numbers(&self.project.program.types, target, arguments);
        let (name, value, whole) = numbers.find(|(_, value, _)| *value == 0)?;
        Some(clause(name, value, whole))
    }

    /// A function that calls `target` only where what it asserts about its parameters holds.
    pub(super) fn guard(&self, target: &Target, asserted: &str) -> Option<String> {
        let types = &self.project.program.types;
        if !is_about_parameters(asserted, &target.names) {
            return None;
        }
        let spelled = |ty: TypeId, alias: Option<&String>| match (types.get(ty), alias) {
            (_, Some(alias)) => Some(alias.clone()),
            (CType::Pointer { to, .. }, None) if matches!(types.get(*to), CType::Function(_)) => None,
            (CType::Function(_) | CType::Array { .. }, None) => None,
            _ => Some(types.name(ty)),
        };
        let parameter = |(k, name): (usize, &&str)| {
            let alias = target.aliases.get(k).and_then(Option::as_ref);
            let ty = spelled(target.parameters[k], alias)?;
            let blank = if ty.ends_with('*') { "" } else { " " };
            (!name.is_empty()).then(|| format!("{ty}{blank}{name}"))
        };
        let parameters = target.names.iter().enumerate().map(parameter).collect::<Option<Vec<_>>>()?;
        let returns = spelled(target.returns, target.result_alias.as_ref())?;
        let blank = if returns.ends_with('*') { "" } else { " " };
        let call = format!("{}({})", target.name, target.names.join(", "));
        let head = format!("{returns}{blank}guarded_{}({})", target.name, parameters.join(", "));
        Some(match types.get(target.returns) {
            CType::Void => format!("{head} {{ if ({asserted}) {call}; }}"),
            _ => format!("{head} {{ if ({asserted}) return {call}; return ({returns}){{0}}; }}"),
        })
    }
}

/// A pointer that is behind a parameter.
struct MemberPointer {
    /// The clause that takes what it lies in.
    take: String,
    /// What it is called in a contract.
    name: String,
    /// What it points to.
    to: TypeId,
    /// Its value.
    address: u64,
}

/// The numbers among the arguments that have names, with what stands behind their values in a contract.
fn numbers<'a>(
    types: &'a CTypes,
    target: &'a Target,
    arguments: &'a [u8],
) -> impl Iterator<Item = (&'static str, i128, IntegerSuffix)> + 'a {
    let named =
        (0..target.parameters.len()).filter(|k| target.names.get(*k).is_some_and(|name| !name.is_empty()));
    named.filter_map(|k| {
        let whole = whole(types, target.parameters[k])?;
        let value = text::number(&arguments[target.prototype.place(k)], whole.is_signed);
        Some((target.names[k], value, whole))
    })
}

/// That a number is not what it is, nor beyond.
fn clause(name: &str, value: i128, whole: IntegerSuffix) -> String {
    match value {
        0 => format!("{name} != 0{whole};"),
        1.. => format!("{name} < {value}{whole};"),
        _ => format!("{name} > {value}{whole};"),
    }
}

/// Whether an expression speaks of parameters, and of nothing else that only the function has. Members, types
/// and constants are known by the way they are written.
fn is_about_parameters(expression: &str, names: &[&str]) -> bool {
    let mut has_parameter = false;
    let mut rest = expression;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric() || c == '_') {
        let before = &rest[..start];
        let word = &rest[start..];
        let end = word.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        rest = after;
        let is_member = before.ends_with("->") || before.ends_with('.');
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        let is_constant = !word.contains(|c: char| c.is_ascii_lowercase());
        let is_type = matches!(word, "sizeof" | "int" | "char" | "long" | "unsigned") || word.ends_with("_t");
        let is_parameter = names.contains(&word);
        has_parameter |= is_parameter && !is_member;
        if !(is_member || is_number || is_constant || is_type || is_parameter) {
            return false;
        }
    }
    has_parameter
}

/// Which numbers among the arguments may have to do with what went wrong. What has nothing to do with it was
/// made 0.
#[derive(Clone, Copy)]
pub(super) enum NumberFilter {
    /// Any.
    Any,
    /// Those that are not 0.
    Set,
    /// Those that are large enough for a loop to take long.
    Large,
}

impl NumberFilter {
    const LARGE: u128 = 64;

    pub(super) const fn of(violation: &Violation) -> NumberFilter {
        match violation {
            Violation::OutOfFuel { .. } | Violation::Timeout { .. } => NumberFilter::Large,
            Violation::Signal { .. } | Violation::Abort { .. } | Violation::Assert { .. } => {
                NumberFilter::Any
            }
            _ => NumberFilter::Set,
        }
    }

    const fn admits(self, value: i128) -> bool {
        match self {
            NumberFilter::Any => true,
            NumberFilter::Set => value != 0,
            NumberFilter::Large => value.unsigned_abs() >= NumberFilter::LARGE,
        }
    }
}

/// That a pointer leads to as many elements as another parameter says, or as this call has touched.
fn elements(
    types: &CTypes,
    target: &Target,
    name: &str,
    to: TypeId,
    offset: i64,
    length: Option<(&str, i128)>,
) -> String {
    let (of, size) = match types.get(to) {
        CType::Void => ("char".to_string(), 1),
        _ => (types.name(to), types.size(to).unwrap_or(1).max(1)),
    };
    let touched = u64::try_from(offset).unwrap_or(0) / size;
    let most = match length {
        // It is an index rather than a length.
        Some((name, value)) if value == i128::from(touched) => format!("(u64) {name} + 1u64"),
        Some((name, _)) => format!("(u64) {name}"),
        None => format!("{}u64", touched + 1),
    };
    let index = ["i", "j", "k"].into_iter().find(|index| !target.names.contains(index)).unwrap_or("index");
    format!(
        "take Elements = each (u64 {index}; {index} < {most}) {{ RW<{of}>(array_shift<{of}>({name}, {index})) }};"
    )
}

/// A type of whole numbers. As text it is what stands after a number of it.
#[derive(Clone, Copy)]
struct IntegerSuffix {
    is_signed: bool,
    n_bits: u64,
}

impl fmt::Display for IntegerSuffix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_signed { "i" } else { "u" }, self.n_bits)
    }
}

fn whole(types: &CTypes, ty: TypeId) -> Option<IntegerSuffix> {
    match types.get(ty) {
        CType::Integer { size, is_signed, .. } if *size <= 8 => {
            Some(IntegerSuffix { is_signed: *is_signed, n_bits: u64::from(*size) * 8 })
        }
        CType::Char => Some(IntegerSuffix { is_signed: false, n_bits: 8 }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::is_about_parameters;

    #[test]
    fn a_guard_says_only_what_its_parameters_say() {
        assert!(is_about_parameters("!parser->encoding", &["parser", "encoding"]));
        assert!(is_about_parameters("t.length <= sizeof(mpack_sintmax_t)", &["t"]));
        assert!(is_about_parameters("v <= 9007199254740991. && v >= -0x1fU", &["v"]));
        assert!(is_about_parameters("kind == KIND_A || kind == KIND_B", &["kind"]));
        assert!(!is_about_parameters("type >= 0 && type < 0x80", &["token"]), "a local variable");
        assert!(!is_about_parameters("LIMIT > 3", &["x"]), "nothing of the caller's");
        assert!(!is_about_parameters("is_separator(c)", &["segment"]));
    }
}
