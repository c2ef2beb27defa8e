//! The contract language, checked: what the evaluator runs.
//!
//! Made by `check` from the tree of what is written; every name is resolved, every type known, every implicit
//! thing explicit. Nothing here is looked up by name while it runs.
//!
//! # How to run it
//!
//! **Frames.** An evaluation has a frame: a vector of values indexed by [`Slot`]. Every parameter, `take`,
//! `let`, pattern variable and index has a slot of its own (none is reused), and is written before it is
//! read. A predicate, function or lemma has a frame of its own with its arguments in the first slots. The
//! clauses of a C function share one frame: arguments at entry, then what `requires` binds, then the result
//! and what `ensures` binds. So a name bound in `requires` *is* the old value: the same slot, still there at
//! exit. Invariants and statements read that frame too and put their own bindings behind it
//! ([`Loop::n_slots`] is the size of the whole). Keep the frame from entry to exit.
//!
//! **Memory** is only read by [`ResourceKind::Memory`] (which adds a footprint, and whose value goes to a
//! slot) and, in statements and for globals in invariants, by [`ExprKind::Load`]. `*p`, `p->f` and `g` in
//! contracts have become reads of the slot whose `take` holds them; `{ e }%start` and `{ e }unchanged` have
//! become reads of entry slots. There is no other state to keep.
//!
//! **Values by type.** `Bits`: the pattern in an `i128`, sign-extended if signed and zero-extended if not
//! ([`Bits::extend`](super::types::Bits::extend) after each operation makes arithmetic wrap). `Record`: a
//! vector in the order of the type's fields. `Struct`: a vector in the order of the C record's members; what
//! has no type to a spec, such as padding, has no value. `Datatype`: constructor index and fields in the
//! order of the definition. `Map`: keys to values, and [`ExprKind::Default`] of the value type for every
//! other key. `Pointer`: an address.
//!
//! **Laziness.** [`ExprKind::And`], `Or`, `Implies`, `If` and `Match` evaluate only what they need, left to
//! right. Everything else is strict.
//!
//! **Not run.** Clauses with [`Clause::not_run`] are skipped, and whole contracts with [`Contract::not_run`]
//! are treated as absent; the user was warned once, with the reason.

mod expression;

pub use expression::{Arithmetic, Arm, Builtin, Expr, ExprKind, Match, Pattern};
use serde::{Deserialize, Serialize};

use super::Site;
use super::position::{FileId, Span};
use super::types::Type;
use crate::ctypes::TypeId;
use std::collections::BTreeMap;

/// A place in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Slot(pub u32);

/// A spec function, by its place in [`Specs::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FunctionId(pub u32);

/// A predicate, by its place in [`Specs::predicates`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PredicateId(pub u32);

/// A lemma, by its place in [`Specs::lemmas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LemmaId(pub u32);

/// A C function, by its place in [`Program::functions`](super::Program::functions).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CFunctionId(pub u32);

/// A C variable at file scope, by its place in [`Program::globals`](super::Program::globals).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GlobalId(pub u32);

/// A C variable that a loop's invariant or a statement reads, by its place among the captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CaptureId(pub u32);

/// All specs of a program.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Specs {
    /// Datatypes, indexed by [`DatatypeId`](super::types::DatatypeId).
    pub datatypes: Vec<Datatype>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Predicates.
    pub predicates: Vec<Predicate>,
    /// Lemmas.
    pub lemmas: Vec<Lemma>,
    /// Contracts of C functions.
    pub contracts: Vec<Contract>,
    /// Which contract a C function has, by its name.
    pub contract_of: BTreeMap<String, usize>,
    /// Loops with invariants.
    pub loops: Vec<Loop>,
    /// Places in bodies with statements.
    pub statements: Vec<Statements>,
    /// By file, the first place that speaks of the value of a C `char`.
    pub chars: BTreeMap<FileId, Span>,
}

