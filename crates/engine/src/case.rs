//! One test case in the hands of a property: pick, assume, observe.
//!
//! It draws from the choice stream and keeps what is observed. This is the monadic property language of
//! Claessen and Hughes ("Testing Monadic Code with QuickCheck", sections 7 to 9): `pick` is `forAllM`,
//! `assume` is `pre`, `run` runs an effect, the observations are `monitor`; assertions are ordinary panics or
//! errors. A case does not know whether it is random, replayed or being shrunk.

#[cfg(feature = "observations")]
use crate::attachment::Attachment;
use crate::corpus::{Feature, Guide};
use crate::draw::Draw;
use crate::execute::Detail;
use crate::failure::{Failure, FailureKind, Role};
use crate::generate::Generate;
use crate::observations::{DrawnRole, DrawnValue, FaultSite, Observations};
use crate::program::ActualStep;
use crate::stop::{Checked, Discard, Reason, Stop};
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use core::fmt::{Debug, Display};
use core::panic::Location;
use stairway_choice::{Choices, Halt, Prng};

/// A test case: where a property draws its inputs and leaves its observations.
#[derive(Debug)]
pub struct Case<'b> {
    draw: Draw<'b>,
    observed: &'b mut Observations,
    /// Drawn values and notes are kept only for the case that is shown.
    detail: Detail,
    example: Option<usize>,
    pending: Option<Stop>,
    /// The failure that a step has met, while what the program holds is being dropped.
    failed: Option<Stop>,
    guard: Guard,
    tap: Option<Tap>,
    /// What the search says, if this is one of its cases.
    pub(crate) guide: Guide<'b>,
    /// Whether the step at hand has said what it turned out to be. Nearly none does, so this is asked first.
    pub(crate) has_turned: bool,
    /// What it turned out to be then.
    pub(crate) turned: ActualStep,
}

/// Follows a case from outside, in case its process crashes.
#[derive(Clone, Copy, Debug)]
pub struct Tap {
    /// Is shown its choices and observations at every [`Case::checkpoint`]: what a process about to crash leaves
    /// behind.
    pub hear: fn(&Choices<'_>, &Observations),
    /// Runs what shows a value of the user's, which may crash as well.
    pub show: Guard,
}

/// Runs a closure and turns a panic in it into a [`Stop`] where the platform can.
pub type Guard = fn(&mut dyn FnMut() -> Checked) -> Checked;

/// The guard of platforms without unwinding: nothing is caught.
///
/// # Errors
/// Whatever `f` gives.
pub fn unguarded(f: &mut dyn FnMut() -> Checked) -> Checked {
    f()
}

/// Which outcomes of a computation with several must satisfy the rest of the property
/// (the satisfaction test of section 8 of the paper).
#[derive(Clone, Copy)]
enum Quantifier {
    All,
    First,
    Some,
}

impl<'b> Case<'b> {
    /// A case over `choices` that leaves its observations in `observed`.
    #[inline(always)]
    #[must_use]
    pub const fn new(
        choices: Choices<'b>,
        observed: &'b mut Observations,
        detail: Detail,
        example: Option<usize>,
        guard: Guard,
    ) -> Self {
        Case {
            draw: Draw::new(choices),
            observed,
            detail,
            example,
            pending: None,
            failed: None,
            guard,
            tap: None,
            guide: Guide::NONE,
            has_turned: false,
            turned: ActualStep { op: 0, impossible: 0 },
        }
    }

    /// Shows the choices to `tap` at every checkpoint.
    #[inline]
    pub(crate) const fn tap(&mut self, tap: Option<Tap>) {
        self.tap = tap;
    }

    /// Whether this is a case of a search, so that [features](Case::feature) are looked at.
    #[inline]
    #[must_use]
    pub const fn wants_features(&self) -> bool {
        self.guide.is_some()
    }

