//! What was given, checked: nothing that runs later has to look for NULL again.
//!
//! Checks the sets and settings as C has them: a [`Spec`] has every default filled in and every limit
//! computed; otherwise there is an error code. Calls no callback and allocates nothing, so that it serves
//! `sw_memory_needed` as well.

use crate::abi::{self, Argument, Generator, Property, Set};
use crate::generators::{is_array, is_native_width, is_string};
use crate::memory::GRAIN;
use crate::result_codes::{self, Mistake};
use core::ffi::c_char;
use stairway_engine::Exhaustive;

/// Sets and settings without mistakes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spec {
    pub(crate) sets: &'static [Set],
    pub(crate) settings: &'static abi::Settings,
    pub(crate) limits: Limits,
}

/// Every limit of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) n_tests: u64,
    pub(crate) min_properties: u64,
    pub(crate) max_properties: u64,
    pub(crate) max_discards: u32,
    pub(crate) max_shrink_runs: u64,
    pub(crate) n_operations: usize,
    pub(crate) n_demands: usize,
    pub(crate) n_statistics: usize,
    pub(crate) n_choices: usize,
    pub(crate) n_spans: usize,
    /// Bytes of the arguments of one property.
    pub(crate) n_argument_bytes: usize,
    /// Bytes of the arrays of one property.
    pub(crate) n_heap_bytes: usize,
    /// Different states that are told apart; 0 without fingerprints.
    pub(crate) n_states: usize,
    /// Bytes of text kept where no test can be run again; 0 where it can.
    pub(crate) n_trace_bytes: usize,
    /// Whether a test can be run again.
    pub(crate) is_repeatable: bool,
    /// Results of properties in one test; 0 where none gives any.
    pub(crate) n_results: usize,
    /// Whether everything is to take as little memory as it can.
    pub(crate) is_lean: bool,
    /// How every sequence is tried, if they are.
    pub(crate) exhaustive: Option<Exhaustive>,
    /// Whether an argument is drawn by a width that other targets may not have.
    pub(crate) has_native_widths: bool,
}

/// How deep generators may nest.
pub(crate) const MAX_DEPTH: u32 = 32;
/// Draws in one test unless told otherwise, and in lean runs.
const MAX_CHOICES: usize = 400;
const MAX_CHOICES_LEAN: usize = 44;
/// Normal properties in one test unless told otherwise, and in lean runs.
const MAX_PROPERTIES: u64 = 32;
const MAX_PROPERTIES_LEAN: u64 = 12;
/// The bound of numbers in exhaustive search unless told otherwise.
const BOUND: u64 = 3;
/// Draws of a generator that does not say how many it takes.
const N_CHOICES: usize = 8;
/// Elements of an array, at most.
const MAX_LENGTH: i64 = 1 << 20;

/// What a value takes, at most.
#[derive(Clone, Copy, Debug, Default)]
struct Need {
    n_choices: usize,
    n_spans: usize,
    n_heap_bytes: usize,
    n_argument_bytes: usize,
    /// Pieces of memory for arrays.
    n_pieces: usize,
}

impl Need {
    fn and(self, other: Need) -> Need {
        Need {
            n_choices: self.n_choices.saturating_add(other.n_choices),
            n_spans: self.n_spans.saturating_add(other.n_spans),
            n_heap_bytes: self.n_heap_bytes.saturating_add(other.n_heap_bytes),
            n_argument_bytes: self.n_argument_bytes.saturating_add(other.n_argument_bytes),
            n_pieces: self.n_pieces.saturating_add(other.n_pieces),
        }
    }

    fn times(self, n: usize) -> Need {
        Need {
            n_choices: self.n_choices.saturating_mul(n),
            n_spans: self.n_spans.saturating_mul(n),
            n_heap_bytes: self.n_heap_bytes.saturating_mul(n),
            n_argument_bytes: self.n_argument_bytes.saturating_mul(n),
            n_pieces: self.n_pieces.saturating_mul(n),
        }
    }

    fn or(self, other: Need) -> Need {
        Need {
            n_choices: self.n_choices.max(other.n_choices),
            n_spans: self.n_spans.max(other.n_spans),
            n_heap_bytes: self.n_heap_bytes.max(other.n_heap_bytes),
            n_argument_bytes: self.n_argument_bytes.max(other.n_argument_bytes),
            n_pieces: self.n_pieces.max(other.n_pieces),
        }
    }
}

