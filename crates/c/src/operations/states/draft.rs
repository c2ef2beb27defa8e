//! A state under construction: terms with holes, and objects whose bytes are terms.
//!
//! Takes demands one by one and rejects one that clashes with earlier ones. Everything since a [`Mark`] can
//! be undone. `draw` decides which demand to make and which alternative to take; `solve` narrows numbers.

use crate::ctypes::TypeId;
use crate::spec::checked::Arithmetic;
use crate::spec::types::{Bits, DatatypeId, Type};

/// A term, by its place in the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TermId(pub(super) u32);

/// What is known of a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Term {
    /// Nothing yet, or what its hole was filled with.
    Hole(u32),
    Unit,
    /// Memory that is not initialised.
    Missing,
    Boolean(bool),
    /// Bits, integers and whole reals.
    Number(i128),
    Null,
    /// Into an object.
    Place {
        object: u32,
        offset: i64,
    },
    /// Of a function.
    Address(u64),
    /// From a pointer that is open, by so many bytes.
    Moved {
        base: TermId,
        by: i64,
    },
    /// On numbers of which one is open.
    Arithmetic(Arithmetic, TermId, TermId),
    /// A struct, union, record or tuple.
    Parts {
        at: u32,
        n: u32,
    },
    Data {
        of: DatatypeId,
        constructor: u32,
        at: u32,
        n: u32,
    },
    /// Keys and values in turn.
    Map {
        at: u32,
        n: u32,
    },
    List {
        at: u32,
        n: u32,
    },
    Option(Option<TermId>),
}

/// A value that is open: what is known of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hole {
    pub(super) bound: Option<TermId>,
    /// Of a number.
    pub(super) lo: i128,
    pub(super) hi: i128,
    /// Of a pointer: that it is not NULL.
    pub(super) is_somewhere: bool,
    /// How many more nodes may hang below it.
    pub(super) budget: u32,
    /// The predicate that will fill it, by its place among those that wait.
    pub(super) waits_for: u32,
}

/// What a term is to those who narrow numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    Number(i128),
    /// Of which only the range is known.
    Hole(u32),
    Arithmetic(Arithmetic, TermId, TermId),
    /// Nothing that has a range.
    Other,
}

impl Operand {
    /// Whether a demand on it tells all at once.
    pub(super) const fn is_plain(self) -> bool {
        matches!(self, Operand::Number(_) | Operand::Hole(_))
    }
}

/// No predicate will fill a hole.
pub(super) const NOBODY: u32 = u32::MAX;

/// How two numbers are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Less,
    LessEqual,
    Equal,
    Unequal,
}

/// A demand on numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constraint {
    pub(super) relation: Relation,
    pub(super) a: TermId,
    pub(super) b: TermId,
}

/// Memory that is taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) offset: i64,
    pub(super) size: u64,
    pub(super) ctype: TypeId,
    pub(super) value: TermId,
    /// Whether it is only lent.
    pub(super) is_shared: bool,
}

/// A block of memory, or a global.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) cells: Vec<Cell>,
    /// Where it is, if it is a global.
    pub(super) fixed: Option<u64>,
    /// What the pointer to it is declared to point to.
    pub(super) pointee: Option<TypeId>,
    /// Where it lies, if it turned out to be a part of another one: in which, and how far into it.
    pub(super) inside: Option<(u32, i64)>,
}

/// A demand cannot be met together with earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clash;

/// What of the range of a hole concerns a constraint: its least number, its largest one, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ends(u8);

impl Ends {
    pub(super) const LEAST: Ends = Ends(1);
    pub(super) const LARGEST: Ends = Ends(2);
    pub(super) const BOTH: Ends = Ends(3);

    /// Those that are not the same any more.
    pub(super) const fn changed(least: bool, largest: bool) -> Ends {
        Ends(least as u8 | (largest as u8) << 1)
    }