    /// Names something that was seen in this case by a number: a state, a branch, how close something came. A
    /// search keeps cases that show a number for the first time, and varies them. Equal numbers are the same
    /// thing, so few of them guide a search and millions do not.
    ///
    /// ```
    /// # use stairway_engine::{Case, Checked};
    /// fn property(t: &mut Case<'_>) -> Checked {
    ///     let word = t.pick(stairway_engine::any::<u64>())?;
    ///     t.feature(u64::from(word.leading_ones()));
    ///     Ok(())
    /// }
    /// ```
    pub fn feature(&mut self, number: u64) {
        if self.wants_features() {
            let at = self.draw.stream().n_choices() as u32;
            self.observed.features.push(Feature::new(Feature::fold(number), at));
        }
    }

    /// Whether this case will be shown: drawn values and notes are kept.
    #[inline]
    #[must_use]
    pub const fn is_detailed(&self) -> bool {
        matches!(self.detail, Detail::Everything)
    }

    /// How much of this case is shown.
    #[must_use]
    pub const fn detail(&self) -> Detail {
        self.detail
    }

    /// Where observations are kept.
    pub const fn observed(&mut self) -> &mut Observations {
        self.observed
    }

    /// Whether somebody listens to what is drawn.
    pub(crate) const fn is_tapped(&self) -> bool {
        self.tap.is_some()
    }

    /// Marks a moment after which the code under test may crash: everything drawn so far is handed to whoever
    /// listens. Drawing an argument, a pick or the operation of a step does this by itself, and so does
    /// showing a value: the user's `Debug` may crash like anything else.
    #[inline]
    pub fn checkpoint(&mut self) {
        if let Some(tap) = self.tap {
            (tap.hear)(self.draw.choices(), self.observed);
        }
    }

    /// The number of the fixed example this case stands for, if it is one.
    #[inline]
    #[must_use]
    pub const fn example(&self) -> Option<usize> {
        self.example
    }

    /// What generators draw from.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(crate) const fn draw(&mut self) -> &mut Draw<'b> {
        &mut self.draw
    }