/// A C string as text; nothing for NULL, and only what is UTF-8 of it.
pub(crate) fn text(string: *const c_char) -> &'static str {
    if string.is_null() {
        return "";
    }
    let bytes = slice(string.cast::<u8>(), length(string));
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => core::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or(""),
    }
}

/// The number of bytes before the 0. Not `strlen`: that the platform need not have, and which a compiler
/// makes out of a loop over plain reads.
pub(crate) fn length(string: *const c_char) -> usize {
    let mut n = 0;
    loop {
        // SAFETY: the header asks for strings that end with 0.
        if unsafe { string.wrapping_add(n).read_volatile() } == 0 {
            return n;
        }
        n += 1;
    }
}

/// An array of C's; empty for NULL.
pub(crate) fn slice<T>(first: *const T, n: usize) -> &'static [T] {
    if first.is_null() || n == 0 {
        return &[];
    }
    // SAFETY: the header asks for so many elements that live as long as the run.
    unsafe { core::slice::from_raw_parts(first, n) }
}

/// What a pointer of C's points to; nothing for NULL.
pub(crate) fn pointee<T>(pointer: *const T) -> Option<&'static T> {
    // SAFETY: the header asks for NULL or something that lives as long as the run.
    unsafe { pointer.as_ref() }
}