    const fn meets(self, other: Ends) -> bool {
        self.0 & other.0 != 0
    }
}

/// A constraint that speaks of a hole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    pub(super) constraint: u32,
    /// Which changes of the hole tell it something new.
    ends: Ends,
}

#[derive(Clone, Copy, Debug)]
enum Undo {
    Hole(u32, Hole),
    Range(u32, (i128, i128)),
    Watch(u32),
    Cell(u32),
    Inside(u32),
}

/// A moment to return to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    n_terms: usize,
    n_parts: usize,
    n_holes: usize,
    n_objects: usize,
    n_constraints: usize,
    n_apart: usize,
    n_trail: usize,
}

/// A state while it is made.
#[derive(Debug, Default)]
pub(super) struct Draft {
    terms: Vec<Term>,
    parts: Vec<TermId>,
    holes: Vec<Hole>,
    types: Vec<Type>,
    /// The constraints that speak of each hole.
    watches: Vec<Vec<Watch>>,
    pub(super) objects: Vec<Object>,
    pub(super) constraints: Vec<Constraint>,
    /// Pointers that are not the same.
    apart: Vec<(TermId, TermId)>,
    trail: Vec<Undo>,
    /// How many holes there were at the latest mark: what becomes of later ones need not be taken back, for they
    /// go themselves.
    n_marked: usize,
    /// Constraints to look at again, each of them once, how many of them were looked at, and which wait.
    queue: Vec<u32>,
    n_looked_at: usize,
    is_queued: Vec<bool>,
    /// The memory that is there already, as one object from address 0 on.
    present: Option<u32>,
    /// Room for the cells of objects, to be used again.
    rooms: Vec<Vec<Cell>>,
}

impl Draft {
    /// Empties it; the room is kept.
    pub(super) fn clear(&mut self) {
        self.terms.clear();
        self.parts.clear();
        self.watches[..self.holes.len()].iter_mut().for_each(Vec::clear);
        self.holes.clear();
        self.types.clear();
        self.forget_objects(0);
        self.constraints.clear();
        self.apart.clear();
        self.trail.clear();
        self.n_marked = 0;
        self.queue.clear();
        self.n_looked_at = 0;
        self.is_queued.clear();
        self.present = None;
    }

    fn forget_objects(&mut self, n_left: usize) {
        let rooms = self.objects.drain(n_left..).map(|object| object.cells);
        self.rooms.extend(rooms.filter(|cells| cells.capacity() > 0).map(|mut cells| {
            cells.clear();
            cells
        }));
    }

    /// An object without anything in it.
    pub(super) fn add_object(&mut self, fixed: Option<u64>, pointee: Option<TypeId>) -> u32 {
        let cells = self.rooms.pop().unwrap_or_default();
        self.objects.push(Object { cells, fixed, pointee, inside: None });
        self.objects.len() as u32 - 1
    }

    pub(super) fn mark(&mut self) -> Mark {
        self.n_marked = self.holes.len();
        Mark {
            n_terms: self.terms.len(),
            n_parts: self.parts.len(),
            n_holes: self.holes.len(),
            n_objects: self.objects.len(),
            n_constraints: self.constraints.len(),
            n_apart: self.apart.len(),
            n_trail: self.trail.len(),
        }
    }