    /// The choice stream, for code that draws without a generator.
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn choices(&mut self) -> &mut Choices<'b> {
        self.draw.choices()
    }

    /// Draws a value; it is shown, with its place, when this case turns out to be the smallest
    /// failing one.
    ///
    /// # Errors
    /// Ends the case when no value can be made; return it with `?`.
    #[inline]
    #[track_caller]
    pub fn pick<G: Generate>(&mut self, generator: G) -> Checked<G::Value>
    where
        G::Value: Debug,
    {
        let at = self.draw.stream().n_choices();
        let place = Location::caller();
        let value = generator
            .generate_in(self)
            .inspect_err(|_| self.blame_generator(FaultSite::Pick(place.into())))?;
        self.checkpoint();
        if self.is_detailed() {
            self.show_picked(at, place, &value);
            self.checkpoint();
        }
        Ok(value)
    }

    #[cold]
    fn show_picked(&mut self, at: usize, place: &'static Location<'static>, value: &dyn Debug) {
        let value = self.shown(|| alloc::format!("{value:?}"));
        let (name, role) = (Cow::Borrowed(""), DrawnRole::Pick(place.into()));
        self.observed.drawn.push(DrawnValue {
            name,
            role,
            value,
            at,
            #[cfg(feature = "observations")]
            attachment: Attachment::default(),
        });
    }

    /// Draws the argument called `name`; `show` renders it.
    ///
    /// # Errors
    /// Ends the case when no value can be made.
    pub fn argument<G: Generate>(
        &mut self,
        name: &'static str,
        generator: G,
        show: impl FnOnce(&G::Value) -> String,
    ) -> Checked<G::Value> {
        self.draw_argument(name, generator, show, |_, _| ())
    }

    /// The same, with something that the front end keeps with the value for the report.
    ///
    /// # Errors
    /// Ends the case when no value can be made.
    #[cfg(feature = "observations")]
    pub fn argument_with<G: Generate>(
        &mut self,
        name: &'static str,
        generator: G,
        show: impl FnOnce(&G::Value) -> String,
        attach: impl FnOnce(&G::Value) -> Attachment,
    ) -> Checked<G::Value> {
        self.draw_argument(name, generator, show, |value, drawn| drawn.attachment = attach(value))
    }

    #[inline]
    fn draw_argument<G: Generate>(
        &mut self,
        name: &'static str,
        generator: G,
        show: impl FnOnce(&G::Value) -> String,
        keep: impl FnOnce(&G::Value, &mut DrawnValue),
    ) -> Checked<G::Value> {
        let at = self.draw.stream().n_choices();
        let value = generator
            .generate_in(self)
            .inspect_err(|_| self.blame_generator(FaultSite::Argument(Cow::Borrowed(name))))?;
        self.checkpoint();
        if self.is_detailed() {
            self.show((name, DrawnRole::Argument), at, || show(&value));
            if let Some(drawn) = self.observed.drawn.last_mut() {
                keep(&value, drawn);
            }
            self.checkpoint();
        }
        Ok(value)
    }

    /// Remembers what was being drawn if its generator is wrong.
    #[cold]
    fn blame_generator(&mut self, site: FaultSite) {
        if let Some(Halt::Fault(_)) = self.draw.stream().halted() {
            self.observed.fault_at = site;
        }
    }

    /// Shows an argument that was not drawn (an example's).
    pub fn given(&mut self, name: &'static str, show: impl FnOnce() -> String) {
        self.show((name, DrawnRole::Argument), self.draw.stream().n_choices(), show);
    }

    /// Shows what a refinement sees in its arguments.
    pub fn given_abstract(&mut self, name: &'static str, show: impl FnOnce() -> String) {
        self.show((name, DrawnRole::Abstract), self.draw.stream().n_choices(), show);
    }

    fn show(&mut self, (name, role): (&'static str, DrawnRole), at: usize, show: impl FnOnce() -> String) {
        if self.is_detailed() {
            let (name, value) = (Cow::Borrowed(name), self.shown(show));
            self.observed.drawn.push(DrawnValue {
                name,
                role,
                value,
                at,
                #[cfg(feature = "observations")]
                attachment: Attachment::default(),
            });
        }
    }

    /// What `show` makes of a value. A `Debug` that panics says nothing about the property: the value is then
    /// shown as one that cannot be shown.
    pub fn shown(&self, show: impl FnOnce() -> String) -> String {
        let (mut show, mut text) = (Some(show), String::new());
        let watched = self.tap.filter(|_| cfg!(feature = "observations")).map(|tap| tap.show);
        let guard = watched.unwrap_or(self.guard);
        let ended = guard(&mut || {
            text = show.take().map(|show| show()).unwrap_or_default();
            Ok(())
        });
        match ended {
            Ok(()) => text,
            Err(stop) => {
                let why = stop.failure().map(|failure| failure.text.as_str()).unwrap_or_default();
                alloc::format!("(cannot be shown: {why})")
            }
        }
    }

    /// Goes on only if `condition` holds; otherwise the case is discarded, which is never
    /// counted as success.
    ///
    /// # Errors
    /// Ends the case when the condition is false; return it with `?`.
    #[track_caller]
    pub fn assume(&mut self, condition: bool) -> Checked {
        self.assume_named(condition, "")
    }

    /// [`Case::assume`] with the text of the condition, for the report.
    ///
    /// # Errors
    /// Ends the case when the condition is false; return it with `?`.
    #[track_caller]
    pub fn assume_named(&mut self, condition: bool, text: &'static str) -> Checked {
        if condition {
            Ok(())
        } else {
            Err(Stop::discard(Discard::Assume { place: Location::caller().into(), text }))
        }
    }

    /// Runs an effect of the code under test and gives its result.
    pub fn run<T>(&mut self, effect: impl FnOnce() -> T) -> T {
        effect()
    }

    /// Demands a result: `None` or `Err` fails the property (total correctness).
    ///
    /// # Errors
    /// Fails the property when there is no result.
    #[track_caller]
    pub fn total<T>(&mut self, result: impl Answer<T>) -> Checked<T> {
        let at = Location::caller();
        result
            .answer()
            .map_err(|got| Stop::fail(Failure::new(FailureKind::NoResult).at(at).with(Role::Returned, got)))
    }

    /// Accepts that there may be no result: `None` or `Err` discards the case (partial
    /// correctness).
    ///
    /// # Errors
    /// Discards the case when there is no result.
    #[track_caller]
    pub fn partial<T>(&mut self, result: impl Answer<T>) -> Checked<T> {
        let at = Location::caller();
        result.answer().map_err(|_| Stop::discard(Discard::Partial(at.into())))
    }

    /// Continues with each of several outcomes; the rest of the property must hold for all of them. Each
    /// outcome makes its own picks.
    ///
    /// ```
    /// # use stairway_engine::{Case, Checked};
    /// fn property(t: &mut Case<'_>) -> Checked {
    ///     t.for_all([1, 2], |t, x| {
    ///         let y = t.pick(x + 3..=x + 4)?;
    ///         assert!(y > x);
    ///         Ok(())
    ///     })
    /// }
    /// ```
    ///
    /// # Errors
    /// Fails the case if one outcome fails; discards it if every outcome is discarded, or if there is none.
    #[track_caller]
    pub fn for_all<T>(
        &mut self,
        outcomes: impl IntoIterator<Item = T>,
        rest: impl FnMut(&mut Self, T) -> Checked,
    ) -> Checked {
        self.quantified(Quantifier::All, outcomes, rest)
    }

    /// Continues with the first of several outcomes and ignores the others.
    ///
    /// # Errors
    /// Fails or discards the case as the first outcome does; without outcomes it is discarded.
    #[track_caller]
    pub fn for_first<T>(
        &mut self,
        outcomes: impl IntoIterator<Item = T>,
        rest: impl FnMut(&mut Self, T) -> Checked,
    ) -> Checked {
        self.quantified(Quantifier::First, outcomes, rest)
    }

    /// Continues with several outcomes until the rest of the property holds for one of them.
    ///
    /// # Errors
    /// Fails the case if every outcome fails; a discarded one might have passed, so with one the case is
    /// discarded, as it is without outcomes.
    #[track_caller]
    pub fn exists<T>(
        &mut self,
        outcomes: impl IntoIterator<Item = T>,
        rest: impl FnMut(&mut Self, T) -> Checked,
    ) -> Checked {
        self.quantified(Quantifier::Some, outcomes, rest)
    }

    #[track_caller]
    fn quantified<T>(
        &mut self,
        quantifier: Quantifier,
        outcomes: impl IntoIterator<Item = T>,
        mut rest: impl FnMut(&mut Self, T) -> Checked,
    ) -> Checked {
        let guard = self.guard;
        let (mut failed, mut discarded, mut passed) = (None, None, false);
        for outcome in outcomes {
            let mut outcome = Some(outcome);
            let result = guard(&mut || outcome.take().map_or(Ok(()), |outcome| rest(self, outcome)));
            match result {
                Ok(()) => passed = true,
                Err(stop) if matches!(stop.reason, Reason::Discard(_)) => discarded = Some(stop),
                Err(stop) if matches!(stop.reason, Reason::Halt(_)) => return Err(stop),
                Err(stop) => failed = Some(stop),
            }
            let decided = match quantifier {
                Quantifier::First => true,
                Quantifier::All => failed.is_some(),
                Quantifier::Some => passed,
            };
            if decided {
                break;
            }
        }
        let nothing = || Stop::discard(Discard::Empty(Location::caller().into()));
        match quantifier {
            Quantifier::Some if passed => Ok(()),
            // A discarded outcome might have passed: that is no refutation.
            Quantifier::Some => Err(discarded.or(failed).unwrap_or_else(nothing)),
            Quantifier::All | Quantifier::First => match failed {
                Some(stop) => Err(stop),
                None if passed => Ok(()),
                None => Err(discarded.unwrap_or_else(nothing)),
            },
        }
    }

    /// Keeps a remark to be shown with the smallest failing case.
    pub fn note(&mut self, remark: impl Display) {
        if self.is_detailed() {
            self.observed.notes.push(remark.to_string());
        }
    }

    /// Attaches a label; the report says how many cases had it.
    pub fn label(&mut self, name: impl Into<Cow<'static, str>>) {
        self.observed.labels.push(name.into());
    }

    /// Attaches a label if `condition` holds.
    pub fn classify(&mut self, condition: bool, name: impl Into<Cow<'static, str>>) {
        if condition {
            self.label(name);
        }
    }

    /// Counts `value` in the table called `table`.
    pub fn collect(&mut self, table: impl Into<Cow<'static, str>>, value: impl Debug) {
        self.observed.collect(table, &alloc::format!("{value:?}"));
    }

    /// Demands that `condition` holds in at least `percent` of all cases. The demand is decided
    /// by a sequential test; if it is not met, the run fails.
    pub fn cover(&mut self, percent: f64, condition: bool, name: impl Into<Cow<'static, str>>) {
        self.observed.covered.push((name.into(), percent, condition));
    }

    /// Counts an alternative that a specification allowed in this case, and whether it is the one
    /// that happened. The report names those that never did.
    pub fn alternative(&mut self, name: impl Into<Cow<'static, str>>, is_taken: bool) {
        self.observed.alternatives.push((name.into(), is_taken));
    }

    /// Names a score that the search should make as large as it can.
    pub fn maximize(&mut self, name: impl Into<Cow<'static, str>>, score: f64) {
        self.observed.scores.push((name.into(), score));
    }

    /// Ends the case with `stop` although the property itself will return normally; for macros
    /// used in functions whose return type cannot carry a [`Stop`].
    pub fn stop_with(&mut self, stop: Stop) {
        self.pending.get_or_insert(stop);
    }

    /// Remembers the failure that is about to be returned. What is dropped on the way out may panic, and a
    /// panic would take the place of the failure.
    pub fn remember(&mut self, stop: Stop) -> Stop {
        if stop.is_failure() {
            self.failed.get_or_insert_with(|| stop.clone());
        }
        stop
    }

    /// Whether nothing has stopped the case so far.
    #[inline]
    pub(crate) const fn is_undisturbed(&self) -> bool {
        self.pending.is_none() && self.failed.is_none() && self.draw.stream().halted().is_none()
    }

    /// Whether nothing has stopped the case so far and there is nothing to count but operations.
    #[inline]
    pub(crate) const fn is_uneventful(&self) -> bool {
        self.is_undisturbed() && self.observed.says_nothing_else()
    }

    /// Begins the next random case in place of an uneventful one.
    #[inline]
    pub(crate) const fn restart(&mut self, prng: Prng, size: u32) {
        self.draw.choices().restart_with(prng, size);
    }

    /// The result of the property, given what its function returned.
    ///
    /// # Errors
    /// The stop that was left behind, or the one given.
    #[inline]
    pub fn conclude(&mut self, result: Checked) -> Checked {
        match (self.pending.take(), result) {
            (Some(stop), _) => Err(stop),
            (None, Err(then)) => Err(match self.failed.take() {
                Some(first) => first.followed_by(then),
                None => then,
            }),
            (None, Ok(())) => Ok(()),
        }
    }
}

/// A result that may be missing, for [`Case::total`] and [`Case::partial`].
pub trait Answer<T> {
    /// The result, or what is there instead of one.
    ///
    /// # Errors
    /// What is there, as it is shown.
    fn answer(self) -> Result<T, String>;
}

impl<T> Answer<T> for Option<T> {
    fn answer(self) -> Result<T, String> {
        self.ok_or_else(|| String::from("None"))
    }
}

impl<T, E: Debug> Answer<T> for Result<T, E> {
    fn answer(self) -> Result<T, String> {
        self.map_err(|error| alloc::format!("Err({error:?})"))
    }
}