/// The arguments of a property.
pub(crate) fn arguments(property: &'static Property) -> impl Iterator<Item = &'static Argument> {
    property.arguments.iter().take_while(|argument| !argument.name.is_null() || !argument.generator.is_null())
}

/// Where the argument after one of `size` bytes begins.
pub(crate) const fn rounded(size: usize) -> usize {
    size.next_multiple_of(GRAIN)
}

impl Spec {
    /// Checks what was given.
    pub(crate) fn new(
        sets: *const Set,
        n_sets: usize,
        settings: &'static abi::Settings,
    ) -> Result<Spec, Mistake> {
        if sets.is_null() || n_sets == 0 {
            return Err(Mistake::new(result_codes::NO_PROPERTIES, "there is no property set", ""));
        }
        if n_sets > abi::MAX_SETS {
            return Err(Mistake::new(
                result_codes::TOO_MANY,
                "there are more than SW_MAX_SETS property sets",
                "",
            ));
        }
        let sets = slice(sets, n_sets);
        for set in sets {
            check_set(set)?;
        }
        let limits = Limits::new(sets, settings)?;
        Ok(Spec { sets, settings, limits })
    }
}

/// Whether a member's pointer and number go together.
fn check_list<T>(first: *const T, n: usize, whose: &'static str) -> Result<(), Mistake> {
    if first.is_null() && n > 0 {
        return Err(Mistake::new(result_codes::NULL, "a list is NULL and yet has elements", whose));
    }
    Ok(())
}

fn check_set(set: &'static Set) -> Result<(), Mistake> {
    let whose = text(set.name);
    check_list(set.properties, set.n_properties, whose)?;
    check_list(set.cleanups, set.n_cleanups, whose)?;
    check_list(set.demands, set.n_demands, whose)?;
    if set.n_properties == 0 {
        return Err(Mistake::new(result_codes::NO_PROPERTIES, "the set has no properties", whose));
    }
    if set.n_cleanups == 0 {
        let what = "the set has no cleanup property; SW_EMPTY_CLEANUP is one that does nothing";
        return Err(Mistake::new(result_codes::NO_CLEANUP, what, whose));
    }
    if set.n_properties > abi::MAX_PROPERTIES || set.n_cleanups > abi::MAX_PROPERTIES {
        return Err(Mistake::new(
            result_codes::TOO_MANY,
            "the set has more than SW_MAX_PROPERTIES properties",
            whose,
        ));
    }
    if set.n_demands > abi::MAX_PROPERTIES {
        return Err(Mistake::new(
            result_codes::TOO_MANY,
            "the set has more than SW_MAX_PROPERTIES demands",
            whose,
        ));
    }
    for demand in slice(set.demands, set.n_demands) {
        if demand.name.is_null() {
            return Err(Mistake::new(result_codes::NULL, "a demand has no name", whose));
        }
        if !(0.0..=100.0).contains(&demand.percent) {
            let what = "a demand is not between 0 and 100 percent";
            return Err(Mistake::new(result_codes::SETTINGS, what, text(demand.name)));
        }
    }
    Ok(())
}

fn need_of_property(property: &'static Property) -> Result<Need, Mistake> {
    if property.name.is_null() {
        return Err(Mistake::new(result_codes::NULL, "a property has no name", ""));
    }
    let whose = text(property.name);
    if property.body.is_none() {
        return Err(Mistake::new(result_codes::NULL, "the property has no body", whose));
    }
    for statistic in property.statistics.iter().map_while(|pointer| pointee(*pointer)) {
        if statistic.name.is_null() || statistic.measure.is_none() {
            return Err(Mistake::new(result_codes::NULL, "a statistic has no name or no `measure`", whose));
        }
    }
    let mut need = Need { n_choices: 1, n_spans: 1, ..Need::default() };
    for argument in arguments(property) {
        let Some(generator) = pointee(argument.generator) else {
            return Err(Mistake::new(result_codes::NULL, "an argument has no generator", whose));
        };
        need = need.and(need_of(generator, 0, whose)?);
        need.n_argument_bytes = need.n_argument_bytes.saturating_add(rounded(generator.size));
    }
    Ok(need)
}

/// What a value of this generator takes.
fn need_of(generator: &'static Generator, depth: u32, whose: &'static str) -> Result<Need, Mistake> {
    if depth > MAX_DEPTH {
        return Err(Mistake::new(
            result_codes::DEPTH,
            "array generators are nested too deep, or in a circle",
            whose,
        ));
    }
    let Some(make) = generator.make else {
        return Err(Mistake::new(result_codes::NULL, "a generator has no `make`", whose));
    };
    if generator.size == 0 || generator.size > 1 << 20 {
        return Err(Mistake::new(
            result_codes::GENERATOR,
            "a generator's size is 0 or more than 1 MB",
            whose,
        ));
    }
    let (is_array, is_string) = (is_array(make), is_string(make));
    if !is_array && !is_string {
        let n_choices = if generator.n_choices == 0 { N_CHOICES } else { generator.n_choices };
        let n_spans = if n_choices == 1 { 0 } else { 1 + n_choices / 2 };
        return Ok(Need { n_choices, n_spans, ..Need::default() });
    }
    if generator.min < 0 || generator.max < generator.min || generator.max > MAX_LENGTH {
        let what = "an array's lengths are below 0, the wrong way round or above 1048576";
        return Err(Mistake::new(result_codes::GENERATOR, what, whose));
    }
    let n = generator.max as usize;
    let (element, n_bytes) = match pointee(generator.more.cast::<Generator>()) {
        Some(element) => (need_of(element, depth + 1, whose)?, n.saturating_mul(element.size)),
        None if is_array => {
            return Err(Mistake::new(
                result_codes::NULL,
                "an array generator has no element generator",
                whose,
            ));
        }
        None => (Need { n_choices: 1, ..Need::default() }, n),
    };
    let n_heap_bytes = rounded(n_bytes.saturating_add(1).min(usize::MAX / 2));
    let own = Need { n_choices: 1, n_spans: 1, n_heap_bytes, n_argument_bytes: 0, n_pieces: 1 };
    Ok(own.and(element.times(n)))
}

/// `value`, or what 0 stands for.
const fn or(value: u64, default: u64) -> u64 {
    if value == 0 { default } else { value }
}

/// What all properties together come to.
#[derive(Default)]
struct Totals {
    /// The most that one normal, one cleanup property takes.
    normal: Need,
    cleanup: Need,
    n_operations: usize,
    n_statistics: usize,
    n_demands: usize,
    gives_results: bool,
    has_native_widths: bool,
}

impl Totals {
    fn of(sets: &'static [Set]) -> Result<Totals, Mistake> {
        let mut totals = Totals::default();
        for set in sets {
            for property in slice(set.properties, set.n_properties) {
                totals.normal = totals.normal.or(need_of_property(property)?);
                totals.add(property);
            }
            for property in slice(set.cleanups, set.n_cleanups) {
                totals.cleanup = totals.cleanup.or(need_of_property(property)?);
                totals.add(property);
            }
            totals.n_demands += set.n_demands;
        }
        if totals.n_operations > abi::MAX_PROPERTIES {
            let what = "there are more than SW_MAX_PROPERTIES properties in all sets together";
            return Err(Mistake::new(result_codes::TOO_MANY, what, ""));
        }
        Ok(totals)
    }

    fn add(&mut self, property: &'static Property) {
        self.n_operations += 1;
        self.n_statistics += property.statistics.iter().take_while(|pointer| !pointer.is_null()).count();
        self.gives_results |= !property.result.is_null();
        let generators = || arguments(property).filter_map(|argument| pointee(argument.generator));
        self.has_native_widths |= generators().any(is_native_width);
    }
}

fn check_settings(settings: &abi::Settings, is_repeatable: bool) -> Result<(), Mistake> {
    let wrong = |what| Err(Mistake::new(result_codes::SETTINGS, what, ""));
    if !(0..=crate::frames::FRAMES).contains(&settings.verbosity) || !(0..=3).contains(&settings.statistics) {
        return wrong("verbosity or statistics has a value that the header does not list");
    }
    if settings.exhaustive_depth > 0 && !is_repeatable {
        return wrong("exhaustive_depth needs `reset` in every set: each sequence begins anew");
    }
    Ok(())
}

impl Limits {
    fn new(sets: &'static [Set], settings: &abi::Settings) -> Result<Limits, Mistake> {
        let totals = Totals::of(sets)?;
        let is_repeatable = sets.iter().all(|set| set.reset.is_some());
        check_settings(settings, is_repeatable)?;
        let max_properties = max_properties(settings)?;
        let test = totals.normal.times(max_properties as usize).and(totals.cleanup.times(sets.len()));
        let most = if settings.lean { MAX_CHOICES_LEAN } else { MAX_CHOICES };
        let n_choices = match settings.max_choices {
            0 => test.n_choices.saturating_add(1).min(most),
            given => given as usize,
        };
        let has_fingerprint = sets.iter().any(|set| set.fingerprint.is_some());
        let either = totals.normal.or(totals.cleanup);
        let n_zone_bytes = if settings.poison.is_some() { 2 * GRAIN } else { 0 };
        let n_array_bytes = either.n_heap_bytes.saturating_add(either.n_pieces.saturating_mul(n_zone_bytes));
        Ok(Limits {
            n_tests: or(settings.n_tests, 100),
            min_properties: settings.min_properties.into(),
            max_properties,
            max_discards: or(settings.max_discards.into(), 10) as u32,
            max_shrink_runs: if settings.no_shrinking {
                0
            } else {
                or(settings.max_shrink_runs.into(), 2000)
            },
            n_operations: totals.n_operations,
            n_demands: totals.n_demands,
            n_statistics: totals.n_statistics,
            n_choices: if is_repeatable { n_choices } else { 1 },
            n_spans: if is_repeatable { test.n_spans.saturating_add(9).min(2 * n_choices + 9) } else { 1 },
            n_argument_bytes: either.n_argument_bytes.max(GRAIN),
            n_heap_bytes: n_array_bytes.saturating_add(or(settings.array_bytes.into(), 256) as usize),
            n_states: if has_fingerprint { or(settings.max_states.into(), 256) as usize } else { 0 },
            n_trace_bytes: if is_repeatable { 0 } else { or(settings.trace_bytes.into(), 2048) as usize },
            is_repeatable,
            n_results: if totals.gives_results { 2 * max_properties as usize + 2 } else { 0 },
            is_lean: settings.lean,
            exhaustive: (settings.exhaustive_depth > 0).then(|| Exhaustive {
                bound: or(settings.exhaustive_bound.into(), BOUND),
                depth: Some(settings.exhaustive_depth.into()),
            }),
            has_native_widths: totals.has_native_widths,
        })
    }
}

/// How many normal properties a test has at most.
fn max_properties(settings: &abi::Settings) -> Result<u64, Mistake> {
    let default = if settings.lean { MAX_PROPERTIES_LEAN } else { MAX_PROPERTIES };
    let default = default.max(settings.min_properties.into()).max(settings.exhaustive_depth.into());
    let most = or(settings.max_properties.into(), default);
    if u64::from(settings.min_properties) > most || most > 1 << 16 {
        let what = "min_properties is more than max_properties, or that is more than 65536";
        return Err(Mistake::new(result_codes::SETTINGS, what, ""));
    }
    if u64::from(settings.exhaustive_depth) > most {
        let what = "exhaustive_depth is more than max_properties";
        return Err(Mistake::new(result_codes::SETTINGS, what, ""));
    }
    Ok(most)
}