    /// Takes back everything since a mark.
    pub(super) fn back_to(&mut self, mark: Mark) {
        self.forget_queue();
        self.n_marked = mark.n_holes;
        while self.trail.len() > mark.n_trail {
            match self.trail.pop() {
                Some(Undo::Hole(k, before)) => self.holes[k as usize] = before,
                Some(Undo::Range(k, (lo, hi))) => {
                    let hole = &mut self.holes[k as usize];
                    (hole.lo, hole.hi) = (lo, hi);
                }
                Some(Undo::Watch(k)) => drop(self.watches[k as usize].pop()),
                Some(Undo::Cell(k)) => drop(self.objects[k as usize].cells.pop()),
                Some(Undo::Inside(k)) => self.objects[k as usize].inside = None,
                None => break,
            }
        }
        // Those beyond are room that was needed before.
        self.watches[mark.n_holes..self.holes.len()].iter_mut().for_each(Vec::clear);
        self.terms.truncate(mark.n_terms);
        self.parts.truncate(mark.n_parts);
        self.holes.truncate(mark.n_holes);
        self.types.truncate(mark.n_holes);
        self.forget_objects(mark.n_objects);
        self.constraints.truncate(mark.n_constraints);
        self.is_queued.truncate(mark.n_constraints);
        self.apart.truncate(mark.n_apart);
    }

    /// How much there is: what is made is bounded by this.
    pub(super) fn size(&self) -> usize {
        self.terms.len()
    }

    pub(super) fn add(&mut self, term: Term) -> TermId {
        self.terms.push(term);
        TermId(self.terms.len() as u32 - 1)
    }

    pub(super) fn number(&mut self, value: i128) -> TermId {
        self.add(Term::Number(value))
    }

    /// Puts terms side by side; the answer is where.
    pub(super) fn row(&mut self, terms: &[TermId]) -> (u32, u32) {
        let at = self.parts.len() as u32;
        self.parts.extend_from_slice(terms);
        (at, terms.len() as u32)
    }

    pub(super) fn part(&self, at: u32, k: u32) -> TermId {
        self.parts[(at + k) as usize]
    }

    pub(super) fn slice(&self, at: u32, n: u32) -> &[TermId] {
        &self.parts[at as usize..(at + n) as usize]
    }

    /// A value of which nothing is known but its type.
    pub(super) fn hole(&mut self, ty: &Type, budget: u32) -> TermId {
        let (lo, hi) = range_of(ty);
        if matches!(ty, Type::Void) {
            return self.add(Term::Unit);
        }
        self.holes.push(Hole { bound: None, lo, hi, is_somewhere: false, budget, waits_for: NOBODY });
        self.types.push(ty.clone());
        if self.watches.len() < self.holes.len() {
            self.watches.push(Vec::new());
        }
        self.add(Term::Hole(self.holes.len() as u32 - 1))
    }

    pub(super) fn state_of(&self, hole: u32) -> &Hole {
        &self.holes[hole as usize]
    }

    pub(super) fn type_of(&self, hole: u32) -> &Type {
        &self.types[hole as usize]
    }

    /// Changes what is known of a hole.
    pub(super) fn set(&mut self, hole: u32, state: Hole) {
        let before = std::mem::replace(&mut self.holes[hole as usize], state);
        if (hole as usize) < self.n_marked {
            self.trail.push(Undo::Hole(hole, before));
        }
    }

    /// Changes the range of a hole, and has those looked at whom that concerns.
    pub(super) fn set_range(&mut self, hole: u32, (lo, hi): (i128, i128)) {
        let state = &mut self.holes[hole as usize];
        let before = (state.lo, state.hi);
        let ends = Ends::changed(before.0 != lo, before.1 != hi);
        (state.lo, state.hi) = (lo, hi);
        if (hole as usize) < self.n_marked {
            self.trail.push(Undo::Range(hole, before));
        }
        let Draft { watches, queue, is_queued, .. } = self;
        for watch in &watches[hole as usize] {
            let k = watch.constraint as usize;
            if watch.ends.meets(ends) && !is_queued[k] {
                is_queued[k] = true;
                queue.push(watch.constraint);
            }
        }
    }

    /// The next constraint to look at. Until [`Draft::looked_at`] it is not looked at again.
    pub(super) fn next_queued(&mut self) -> Option<u32> {
        let Some(k) = self.queue.get(self.n_looked_at) else {
            self.queue.clear();
            self.n_looked_at = 0;
            return None;
        };
        self.n_looked_at += 1;
        Some(*k)
    }