impl Specs {
    /// The contract of a C function.
    #[must_use]
    pub fn contract(&self, function: &str) -> Option<&Contract> {
        self.contract_of.get(function).and_then(|k| self.contracts.get(*k))
    }
}

/// A datatype.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Datatype {
    /// Its name.
    pub name: String,
    /// Its constructors; values name them by index.
    pub constructors: Vec<Constructor>,
    /// The constructor of its default value: the one that needs the fewest others, so that making it ends.
    pub default: u32,
    /// Where it is defined.
    pub span: Span,
}

/// A constructor.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Constructor {
    /// Its name.
    pub name: String,
    /// Its fields in order; values hold them in this order.
    pub fields: Vec<(String, Type)>,
}

/// A parameter of anything.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name in the spec.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its C type, if it is one of a C function.
    pub ctype: Option<TypeId>,
    /// Where its value is put.
    pub slot: Slot,
}

/// A spec function.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it takes; slots 0 and on.
    pub parameters: Vec<Parameter>,
    /// What it gives.
    pub ty: Type,
    /// What it is.
    pub body: FunctionBody,
    /// The size of its frame.
    pub n_slots: u32,
    /// Where its name stands.
    pub span: Span,
}

/// What a spec function is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum FunctionBody {
    /// This expression.
    Expr(Expr),
    /// This C function, to be called (`cn_function`).
    Lifted(CFunctionId),
    /// Nothing is known of it: evaluating it is an error of the spec.
    Uninterpreted,
}

/// A predicate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Predicate {
    /// Its name.
    pub name: String,
    /// What it takes; slots 0 and on.
    pub parameters: Vec<Parameter>,
    /// What it gives.
    pub ty: Type,
    /// What it does; evaluating one without a body is an error of the spec.
    pub body: Option<Block>,
    /// The size of its frame.
    pub n_slots: u32,
    /// Where its name stands.
    pub span: Span,
}

/// The body of a predicate, or a branch of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Block {
    /// What it takes, names and asserts, in order.
    pub clauses: Vec<Clause>,
    /// How it ends.
    pub end: BlockEnd,
}

/// How a block ends.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum BlockEnd {
    /// With a value; [`ExprKind::Unit`] where nothing is returned.
    Return(Expr),
    /// In the first branch whose condition holds, or else in the last block.
    If(Vec<(Expr, Block)>, Box<Block>),
}

/// A lemma: `apply` checks `requires`, then `ensures`, in one frame.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Lemma {
    /// Its name.
    pub name: String,
    /// What it takes; slots 0 and on.
    pub parameters: Vec<Parameter>,
    /// What must hold.
    pub requires: Vec<Clause>,
    /// What then holds.
    pub ensures: Vec<Clause>,
    /// The size of its frame.
    pub n_slots: u32,
    /// Where its name stands.
    pub span: Span,
}

/// The contract of a C function.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Contract {
    /// The function's name.
    pub name: String,
    /// The function; `None` if the program does not have it (a `spec` in a header that nothing uses).
    pub function: Option<CFunctionId>,
    /// Whether it is `trusted`: its `RW` bytes in `ensures` are initialised by decree.
    pub is_trusted: bool,
    /// Its parameters at entry; slots 0 and on.
    pub parameters: Vec<Parameter>,
    /// Where the result is put before `ensures`, if it has one.
    pub result: Option<Parameter>,
    /// The globals it accesses.
    pub accesses: Vec<Access>,
    /// The spec function this one is the meaning of.
    pub lifts: Option<FunctionId>,
    /// What must hold at entry, in order. What `accesses` takes comes first.
    pub requires: Vec<Clause>,
    /// What must hold at exit, in order. What `accesses` takes comes first.
    pub ensures: Vec<Clause>,
    /// The slots written by the end of `requires`: the part of the frame that invariants and statements see.
    pub n_entry_slots: u32,
    /// The size of the whole frame.
    pub n_slots: u32,
    /// Why it is not run at all, if it is not.
    pub not_run: Option<NotRun>,
    /// Where it is.
    pub span: Span,
}

