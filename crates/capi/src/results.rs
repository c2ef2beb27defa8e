//! Results of properties that later ones are handed: who gave what, and what is still there.
//!
//! A result is named by the number of the step that gave it, and drawn as the engine draws references, so
//! that it keeps its meaning when other steps are left out. Values are C's; nothing here looks at them.
#![allow(clippy::missing_safety_doc, reason = "the header says what the pointers must be")]

use crate::abi::{Generator, Kind, Make, OK, Property, REFUSE, Test, Verdict};
use crate::result_codes;
use crate::spec::{arguments, pointee, text};
use crate::test_access::live;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::ffi::c_void;
use core::fmt::Write;
use core::ptr;
use stairway_engine::Choices;

/// One result of the test at hand.
#[derive(Clone, Copy, Debug)]
struct KeptResult {
    kind: *const Kind,
    /// The number of the step that gave it.
    by: u32,
    value: usize,
    is_there: bool,
}

/// All results of the test at hand, in the order in which they were given.
#[derive(Debug)]
pub(crate) struct Results {
    given: RefCell<Vec<KeptResult>>,
    /// The steps to draw from.
    steps: RefCell<Vec<u32>>,
}

/// Bytes for each result that there is room for.
pub(crate) const N_BYTES: usize = size_of::<KeptResult>() + size_of::<u32>();

impl Results {
    /// Room for the results of tests of `n` steps.
    pub(crate) fn with_room(n: usize) -> Self {
        Results { given: RefCell::new(Vec::with_capacity(n)), steps: RefCell::new(Vec::with_capacity(n)) }
    }

    /// A test begins.
    pub(crate) fn clear(&self) {
        self.given.borrow_mut().clear();
    }

    /// Forgets what step `by` gave: it was refused after all.
    pub(crate) fn withdraw(&self, by: u32) {
        self.given.borrow_mut().retain(|given| given.by != by);
    }

    /// Whether any result is still there.
    pub(crate) fn are_there(&self) -> bool {
        self.given.borrow().iter().any(|given| given.is_there)
    }

    /// Whether there is a result for each argument of a property that asks for one.
    pub(crate) fn suffice_for(&self, property: &'static Property) -> bool {
        let wanted = arguments(property).filter_map(|argument| kind_of(pointee(argument.generator)?));
        let given = self.given.borrow();
        wanted.into_iter().all(|kind| given.iter().any(|given| given.is_there && ptr::eq(given.kind, kind)))
    }

    /// The name and number of what step `by` gave.
    pub(crate) fn given_by(&self, by: u32) -> Option<(&'static str, usize)> {
        let given = self.given.borrow();
        let at = given.iter().position(|given| given.by == by)?;
        let kind = given[at].kind;
        let number = given[..at].iter().filter(|given| ptr::eq(given.kind, kind)).count();
        Some((pointee(kind).map_or("", |kind| text(kind.name)), number))
    }

    /// Draws one of a kind: the step that gave it.
    fn draw(&self, kind: *const Kind, n_steps: u32, choices: &mut Choices<'_>) -> Option<KeptResult> {
        let (given, mut steps) = (self.given.borrow(), self.steps.borrow_mut());
        let is_meant = |given: &&KeptResult| given.is_there && ptr::eq(given.kind, kind);
        steps.clear();
        steps.extend(given.iter().filter(is_meant).map(|given| given.by));
        if steps.is_empty() {
            return None;
        }
        let by = choices.reference(&steps, n_steps);
        given.iter().find(|given| given.by == by).copied()
    }
}

/// Whether a generator draws results, and of which kind.
pub(crate) fn kind_of(generator: &Generator) -> Option<*const Kind> {
    let is_meant = |make: Make| make as usize == sw_make_result as *const () as usize;
    generator.make.is_some_and(is_meant).then(|| generator.more.cast())
}

/// `sw_make_result`
#[unsafe(no_mangle)]
#[inline(never)] // it is known by its address, of which an inlined function may have several
pub unsafe extern "C" fn sw_make_result(t: *mut Test, this: *const Generator, value: *mut c_void) -> Verdict {
    let (Some(live), Some(generator)) = (live(t), pointee(this)) else { return OK };
    let choices = live.choices.get();
    if generator.size != size_of::<usize>() || generator.more.is_null() || choices.is_null() {
        live.is_wrong(
            result_codes::GENERATOR,
            "a result is drawn without SW_RESULT_OF, or outside of generators",
        );
        return OK;
    }
    // SAFETY: it points to the stream of the step at hand, which is not touched above us until C returns.
    let choices = unsafe { &mut *choices };
    let Some(given) = live.results.draw(generator.more.cast(), live.step.get(), choices) else {
        return REFUSE;
    };
    // SAFETY: the value has room for a `uintptr_t`.
    unsafe { value.cast::<usize>().write_unaligned(given.value) };
    live.note_reference(value, given.by);
    if let Some(frame) = live.frame("named") {
        frame.number(given.by.into()).end();
    }
    OK
}

/// `sw_print_result`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_print_result(t: *mut Test, this: *const Generator, value: *const c_void) {
    let (Some(mut live), Some(_)) = (live(t), pointee(this)) else { return };
    if let Some((name, number)) = live.referenced_at(value).and_then(|by| live.results.given_by(by)) {
        let _ = write!(live, "{name} {number}");
    }
}

/// `sw_give`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_give(t: *mut Test, value: usize) {
    let Some(live) = live(t) else { return };
    let Some(op) = live.op.get() else {
        return live.is_wrong(result_codes::ORDER, "`sw_give` is called outside of a body");
    };
    let kind = live.operations[op].property.result;
    let by = live.step.get();
    let mut given = live.results.given.borrow_mut();
    if kind.is_null() {
        live.is_wrong(result_codes::RESULT, "`sw_give` is called by a property without `result`");
    } else if given.last().is_some_and(|last| last.by == by) {
        live.is_wrong(result_codes::RESULT, "a property gives two results");
    } else if given.len() < given.capacity() {
        given.push(KeptResult { kind, by, value, is_there: true });
    }
}

/// `sw_take`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_take(t: *mut Test, index: usize) {
    let Some(live) = live(t) else { return };
    let named = live.argument(index).and_then(|(place, _)| live.referenced_at(place));
    let mut given = live.results.given.borrow_mut();
    match named.and_then(|by| given.iter_mut().find(|given| given.by == by)) {
        Some(given) => given.is_there = false,
        None => live.is_wrong(result_codes::RESULT, "`sw_take` names an argument that is no result"),
    }
}