    /// A constraint was looked at: changes from now on concern it.
    pub(super) fn looked_at(&mut self, k: u32) {
        self.is_queued[k as usize] = false;
    }

    /// Looks at no constraint again.
    pub(super) fn forget_queue(&mut self) {
        for k in &self.queue[self.n_looked_at..] {
            self.is_queued[*k as usize] = false;
        }
        self.queue.clear();
        self.n_looked_at = 0;
    }

    /// What a term stands for.
    pub(super) fn resolve(&self, id: TermId) -> (TermId, Term) {
        let mut id = id;
        loop {
            let term = self.terms[id.0 as usize];
            match term {
                Term::Hole(k) => match self.holes[k as usize].bound {
                    Some(bound) => id = bound,
                    None => return (id, term),
                },
                _ => return (id, term),
            }
        }
    }

    pub(super) fn term(&self, id: TermId) -> Term {
        self.resolve(id).1
    }

    /// A number as narrowing sees it.
    pub(super) fn operand(&self, id: TermId) -> Operand {
        let mut id = id;
        loop {
            match &self.terms[id.0 as usize] {
                Term::Number(value) => return Operand::Number(*value),
                Term::Hole(k) => match self.holes[*k as usize].bound {
                    Some(bound) => id = bound,
                    None => return Operand::Hole(*k),
                },
                Term::Arithmetic(op, a, b) => return Operand::Arithmetic(*op, *a, *b),
                _ => return Operand::Other,
            }
        }
    }

    /// Fills a hole.
    pub(super) fn bind(&mut self, hole: u32, with: TermId) -> Result<(), Clash> {
        let state = self.holes[hole as usize];
        match self.term(with) {
            Term::Null if state.is_somewhere => return Err(Clash),
            Term::Hole(other) if other == hole => return Ok(()),
            Term::Hole(other) if state.is_somewhere && !self.holes[other as usize].is_somewhere => {
                let known = Hole { is_somewhere: true, ..self.holes[other as usize] };
                self.set(other, known);
            }
            _ => {}
        }
        self.set(hole, Hole { bound: Some(with), ..state });
        self.check_apart()
    }

    /// Where a pointer leads, with what has been added to it: its hole if it is open.
    pub(super) fn pointer(&self, id: TermId) -> Pointer {
        let (mut id, mut by) = (id, 0i64);
        loop {
            let (_, term) = self.resolve(id);
            match term {
                Term::Moved { base, by: more } => (id, by) = (base, by.wrapping_add(more)),
                Term::Null if by == 0 => return Pointer::Null,
                Term::Place { mut object, offset } => {
                    let mut offset = offset.wrapping_add(by);
                    while let Some((outer, by)) = self.objects[object as usize].inside {
                        (object, offset) = (outer, offset.wrapping_add(by));
                    }
                    return Pointer::Place { object, offset };
                }
                Term::Address(address) => return Pointer::Address(address.wrapping_add_signed(by)),
                Term::Hole(hole) => return Pointer::Open { hole, by },
                _ => return Pointer::Address(by as u64),
            }
        }
    }

    /// Whether two pointers are the same, if that is known.
    pub(super) fn is_same_place(&self, a: TermId, b: TermId) -> Option<bool> {
        match (self.pointer(a), self.pointer(b)) {
            (Pointer::Open { hole: a, by }, Pointer::Open { hole: b, by: more }) if a == b => {
                Some(by == more)
            }
            (Pointer::Open { hole, by: 0 }, Pointer::Null)
            | (Pointer::Null, Pointer::Open { hole, by: 0 }) => {
                self.holes[hole as usize].is_somewhere.then_some(false)
            }
            (Pointer::Open { .. }, _) | (_, Pointer::Open { .. }) => None,
            (a, b) => Some(a == b),
        }
    }

