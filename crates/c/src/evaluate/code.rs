//! What clauses are compiled to: a flat list of operations on a stack.
//!
//! Why not walk the tree: definitions recurse as deep as memory is large, and a stack of our own has no end
//! that crashes. Made by `compile`, run by `run`.

use super::shape::{ShapeId, Shapes};
use super::value::{Arena, Value};
use crate::ctypes::{CTypes, TypeId};
use crate::spec::checked::{Arithmetic, Builtin, CFunctionId, Datatype, Expr, Parameter};
use crate::spec::position::Span;
use crate::spec::types::{Bits, DatatypeId, Type};

/// An operation. Operands are on the stack, the last on top; the result replaces them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Constant(u32),
    Slot(u32),
    Store(u32),
    /// A part of what is in a slot.
    SlotPart(u32, u32),
    Part(u32),
    Default(u32),
    Capture(u32, ShapeId),
    CaptureAddress(u32),
    /// Reads memory; a place of [`Code::accesses`].
    Load(u32),
    /// Takes memory, and gives its value if it is `RW`.
    Take(u32),
    Offset(u64),
    Shift(u64),
    Not,
    NegateBits(Bits),
    NegateInteger,
    NegateReal,
    Complement(Bits),
    Bits(Arithmetic, Bits),
    Integer(Arithmetic),
    Real(Arithmetic),
    Equal,
    Unequal,
    /// Bits, pointers, integers or reals; whether bits are of `u128`.
    Less(bool),
    LessEqual(bool),
    ToBits(Bits),
    /// Whether it is from `u128`.
    ToInteger(bool),
    ToReal(bool),
    ToPointer,
    Jump(u32),
    JumpIfFalse(u32),
    /// Jumps and keeps a false value, or drops a true one.
    And(u32),
    /// Jumps and keeps a true value, or drops a false one.
    Or(u32),
    /// Jumps with `true` where the condition is false.
    Implies(u32),
    Call(u32),
    CallC(u32),
    Return,
    Construct(DatatypeId, u32, u32),
    Parts(u32),
    List(u32),
    /// A copy that may be changed in place.
    Copy,
    /// Changes a part of a copy.
    Set(u32),
    MapGet(u32),
    MapSet,
    /// By the constructor of what is in a slot; a place of [`Code::switches`].
    Switch(u32, u32),
    IsConstructor(u32),
    Good(ShapeId),
    IsNull,
    IsNotNull,
    Count(Builtin, Bits),
    Some,
    IsSome,
    IsNone,
    GetOption(u32),
    /// Puts the least and the greatest value of an index into two slots.
    Range(u32, Option<Bits>),
    /// Makes the range that begins at a slot smaller: whether the limit is a lower one, excluded, of `u128`.
    Narrow(u32, Limits),
    /// Jumps if the range is empty; refuses one that is too large. A place of [`Code::names`].
    Begin(u32, u32, u32),
    /// Gives the current index of a range.
    Index(u32, Option<Bits>),
    /// Jumps to the next index, if there is one.
    Next(u32, u32),
    /// Adds one to a slot.
    Increase(u32),
    /// Makes a map from as many keys and values as a slot says.
    Map(u32),
    /// A clause begins: a place of [`Code::clauses`].
    Clause(u32),
    /// Stops if it is false; a place of [`Code::conditions`].
    Require(u32),
    /// A new state begins: nothing is taken.
    NewState,
    Fail(Failure),
    Drop,
    End,
}

/// How to read a limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) is_lower: bool,
    pub(super) is_excluded: bool,
    pub(super) is_u128: bool,
}

/// What cannot be evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Failure {
    /// A function without a body, by its place in [`Code::units`].
    Uninterpreted(u32),
    Abstract(u32),
    NoAddress,
    Malformed,
}

/// Something that is run in a frame of its own.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) name: String,
    pub(super) entry: u32,
    /// In values, with what the compiled code keeps for itself.
    pub(super) n_frame: u32,
    pub(super) parameters: Vec<Parameter>,
    pub(super) is_predicate: bool,
}

/// Memory that is taken or read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) shape: ShapeId,
    pub(super) ctype: TypeId,
    pub(super) size: u64,
    pub(super) is_initialised: bool,
    pub(super) is_read_only: bool,
}

/// A C function that stands for a spec function.
#[derive(Debug)]
pub(super) struct CStandIn {
    pub(super) function: CFunctionId,
    pub(super) name: String,
    pub(super) parameters: Vec<ShapeId>,
    pub(super) returns: ShapeId,
}