impl Contract {
    /// Whether it speaks of memory. One that speaks of values alone opens no frame of ownership.
    #[must_use]
    pub fn takes(&self) -> bool {
        let is_take = |clause: &Clause| matches!(clause.kind, ClauseKind::Take { .. });
        !self.accesses.is_empty() || self.requires.iter().chain(&self.ensures).any(is_take)
    }

    /// Whether it says nothing: such a function opens no frame of ownership.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.requires.is_empty() && self.ensures.is_empty() && self.accesses.is_empty()
    }
}

/// A global that a function takes at entry and returns at exit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Access {
    /// The global.
    pub global: GlobalId,
    /// Its type.
    pub ctype: TypeId,
    /// In bytes.
    pub size: u64,
    /// Where its value at entry is put.
    pub before: Slot,
    /// Where its value at exit is put.
    pub after: Slot,
    /// Whether it is `const`, so that it is only read.
    pub is_read_only: bool,
    /// Where it is named.
    pub span: Span,
}

/// A part of a contract, an invariant, a lemma or a predicate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Clause {
    /// What it is.
    pub kind: ClauseKind,
    /// Where it is, without the semicolon: what reports underline.
    pub span: Span,
    /// Why it is skipped, if it is. What it binds is then only named in clauses that are skipped as well; a
    /// `take` of memory never is.
    pub not_run: Option<NotRun>,
}

/// What a clause is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ClauseKind {
    /// `take x = resource;`
    Take {
        /// As it is written, for reports.
        name: String,
        /// Where the value is put.
        slot: Slot,
        /// What is owned.
        resource: Resource,
    },
    /// `let x = expr;`
    Let {
        /// As it is written, for reports.
        name: String,
        /// Where the value is put.
        slot: Slot,
        /// What it is.
        value: Expr,
    },
    /// `expr;` or `assert(expr);`
    Holds(Expr),
    /// `each (T i; guard) { expr };`
    Each(Index, Expr),
}

/// Something owned.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Resource {
    /// What it is.
    pub kind: ResourceKind,
    /// The type of its value.
    pub ty: Type,
    /// Where it is.
    pub span: Span,
}

/// What is owned.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ResourceKind {
    /// `RW<ctype>(p)`, `W<ctype>(p)` or `R<ctype>(p)`
    Memory {
        /// Where.
        pointer: Expr,
        /// As what.
        ctype: TypeId,
        /// In bytes.
        size: u64,
        /// Whether every byte that is not padding must be initialised. If not, the value must not be looked
        /// at: give the default.
        is_initialised: bool,
        /// Whether it is lent for reading: not owned, and shared with whoever else reads it.
        is_read_only: bool,
    },
    /// `Name(p, …)`
    Predicate {
        /// Which.
        predicate: PredicateId,
        /// With what; they go to the first slots of its frame.
        arguments: Vec<Expr>,
    },
    /// `each (T i; guard) { … }`: the value is a map from indices.
    Each {
        /// The indices.
        index: Index,
        /// What is owned for each.
        body: Box<Resource>,
    },
    /// `Alloc(p)`: that `p` points into an allocation; owns nothing. Its clause is not run.
    Allocation {
        /// Where.
        pointer: Expr,
    },
}

/// The indices of an `each`.
///
/// To enumerate: if one of `conditions` does not hold there are none. Else, evaluate the lower and upper
/// limits once, go from the greatest lower to the least upper, both inclusive, and take those for which
/// `guard` holds. Limits are numbers of any size; keep them within the index's type, and refuse ranges too
/// large to walk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Index {
    /// As it is written, for reports.
    pub name: String,
    /// Where the index is put.
    pub slot: Slot,
    /// Its type: bits or integer.
    pub ty: Type,
    /// Conditions at the beginning of the guard that do not depend on the index, in order.
    pub conditions: Vec<Expr>,
    /// Never empty for types without a small range; the type's own minimum holds as well.
    pub lower: Vec<Limit>,
    /// Never empty for types without a small range; the type's own maximum holds as well.
    pub upper: Vec<Limit>,
    /// The whole guard.
    pub guard: Expr,
}