    /// Demands that two pointers are not the same.
    pub(super) fn keep_apart(&mut self, a: TermId, b: TermId) -> Result<(), Clash> {
        match self.is_same_place(a, b) {
            Some(true) => return Err(Clash),
            Some(false) => return Ok(()),
            None => {}
        }
        match (self.pointer(a), self.pointer(b)) {
            (Pointer::Open { hole, by: 0 }, Pointer::Null)
            | (Pointer::Null, Pointer::Open { hole, by: 0 }) => {
                let known = Hole { is_somewhere: true, ..self.holes[hole as usize] };
                self.set(hole, known);
            }
            _ => self.apart.push((a, b)),
        }
        Ok(())
    }

    /// Demands that two terms are the same.
    pub(super) fn unify(&mut self, a: TermId, b: TermId) -> Result<(), Clash> {
        let ((a, one), (b, other)) = (self.resolve(a), self.resolve(b));
        if a == b {
            return Ok(());
        }
        match (one, other) {
            (Term::Unit | Term::Missing, _) | (_, Term::Unit | Term::Missing) => Ok(()),
            (Term::Boolean(a), Term::Boolean(b)) => {
                if a == b {
                    Ok(())
                } else {
                    Err(Clash)
                }
            }
            _ if self.is_number(one) || self.is_number(other) => self.post(Relation::Equal, a, b),
            // The one that a predicate will fill stays: the predicate says what it can be.
            (Term::Hole(x), Term::Hole(y))
                if self.holes[x as usize].waits_for != NOBODY
                    && self.holes[y as usize].waits_for == NOBODY =>
            {
                self.bind(y, a)
            }
            (Term::Hole(hole), _) if !matches!(other, Term::Moved { .. }) => self.bind(hole, b),
            (_, Term::Hole(hole)) => self.bind(hole, a),
            (Term::Hole(hole), _) => self.bind(hole, b),
            (Term::Null | Term::Place { .. } | Term::Address(_) | Term::Moved { .. }, _) => {
                self.unify_pointers(a, b)
            }
            (Term::Parts { at: x, n }, Term::Parts { at: y, n: m })
            | (Term::List { at: x, n }, Term::List { at: y, n: m }) => {
                if n == m {
                    self.unify_rows(x, y, n)
                } else {
                    Err(Clash)
                }
            }
            (Term::Data { constructor: c, at: x, n, .. }, Term::Data { constructor: d, at: y, n: m, .. }) => {
                if c == d && n == m {
                    self.unify_rows(x, y, n)
                } else {
                    Err(Clash)
                }
            }
            (Term::Map { at: x, n }, Term::Map { at: y, n: m }) => self.unify_maps(x, y, n.min(m)),
            (Term::Option(None), Term::Option(None)) => Ok(()),
            (Term::Option(Some(a)), Term::Option(Some(b))) => self.unify(a, b),
            _ => Err(Clash),
        }
    }

    fn unify_rows(&mut self, x: u32, y: u32, n: u32) -> Result<(), Clash> {
        (0..n).try_for_each(|k| self.unify(self.part(x, k), self.part(y, k)))
    }

    /// Where both have a key in the same place; of the others nothing is demanded.
    fn unify_maps(&mut self, x: u32, y: u32, n: u32) -> Result<(), Clash> {
        for k in 0..n {
            let keys = (self.term(self.part(x, 2 * k)), self.term(self.part(y, 2 * k)));
            if matches!(keys, (Term::Number(a), Term::Number(b)) if a == b) {
                self.unify(self.part(x, 2 * k + 1), self.part(y, 2 * k + 1))?;
            }
        }
        Ok(())
    }

