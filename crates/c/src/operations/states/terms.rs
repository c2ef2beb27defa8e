//! Turns expressions over a draft into terms, and leaves open whatever can stay open.
//!
//! What must be known (which constructor, which of two branches, which index) is chosen from the stream, and
//! the choice becomes a demand. Conditions that must hold are handled by `want`, in `conditions`.

use super::draft::{Hole, Pointer, Relation, Term, TermId, is_number, range_of, range_of_bits};
use super::draw::{DrawResult, Drawing, Fail, Frame};
use crate::evaluate;
use crate::spec::checked::{Arithmetic, Builtin, Expr, ExprKind, FunctionBody, FunctionId, Match, Pattern};
use crate::spec::types::{DatatypeId, Type, of_c};

/// A number that decides how much there is (a length, an index) is at most this much above the least it can be.
pub(super) const FEW: i128 = 12;

impl<'a> Drawing<'a, '_> {
    /// The term of an expression.
    pub(super) fn eval(&mut self, e: &'a Expr, frame: &mut Frame) -> DrawResult<TermId> {
        self.tick()?;
        if let ExprKind::Slot(slot) = &e.kind {
            return Ok(frame[slot.0 as usize]);
        }
        if matches!(e.ty, Type::Boolean) && !matches!(e.kind, ExprKind::Member(..) | ExprKind::Field(..)) {
            let holds = self.decide(e, frame)?;
            return Ok(self.draft.add(Term::Boolean(holds)));
        }
        match &e.kind {
            ExprKind::Bits(value) => Ok(self.draft.number(*value)),
            ExprKind::Integer(value) => {
                let value = i128::try_from(value).map_err(|_| Fail::Unknown(e.span))?;
                Ok(self.draft.number(value))
            }
            ExprKind::Null => Ok(self.draft.add(Term::Null)),
            ExprKind::Unit => Ok(self.draft.add(Term::Unit)),
            ExprKind::Default => self.default_of(&e.ty),
            ExprKind::GlobalAddress(id) => match self.world.globals.get(id.0 as usize) {
                Some((Some(address), ty)) => Ok(self.draft.global(*address, *ty)),
                _ => Err(Fail::Unknown(e.span)),
            },
            ExprKind::FunctionAddress(id) => match self.world.functions.get(id.0 as usize) {
                Some(Some(address)) => Ok(self.draft.add(Term::Address(*address))),
                _ => Err(Fail::Unknown(e.span)),
            },
            ExprKind::Member(of, k) | ExprKind::Field(of, k) => {
                let of = self.eval(of, frame)?;
                self.part_of(of, *k)
            }
            ExprKind::Offset(of, by) => {
                let of = self.eval(of, frame)?;
                Ok(self.moved(of, *by as i64))
            }
            ExprKind::Shift { pointer, index, size } => {
                let pointer = self.eval(pointer, frame)?;
                let index = self.eval(index, frame)?;
                let index = self.force(index)?;
                let by = i64::try_from(index).map_err(|_| Fail::Clash)?.wrapping_mul(*size as i64);
                Ok(self.moved(pointer, by))
            }
            ExprKind::Negate(of) => {
                let zero = self.draft.number(0);
                let of = self.eval(of, frame)?;
                self.arithmetic(Arithmetic::Subtract, &e.ty, zero, of)
            }
            ExprKind::Complement(of) => {
                let of = self.eval(of, frame)?;
                let value = !self.force(of)?;
                Ok(self.draft.number(e.ty.bits().map_or(value, |bits| bits.extend(value))))
            }
            ExprKind::Arithmetic(op, a, b) => {
                let (a, b) = (self.eval(a, frame)?, self.eval(b, frame)?);
                self.arithmetic(*op, &e.ty, a, b)
            }
            ExprKind::If(condition, a, b) => {
                let chosen = if self.decide(condition, frame)? { a } else { b };
                self.eval(chosen, frame)
            }
            ExprKind::Cast(of) => self.cast(of, e, frame),
            ExprKind::Call(id, arguments) => {
                let mut inner = self.frame_of(*id, arguments, frame)?;
                let body = self.body(*id, e)?;
                let value = self.deeper(|drawing| drawing.eval(body, &mut inner))?;
                self.leave(inner);
                Ok(value)
            }
            ExprKind::Construct(of, constructor, fields) => {
                let row = self.eval_all(fields, frame)?;
                let (at, n) = self.draft.row(&row);
                self.leave(row);
                Ok(self.draft.add(Term::Data { of: *of, constructor: *constructor, at, n }))
            }
            ExprKind::Struct(_, parts) | ExprKind::Record(parts) => {
                let row = self.eval_all(parts, frame)?;
                let (at, n) = self.draft.row(&row);
                self.leave(row);
                Ok(self.draft.add(Term::Parts { at, n }))
            }
            ExprKind::Update(base, updates) => {
                let base = self.eval(base, frame)?;
                let (at, n) = self.parts_of(base)?;
                let mut row = self.draft.slice(at, n).to_vec();
                for (k, value) in updates {
                    row[*k as usize] = self.eval(value, frame)?;
                }
                let (at, n) = self.draft.row(&row);
                Ok(self.draft.add(Term::Parts { at, n }))
            }
            ExprKind::MapGet(map, key) => self.map_get(map, key, &e.ty, frame),
            ExprKind::MapSet(map, updates) => {
                let map = self.eval(map, frame)?;
                let mut row = match self.draft.term(map) {
                    Term::Map { at, n } => self.draft.slice(at, 2 * n).to_vec(),
                    _ => Vec::new(),
                };
                for (key, value) in updates {
                    let key = self.eval(key, frame)?;
                    let key = self.force(key)?;
                    let value = self.eval(value, frame)?;
                    match self.place(&row, key) {
                        Some(place) => row[place] = value,
                        None => row.extend([self.draft.number(key), value]),
                    }
                }
                let (at, n) = self.draft.row(&row);
                Ok(self.draft.add(Term::Map { at, n: n / 2 }))
            }
            ExprKind::List(elements) => {
                let row = self.eval_all(elements, frame)?;
                let (at, n) = self.draft.row(&row);
                Ok(self.draft.add(Term::List { at, n }))
            }
            ExprKind::Match(of) => {
                let body = self.arm(of, frame)?;
                self.eval(body, frame)
            }
            ExprKind::Let(bindings, body) => {
                for (slot, value) in bindings {
                    frame[slot.0 as usize] = self.eval(value, frame)?;
                }
                self.eval(body, frame)
            }
            ExprKind::Builtin(builtin, arguments) => self.builtin(*builtin, arguments, e, frame),
            _ => Err(Fail::Unknown(e.span)),
        }
    }

    fn eval_all(&mut self, list: &'a [Expr], frame: &mut Frame) -> DrawResult<Frame> {
        let mut values = self.frame();
        for e in list {
            values.push(self.eval(e, frame)?);
        }
        Ok(values)
    }

    /// The frame of a spec function that is called.
    pub(super) fn frame_of(
        &mut self,
        id: FunctionId,
        arguments: &'a [Expr],
        frame: &mut Frame,
    ) -> DrawResult<Frame> {
        let mut inner = self.eval_all(arguments, frame)?;
        let n_slots = self.world.specs.functions[id.0 as usize].n_slots as usize;
        if inner.len() < n_slots {
            let unit = self.draft.add(Term::Unit);
            inner.resize(n_slots, unit);
        }
        Ok(inner)
    }

    /// The body of a spec function.
    pub(super) fn body(&self, id: FunctionId, call: &Expr) -> DrawResult<&'a Expr> {
        match &self.world.specs.functions[id.0 as usize].body {
            FunctionBody::Expr(body) => Ok(body),
            _ => Err(Fail::Unknown(call.span)),
        }
    }

    fn moved(&mut self, pointer: TermId, by: i64) -> TermId {
        match self.draft.pointer(pointer) {
            _ if by == 0 => pointer,
            Pointer::Place { object, offset } => {
                self.draft.add(Term::Place { object, offset: offset.wrapping_add(by) })
            }
            _ => self.draft.add(Term::Moved { base: pointer, by }),
        }
    }

    /// The parts of a struct or record, which are opened if it is open.
    fn parts_of(&mut self, id: TermId) -> DrawResult<(u32, u32)> {
        let (id, term) = self.draft.resolve(id);
        match term {
            Term::Parts { at, n } => Ok((at, n)),
            Term::Hole(hole) => {
                let ty = self.draft.type_of(hole).clone();
                let budget = self.draft.state_of(hole).budget;
                let opened = match &ty {
                    Type::Record(fields) => {
                        let row: Vec<TermId> =
                            fields.iter().map(|(_, ty)| self.draft.hole(ty, budget)).collect();
                        let (at, n) = self.draft.row(&row);
                        self.draft.add(Term::Parts { at, n })
                    }
                    Type::Struct(record) => {
                        let members = &self.world.types.record(*record).members;
                        let mut row = Vec::with_capacity(members.len());
                        for member in members {
                            row.push(match of_c(self.world.types, member.ty) {
                                Some(ty) => self.draft.hole(&ty, budget),
                                None => self.draft.add(Term::Missing),
                            });
                        }
                        let (at, n) = self.draft.row(&row);
                        self.draft.add(Term::Parts { at, n })
                    }
                    _ => return Err(Fail::Clash),
                };
                self.draft.bind(hole, opened)?;
                self.parts_of(id)
            }
            _ => Err(Fail::Clash),
        }
    }

    fn part_of(&mut self, id: TermId, k: u32) -> DrawResult<TermId> {
        let (at, n) = self.parts_of(id)?;
        if k < n { Ok(self.draft.part(at, k)) } else { Err(Fail::Clash) }
    }

    /// Where the value of a key is in a row of keys and values.
    fn place(&self, row: &[TermId], key: i128) -> Option<usize> {
        let is_key = |k: &usize| self.draft.value(row[*k]) == Some(key);
        (0..row.len()).step_by(2).find(is_key).map(|k| k + 1)
    }

    pub(super) fn map_get(
        &mut self,
        map: &'a Expr,
        key: &'a Expr,
        ty: &Type,
        frame: &mut Frame,
    ) -> DrawResult<TermId> {
        let map = self.eval(map, frame)?;
        self.settle(map)?;
        let key = self.eval(key, frame)?;
        let Term::Map { at, n } = self.draft.term(map) else { return Ok(self.draft.hole(ty, 0)) };
        let key = self.force(key)?;
        let row = self.draft.slice(at, 2 * n).to_vec();
        match self.place(&row, key) {
            Some(place) => Ok(row[place]),
            None => self.default_of(ty),
        }
    }

    /// Runs the predicate that a hole waits for.
    pub(super) fn settle(&mut self, id: TermId) -> DrawResult {
        match self.draft.term(id) {
            Term::Hole(hole) => match self.draft.state_of(hole).waits_for {
                super::draft::NOBODY => Ok(()),
                k => self.run(k as usize),
            },
            _ => Ok(()),
        }
    }

    fn default_of(&mut self, ty: &Type) -> DrawResult<TermId> {
        Ok(match ty {
            ty if is_number(ty) => self.draft.number(0),
            Type::Boolean => self.draft.add(Term::Boolean(false)),
            Type::Pointer(_) => self.draft.add(Term::Null),
            Type::Map(_) => self.draft.add(Term::Map { at: 0, n: 0 }),
            Type::List(_) => self.draft.add(Term::List { at: 0, n: 0 }),
            Type::Option(_) => self.draft.add(Term::Option(None)),
            Type::Record(fields) => {
                let row = fields.iter().map(|(_, ty)| self.default_of(ty)).collect::<DrawResult<Vec<_>>>()?;
                let (at, n) = self.draft.row(&row);
                self.draft.add(Term::Parts { at, n })
            }
            Type::Datatype(of) => {
                let datatype = &self.world.specs.datatypes[of.0 as usize];
                let fields = &datatype.constructors[datatype.default as usize].fields;
                let row = fields.iter().map(|(_, ty)| self.default_of(ty)).collect::<DrawResult<Vec<_>>>()?;
                let (at, n) = self.draft.row(&row);
                self.draft.add(Term::Data { of: *of, constructor: datatype.default, at, n })
            }
            ty => self.draft.hole(ty, 0),
        })
    }

    /// An operation on numbers: its result if both are known, else a term; where nothing is known of its
    /// inverse, both are drawn.
    fn arithmetic(&mut self, op: Arithmetic, ty: &Type, a: TermId, b: TermId) -> DrawResult<TermId> {
        let (x, y) = (self.draft.value(a), self.draft.value(b));
        let is_linear = match op {
            Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply => true,
            Arithmetic::Divide | Arithmetic::Remainder | Arithmetic::Modulo => y.is_some_and(|y| y > 0),
            _ => false,
        };
        let (x, y) = match (x, y) {
            (Some(x), Some(y)) => (x, y),
            _ if is_linear => {
                let term = self.folded(op, a, b);
                let term = self.draft.add(term);
                let mark = self.draft.mark();
                let fits = self.draft.narrow(term, range_of(ty)).and_then(|()| self.draft.propagate());
                if fits.is_err() {
                    self.draft.back_to(mark);
                }
                return Ok(term);
            }
            _ => (self.force(a)?, self.force(b)?),
        };
        let value = match ty.bits() {
            Some(bits) => evaluate::on_bits(op, bits, x, y),
            None => on_integers(op, x, y),
        };
        value.map(|value| self.draft.number(value)).ok_or(Fail::Clash)
    }

    /// The term of an operation. What is added to a sum with a known number is added to that number: a count
    /// that goes down by one in every call of a function would be looked through call by call.
    fn folded(&mut self, op: Arithmetic, a: TermId, b: TermId) -> Term {
        let signed = |op: Arithmetic, value: i128| match op {
            Arithmetic::Add => Some(value),
            Arithmetic::Subtract => value.checked_neg(),
            _ => None,
        };
        let known =
            |id: TermId| if let Term::Number(value) = self.draft.term(id) { Some(value) } else { None };
        let by = known(b).and_then(|value| signed(op, value));
        if let (Some(by), Term::Arithmetic(inner, of, with)) = (by, self.draft.term(a))
            && let Some(sum) =
                known(with).and_then(|value| signed(inner, value)).and_then(|v| v.checked_add(by))
        {
            let sum = self.draft.number(sum);
            return Term::Arithmetic(Arithmetic::Add, of, sum);
        }
        Term::Arithmetic(op, a, b)
    }

    /// Between numbers the value stays what it is, as far as the type lets it.
    fn cast(&mut self, of: &'a Expr, to: &'a Expr, frame: &mut Frame) -> DrawResult<TermId> {
        let value = self.eval(of, frame)?;
        match (&of.ty, &to.ty) {
            (from, Type::Bits(bits)) if is_number(from) => match self.draft.value(value) {
                Some(known) => Ok(self.draft.number(bits.extend(known))),
                None => {
                    self.draft.narrow(value, range_of_bits(*bits))?;
                    self.draft.propagate()?;
                    Ok(value)
                }
            },
            (from, into) if is_number(from) && is_number(into) => Ok(value),
            (Type::Pointer(_), Type::Pointer(_)) => Ok(value),
            // Addresses are known when everything else is.
            _ => Ok(self.draft.hole(&to.ty, 0)),
        }
    }

    /// The number that a term is; what is open in it is drawn.
    pub(super) fn force(&mut self, id: TermId) -> DrawResult<i128> {
        self.settle(id)?;
        if let Some(value) = self.draft.value(id) {
            return Ok(value);
        }
        match self.draft.term(id) {
            Term::Hole(hole) => self.assign_few(hole),
            Term::Arithmetic(_, a, b) => {
                self.force(a)?;
                self.force(b)?;
                self.draft.value(id).ok_or(Fail::Clash)
            }
            _ => Err(Fail::Clash),
        }
    }

    /// Draws a number of things.
    fn assign_few(&mut self, hole: u32) -> DrawResult<i128> {
        for _ in 0..4 {
            let Hole { lo, hi, .. } = *self.draft.state_of(hole);
            let least = 0i128.clamp(lo, hi);
            let most = hi.min(least.saturating_add(FEW));
            let (least, most) = match (i64::try_from(least), i64::try_from(most)) {
                (Ok(least), Ok(most)) => (least, most),
                _ => return Err(Fail::Clash),
            };
            let most = most.min(least.saturating_add(i64::from(self.budget.max(self.n_tried).max(1))));
            let value = i128::from(self.pick_size(least, most));
            let term = self.draft.add(Term::Hole(hole));
            let assigned = self.attempt(|drawing| {
                drawing.draft.narrow(term, (value, value))?;
                Ok(drawing.draft.propagate()?)
            });
            if assigned.is_ok() {
                return Ok(value);
            }
        }
        Err(Fail::Clash)
    }

    fn builtin(
        &mut self,
        builtin: Builtin,
        arguments: &'a [Expr],
        e: &'a Expr,
        frame: &mut Frame,
    ) -> DrawResult<TermId> {
        let Some(first) = arguments.first() else { return Err(Fail::Unknown(e.span)) };
        let first = self.eval(first, frame)?;
        match builtin {
            Builtin::Some => Ok(self.draft.add(Term::Option(Some(first)))),
            Builtin::GetOption => match self.option(first, None)? {
                Some(value) => Ok(value),
                None => self.default_of(&e.ty),
            },
            Builtin::LeadingZeros | Builtin::TrailingZeros | Builtin::FirstSet | Builtin::LastSet => {
                let value = self.force(first)?;
                let bits = e.ty.bits().ok_or(Fail::Unknown(e.span))?;
                let width = u32::from(bits.width);
                let raw = (value as u128) & (u128::MAX >> (128 - width));
                let (leading, trailing) =
                    (raw.leading_zeros() + width - 128, raw.trailing_zeros().min(width));
                let result = match builtin {
                    Builtin::LeadingZeros => leading,
                    Builtin::TrailingZeros => trailing,
                    Builtin::FirstSet => {
                        if raw == 0 {
                            0
                        } else {
                            trailing + 1
                        }
                    }
                    _ => width - leading,
                };
                Ok(self.draft.number(i128::from(result)))
            }
            _ => Err(Fail::Unknown(e.span)),
        }
    }

    /// What an option holds; whether it holds anything is chosen if it is open and not asked for.
    pub(super) fn option(&mut self, id: TermId, wanted: Option<bool>) -> DrawResult<Option<TermId>> {
        self.settle(id)?;
        let (_, term) = self.draft.resolve(id);
        let held = match term {
            Term::Option(held) => held,
            Term::Hole(hole) => {
                let Type::Option(of) = self.draft.type_of(hole).clone() else { return Err(Fail::Clash) };
                let is_some = match wanted {
                    Some(wanted) => wanted,
                    None => self.coin([1, 1]),
                };
                let held = is_some.then(|| self.draft.hole(&of, 0));
                let option = self.draft.add(Term::Option(held));
                self.draft.bind(hole, option)?;
                held
            }
            _ => return Err(Fail::Clash),
        };
        match wanted {
            Some(wanted) if wanted != held.is_some() => Err(Fail::Clash),
            _ => Ok(held),
        }
    }

    /// The arm of a `match` that is taken; its pattern's slots are filled.
    pub(super) fn arm(&mut self, of: &'a Match, frame: &mut Frame) -> DrawResult<&'a Expr> {
        let scrutinee = self.eval(&of.of, frame)?;
        for arm in &of.arms {
            if self.matches(&arm.pattern, scrutinee, frame)? {
                return Ok(&arm.body);
            }
        }
        Err(Fail::Clash)
    }

    fn matches(&mut self, pattern: &Pattern, id: TermId, frame: &mut Frame) -> DrawResult<bool> {
        match pattern {
            Pattern::Any => Ok(true),
            Pattern::Bind(slot) => {
                frame[slot.0 as usize] = id;
                Ok(true)
            }
            Pattern::Construct(wanted, fields) => {
                let (constructor, at) = self.constructor(id)?;
                if constructor != *wanted {
                    return Ok(false);
                }
                for (k, pattern) in fields {
                    if !self.matches(pattern, self.draft.part(at, *k), frame)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    /// The constructor of a value, and where its fields are; chosen if it is open.
    pub(super) fn constructor(&mut self, id: TermId) -> DrawResult<(u32, u32)> {
        match self.draft.term(id) {
            Term::Data { constructor, at, .. } => Ok((constructor, at)),
            Term::Hole(hole) => {
                let Type::Datatype(of) = *self.draft.type_of(hole) else { return Err(Fail::Clash) };
                let possible = self.possible(hole);
                let plan = self.world.plan;
                let all = || plan.ranked(of).filter(|(c, _)| possible >> (*c).min(63) & 1 == 1);
                let Some((_, least)) = all().next() else { return Err(Fail::Clash) };
                let (n, n_least) = (all().count(), all().take_while(|(_, depth)| *depth == least).count());
                let grows = n_least < n && self.grows(self.draft.state_of(hole).budget);
                let (n_before, n) = if grows { (n_least, n - n_least) } else { (0, n_least) };
                let k = match n {
                    1 => 0,
                    n => self.pick(n),
                };
                let Some((constructor, _)) = all().nth(n_before + k) else { return Err(Fail::Clash) };
                self.open(hole, of, constructor)
            }
            _ => Err(Fail::Clash),
        }
    }

    /// Fills a hole with a constructor whose fields are open.
    pub(super) fn open(&mut self, hole: u32, of: DatatypeId, constructor: u32) -> DrawResult<(u32, u32)> {
        let fields = &self.world.specs.datatypes[of.0 as usize].constructors[constructor as usize].fields;
        let n_inner = fields.iter().filter(|(_, ty)| matches!(ty, Type::Datatype(_))).count().max(1) as u32;
        let below = self.draft.state_of(hole).budget.saturating_sub(1);
        // Half of the time all get the same, else one gets more.
        let favourite = if n_inner > 1 { self.pick(2 * n_inner as usize) as u32 } else { n_inner };
        let mut n_seen = 0;
        let mut row = self.frame();
        for (_, ty) in fields {
            let is_inner = matches!(ty, Type::Datatype(_));
            let budget = match favourite {
                k if k >= n_inner => below.div_ceil(n_inner),
                k if is_inner && k == n_seen => below,
                _ => 0,
            };
            n_seen += u32::from(is_inner);
            row.push(self.draft.hole(ty, budget));
        }
        let waits_for = self.draft.state_of(hole).waits_for;
        let (at, n) = self.draft.row(&row);
        let data = self.draft.add(Term::Data { of, constructor, at, n });
        self.draft.bind(hole, data)?;
        if let Some(predicate) = self.awaited(waits_for) {
            let ranges = self.world.bounds.of(predicate, constructor).map_err(|()| Fail::Clash)?;
            for (field, range) in row.iter().zip(ranges.into_iter().flatten()) {
                if let Some(range) = range {
                    self.draft.narrow(*field, *range)?;
                }
            }
        }
        self.leave(row);
        Ok((constructor, at))
    }

    /// Whether a relation between numbers is known.
    pub(super) fn is_known(&self, relation: Relation, a: TermId, b: TermId) -> Option<bool> {
        known_of(relation, self.draft.range(a), self.draft.range(b))
    }
}

/// Whether a relation holds between all numbers of two ranges, or between none.
pub(super) fn known_of(
    relation: Relation,
    (lo, hi): (i128, i128),
    (least, most): (i128, i128),
) -> Option<bool> {
    let is_equal = match (hi < least || most < lo, lo == hi && least == most && lo == least) {
        (true, _) => Some(false),
        (_, true) => Some(true),
        _ => None,
    };
    match relation {
        Relation::Less if hi < least => Some(true),
        Relation::Less if lo >= most => Some(false),
        Relation::LessEqual if hi <= least => Some(true),
        Relation::LessEqual if lo > most => Some(false),
        Relation::Less | Relation::LessEqual => None,
        Relation::Equal => is_equal,
        Relation::Unequal => is_equal.map(|is_equal| !is_equal),
    }
}

/// An operation on integers, if its result is not too large.
fn on_integers(op: Arithmetic, x: i128, y: i128) -> Option<i128> {
    match op {
        Arithmetic::Add => x.checked_add(y),
        Arithmetic::Subtract => x.checked_sub(y),
        Arithmetic::Multiply => x.checked_mul(y),
        Arithmetic::Divide => x.checked_div(y),
        Arithmetic::Remainder => x.checked_rem(y),
        Arithmetic::Modulo => x.checked_rem_euclid(y),
        Arithmetic::BitAnd => Some(x & y),
        Arithmetic::BitOr => Some(x | y),
        Arithmetic::BitXor => Some(x ^ y),
        Arithmetic::Power => x.checked_pow(u32::try_from(y).ok()?),
        Arithmetic::ShiftLeft => x.checked_mul(1i128.checked_shl(u32::try_from(y).ok()?)?),
        Arithmetic::ShiftRight => Some(x >> u32::try_from(y).ok()?.min(127)),
    }
}