/// A limit of an index.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Limit {
    /// Does not depend on the index; bits or integer, of any width: compare numbers, not patterns.
    pub value: Expr,
    /// Whether the limit itself is excluded.
    pub is_excluded: bool,
}

/// A loop with an invariant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Loop {
    /// The function it is in.
    pub function: String,
    /// Which loop.
    pub site: Site,
    /// The variables it reads; the probe hands over their addresses in this order.
    pub captures: Vec<Capture>,
    /// What must hold, in order.
    pub clauses: Vec<Clause>,
    /// The size of the frame, the function's own entry slots included.
    pub n_slots: u32,
    /// Where it is.
    pub span: Span,
}

/// A place in a body with statements.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Statements {
    /// The function it is in.
    pub function: String,
    /// Which place.
    pub site: Site,
    /// The variables it reads; the probe hands over their addresses in this order.
    pub captures: Vec<Capture>,
    /// What is checked, in order; empty if all statements are for proofs.
    pub statements: Vec<Statement>,
    /// The names that invariants bind and these statements read.
    pub imports: Vec<Import>,
    /// The size of the frame, the function's own entry slots included.
    pub n_slots: u32,
    /// Where it is.
    pub span: Span,
}

impl Statements {
    /// Whether they read what a loop binds.
    pub(crate) fn reads_loop(&self, which: usize) -> bool {
        self.imports.iter().any(|import| import.from.iter().any(|(of, _)| *of == which))
    }
}

/// A name that invariants bind: the statement's own slot for it, and the loops that bind it, by place, with
/// the slot there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Import {
    /// Where statements find its value.
    pub slot: Slot,
    /// The loops that bind it.
    pub from: Vec<(usize, Slot)>,
}

/// A C variable that is read where it lives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capture {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ctype: TypeId,
}

/// A statement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where it is, without the semicolon.
    pub span: Span,
    /// Why it is skipped, if it is.
    pub not_run: Option<NotRun>,
}

impl Statement {
    /// Whether it reads a slot.
    pub(crate) fn reads(&self, slot: Slot) -> bool {
        match &self.kind {
            StatementKind::Assert(e) => e.reads(slot),
            StatementKind::AssertEach(index, e) => index.guard.reads(slot) || e.reads(slot),
            StatementKind::Apply(_, arguments) => arguments.iter().any(|e| e.reads(slot)),
            StatementKind::ProofOnly => false,
        }
    }
}

impl Clause {
    /// Whether it takes memory by way of a slot.
    pub(crate) fn takes(&self, slot: Slot) -> bool {
        matches!(&self.kind, ClauseKind::Take { resource, .. } if resource.reads(slot))
    }
}

impl Resource {
    /// Whether what is taken depends on a slot.
    fn reads(&self, slot: Slot) -> bool {
        match &self.kind {
            ResourceKind::Memory { pointer, .. } | ResourceKind::Allocation { pointer } => {
                pointer.reads(slot)
            }
            ResourceKind::Predicate { arguments, .. } => arguments.iter().any(|e| e.reads(slot)),
            ResourceKind::Each { body, .. } => body.reads(slot),
        }
    }
}

/// What a statement is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum StatementKind {
    /// `assert(e);`
    Assert(Expr),
    /// `assert(each (T i; guard) { e });`
    AssertEach(Box<Index>, Expr),
    /// `apply lemma(…);`
    Apply(LemmaId, Vec<Expr>),
    /// For proofs only: nothing to run.
    ProofOnly,
}

/// Why something is not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NotRun {
    /// Ghost parameters have no values when the program runs.
    Ghosts,
    /// Allocation identities do not exist when the program runs, and `Alloc` speaks of them.
    AllocationIds,
    /// A function or predicate without a body has no value.
    NoBody,
    /// Left out to see which clauses clash.
    Clash,
}