/// A condition that must hold.
#[derive(Debug)]
pub(super) struct Condition {
    pub(super) expr: Expr,
    /// The index of the `each` it stands in.
    pub(super) index: Option<(String, u32, Type)>,
}

/// Everything compiled.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) ops: Vec<Op>,
    /// Where each operation comes from.
    pub(super) places: Vec<Span>,
    pub(super) units: Vec<Unit>,
    pub(super) constants: Vec<Value>,
    pub(super) types: Vec<Type>,
    pub(super) accesses: Vec<Access>,
    pub(super) foreign: Vec<CStandIn>,
    pub(super) switches: Vec<Box<[u32]>>,
    pub(super) conditions: Vec<Condition>,
    pub(super) clauses: Vec<Span>,
    /// The operation at which each clause begins, and whether it is a condition: one that binds and takes
    /// nothing.
    pub(super) clause_starts: Vec<(usize, bool)>,
    pub(super) names: Vec<String>,
    pub(super) shapes: Shapes,
    pub(super) datatypes: Vec<Datatype>,
    pub(super) ctypes: CTypes,
}

/// How long each list was.
#[derive(Clone, Copy, Debug)]
pub(super) struct Length([usize; 5]);

impl Code {
    pub(super) fn length(&self) -> Length {
        Length([
            self.ops.len(),
            self.constants.len(),
            self.accesses.len(),
            self.switches.len(),
            self.names.len(),
        ])
    }

    /// Forgets what was compiled since.
    pub(super) fn truncate(&mut self, Length([ops, constants, accesses, switches, names]): Length) {
        self.ops.truncate(ops);
        self.places.truncate(ops);
        self.constants.truncate(constants);
        self.accesses.truncate(accesses);
        self.switches.truncate(switches);
        self.names.truncate(names);
    }

    /// The default value of a type.
    pub(super) fn default_of(&self, ty: &Type, arena: &mut Arena) -> Value {
        self.default_within(ty, arena, 64)
    }

    /// Types nest only as deep as they are written, and the default constructor is one that ends; the limit
    /// is for trees that were not checked.
    fn default_within(&self, ty: &Type, arena: &mut Arena, fuel: u32) -> Value {
        let Some(fuel) = fuel.checked_sub(1) else { return Value::Missing };
        match ty {
            Type::Bits(_) => Value::Bits(0),
            Type::Integer => Value::Integer(0),
            Type::Real => Value::Real(0.0),
            Type::Boolean => Value::Boolean(false),
            Type::Pointer(_) => Value::Pointer(0),
            Type::Void => Value::Unit,
            Type::Map(_) => Value::Map { at: 0, n: 0 },
            Type::List(_) | Type::Set(_) => Value::List { at: 0, n: 0 },
            Type::Option(_) => Value::Option(None),
            Type::Record(fields) => {
                let parts: Vec<Value> =
                    fields.iter().map(|(_, ty)| self.default_within(ty, arena, fuel)).collect();
                Value::Parts { at: arena.push(&parts), n: parts.len() as u32 }
            }
            Type::Tuple(of) => {
                let parts: Vec<Value> = of.iter().map(|ty| self.default_within(ty, arena, fuel)).collect();
                Value::Parts { at: arena.push(&parts), n: parts.len() as u32 }
            }
            Type::Struct(id) => {
                let members = &self.ctypes.record(*id).members;
                let part = |ty| crate::spec::types::of_c(&self.ctypes, ty);
                let parts: Vec<Value> = members
                    .iter()
                    .map(|m| part(m.ty).map_or(Value::Missing, |ty| self.default_within(&ty, arena, fuel)))
                    .collect();
                Value::Parts { at: arena.push(&parts), n: parts.len() as u32 }
            }
            Type::Datatype(id) => {
                let Some(datatype) = self.datatypes.get(id.0 as usize) else { return Value::Missing };
                let constructor = datatype.default;
                let Some(of) = datatype.constructors.get(constructor as usize) else { return Value::Missing };
                let parts: Vec<Value> =
                    of.fields.iter().map(|(_, ty)| self.default_within(ty, arena, fuel)).collect();
                Value::Data { of: *id, constructor, at: arena.push(&parts), n: parts.len() as u32 }
            }
            Type::AllocId | Type::Unknown => Value::Missing,
        }
    }
}