    fn unify_pointers(&mut self, a: TermId, b: TermId) -> Result<(), Clash> {
        match (self.pointer(a), self.pointer(b)) {
            (Pointer::Open { hole, by }, Pointer::Place { object, offset })
            | (Pointer::Place { object, offset }, Pointer::Open { hole, by }) => {
                let place = self.add(Term::Place { object, offset: offset.wrapping_sub(by) });
                self.bind(hole, place)
            }
            (Pointer::Open { hole, by }, Pointer::Open { hole: other, by: more }) => {
                let base = self.add(Term::Hole(other));
                let moved = self.add(Term::Moved { base, by: more.wrapping_sub(by) });
                if hole == other {
                    if by == more { Ok(()) } else { Err(Clash) }
                } else {
                    self.bind(hole, moved)
                }
            }
            (a, b) if a == b => Ok(()),
            (Pointer::Place { object: a, offset: x }, Pointer::Place { object: b, offset: y }) if a != b => {
                match self.objects[b as usize].fixed {
                    Some(_) => self.join(b, y.wrapping_sub(x), a),
                    None => self.join(a, x.wrapping_sub(y), b),
                }
            }
            _ => Err(Clash),
        }
    }

    /// Makes an object a part of another one: pointers through which both were taken turn out to lead to the
    /// same memory.
    fn join(&mut self, outer: u32, by: i64, inner: u32) -> Result<(), Clash> {
        let (whole, part) = (&self.objects[outer as usize], &self.objects[inner as usize]);
        // A global is as large as it is.
        let is_same = by == 0 && whole.pointee.is_some() && whole.pointee == part.pointee;
        if part.fixed.is_some() || whole.fixed.is_some() && !is_same {
            return Err(Clash);
        }
        for k in 0..part.cells.len() {
            let cell = self.objects[inner as usize].cells[k];
            self.add_cell(outer, Cell { offset: cell.offset.wrapping_add(by), ..cell })?;
        }
        self.objects[inner as usize].inside = Some((outer, by));
        self.trail.push(Undo::Inside(inner));
        self.check_apart()
    }

    fn check_apart(&self) -> Result<(), Clash> {
        match self.apart.iter().any(|(a, b)| self.is_same_place(*a, *b) == Some(true)) {
            true => Err(Clash),
            false => Ok(()),
        }
    }

    pub(super) fn is_number(&self, term: Term) -> bool {
        match term {
            Term::Number(_) | Term::Arithmetic(..) => true,
            Term::Hole(hole) => is_number(&self.types[hole as usize]),
            _ => false,
        }
    }

    /// Adds a demand on numbers.
    pub(super) fn post(&mut self, relation: Relation, a: TermId, b: TermId) -> Result<(), Clash> {
        if let (Operand::Hole(x), Operand::Hole(y)) = (self.operand(a), self.operand(b))
            && x == y
        {
            let clashes = matches!(relation, Relation::Less | Relation::Unequal);
            return if clashes { Err(Clash) } else { Ok(()) };
        }
        let k = self.constraints.len() as u32;
        self.constraints.push(Constraint { relation, a, b });
        // What is smaller tells the other one something new when its least number grows.
        let (of_a, of_b) = match relation {
            Relation::Less | Relation::LessEqual => (Ends::LEAST, Ends::LARGEST),
            Relation::Equal | Relation::Unequal => (Ends::BOTH, Ends::BOTH),
        };
        self.watch(a, Watch { constraint: k, ends: of_a });
        self.watch(b, Watch { constraint: k, ends: of_b });
        self.queue.push(k);
        self.is_queued.push(true);
        self.propagate()
    }

    fn watch(&mut self, id: TermId, watch: Watch) {
        match self.term(id) {
            Term::Hole(hole) => {
                self.watches[hole as usize].push(watch);
                self.trail.push(Undo::Watch(hole));
            }
            Term::Arithmetic(_, a, b) => {
                let watch = Watch { ends: Ends::BOTH, ..watch };
                self.watch(a, watch);
                self.watch(b, watch);
            }
            _ => {}
        }
    }

    /// The constraints that speak of a hole.
    pub(super) fn watching(&self, hole: u32) -> &[Watch] {
        &self.watches[hole as usize]
    }

    /// Takes memory at a pointer: one more cell of its object, which is made if the pointer is open.
    pub(super) fn take(&mut self, pointer: TermId, cell: Cell) -> Result<(), Clash> {
        let (object, offset) = match self.pointer(pointer) {
            Pointer::Place { object, offset } => (object, offset),
            Pointer::Open { hole, by } => {
                let pointee = match self.types[hole as usize] {
                    Type::Pointer(to) => to,
                    _ => None,
                };
                let object = self.add_object(None, pointee);
                let place = self.add(Term::Place { object, offset: 0 });
                self.bind(hole, place)?;
                (object, by)
            }
            Pointer::Null | Pointer::Address(_) => return Err(Clash),
        };
        self.add_cell(object, Cell { offset, ..cell })
    }

    fn add_cell(&mut self, object: u32, cell: Cell) -> Result<(), Clash> {
        let end = |cell: &Cell| cell.offset.saturating_add_unsigned(cell.size);
        let overlaps = |other: &Cell| cell.offset < end(other) && other.offset < end(&cell);
        let cells = &mut self.objects[object as usize].cells;
        if cells.iter().any(|other| overlaps(other) && !(other.is_shared && cell.is_shared)) {
            return Err(Clash);
        }
        cells.push(cell);
        self.trail.push(Undo::Cell(object));
        Ok(())
    }

    /// What is lent at a pointer already, as this type.
    pub(super) fn shared(&self, pointer: TermId, ctype: TypeId) -> Option<TermId> {
        let Pointer::Place { object, offset } = self.pointer(pointer) else { return None };
        let cells = &self.objects[object as usize].cells;
        let same = |cell: &&Cell| cell.is_shared && cell.offset == offset && cell.ctype == ctype;
        cells.iter().find(same).map(|cell| cell.value)
    }

    /// From now on, memory that is there can be spoken of by its address.
    pub(super) fn hold_present(&mut self) {
        self.present = Some(self.add_object(Some(0), None));
    }

    /// Memory that is there.
    pub(super) fn present(&mut self, address: u64) -> TermId {
        match self.present {
            _ if address == 0 => self.add(Term::Null),
            Some(object) => self.add(Term::Place { object, offset: address as i64 }),
            None => self.add(Term::Address(address)),
        }
    }

    /// Whether memory that is there was taken at an address.
    pub(super) fn is_taken(&self, address: u64) -> bool {
        let holds = |cell: &Cell| {
            let offset = cell.offset as u64;
            (offset..offset.saturating_add(cell.size.max(1))).contains(&address)
        };
        self.present.is_some_and(|object| self.objects[object as usize].cells.iter().any(holds))
    }

    /// The object that a global is.
    pub(super) fn global(&mut self, address: u64, ty: TypeId) -> TermId {
        if self.present.is_some() {
            return self.present(address);
        }
        let known = self.objects.iter().position(|object| object.fixed == Some(address));
        let object = match known {
            Some(known) => known as u32,
            None => self.add_object(Some(address), Some(ty)),
        };
        self.add(Term::Place { object, offset: 0 })
    }
}

/// Where a pointer leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pointer {
    Null,
    Place { object: u32, offset: i64 },
    Open { hole: u32, by: i64 },
    Address(u64),
}

/// Whether values of a type are numbers here.
pub(super) fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Bits(_) | Type::Integer | Type::Real)
}

/// How large an `integer` or `real` is made at most.
const MOST: i128 = 1 << 62;

/// The least and the largest number of a type.
pub(super) fn range_of(ty: &Type) -> (i128, i128) {
    match ty {
        Type::Bits(bits) => range_of_bits(*bits),
        _ => (-MOST, MOST),
    }
}

pub(super) fn range_of_bits(bits: Bits) -> (i128, i128) {
    let width = u32::from(bits.width).min(126);
    match bits.is_signed {
        true => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
        false => (0, (1i128 << width) - 1),
    }
}
