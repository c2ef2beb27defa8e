//! From checked expressions to code.
//!
//! Compiles the checked tree to operations for `run`. Everything that can be decided once is decided here:
//! types, layouts, addresses of variables. Clauses, predicates and contracts are compiled in `clause`.

use super::code::{Access, Code, Failure, Op};
use super::number;
use super::value::{Arena, Value};
use crate::ctypes::TypeId;
use crate::spec::checked::{Arithmetic, Builtin, Expr, ExprKind, Match, Pattern, Slot};
use crate::spec::position::Span;
use crate::spec::types::{Bits, Type};

/// Where the program's variables and functions are; by their places in the program, nothing for those that
/// are not there.
#[derive(Clone, Debug, Default)]
pub struct Addresses {
    /// Of variables at file scope.
    pub globals: Vec<Option<u64>>,
    /// Of functions.
    pub functions: Vec<Option<u64>>,
}

/// Compiles one frame's worth of clauses and expressions.
pub(super) struct Compiler<'c> {
    pub(super) code: &'c mut Code,
    /// Holds the constants that do not fit.
    pub(super) arena: &'c mut Arena,
    pub(super) addresses: &'c Addresses,
    /// The types of the variables that are read where they live.
    pub(super) captures: &'c [TypeId],
    /// The size of the frame so far.
    pub(super) n_frame: u32,
    /// Predicates follow functions among the units, lemmas follow predicates.
    pub(super) n_functions: u32,
    pub(super) n_predicates: u32,
}

impl Compiler<'_> {
    pub(super) fn emit(&mut self, op: Op, place: Span) -> usize {
        self.code.ops.push(op);
        self.code.places.push(place);
        self.code.ops.len() - 1
    }

    pub(super) fn here(&self) -> u32 {
        self.code.ops.len() as u32
    }

    /// Lets a jump lead to what comes next.
    pub(super) fn land(&mut self, jump: usize) {
        let to = self.here();
        match &mut self.code.ops[jump] {
            Op::Jump(target)
            | Op::JumpIfFalse(target)
            | Op::And(target)
            | Op::Or(target)
            | Op::Implies(target)
            | Op::Begin(_, _, target) => *target = to,
            _ => {}
        }
    }

    /// A slot of our own.
    pub(super) fn own_slot(&mut self) -> u32 {
        self.own_slots(1)
    }

    pub(super) fn own_slots(&mut self, n: u32) -> u32 {
        self.n_frame += n;
        self.n_frame - n
    }

    pub(super) fn constant(&mut self, value: Value, place: Span) {
        self.code.constants.push(value);
        self.emit(Op::Constant(self.code.constants.len() as u32 - 1), place);
    }

    pub(super) fn ty(&mut self, ty: &Type) -> u32 {
        if let Some(k) = self.code.types.iter().position(|known| known == ty) {
            return k as u32;
        }
        self.code.types.push(ty.clone());
        self.code.types.len() as u32 - 1
    }

    pub(super) fn default(&mut self, ty: &Type, place: Span) {
        match ty {
            // These have parts, and the arena is cleared.
            Type::Record(_) | Type::Tuple(_) | Type::Struct(_) | Type::Datatype(_) => {
                let ty = self.ty(ty);
                self.emit(Op::Default(ty), place);
            }
            _ => {
                let value = self.code.default_of(ty, self.arena);
                self.constant(value, place);
            }
        }
    }

    /// Memory that is read, and owned if it is taken.
    pub(super) fn access(&mut self, ctype: TypeId, size: u64, is_initialised: bool) -> u32 {
        self.access_as(ctype, size, is_initialised, false)
    }

    pub(super) fn access_as(
        &mut self,
        ctype: TypeId,
        size: u64,
        is_initialised: bool,
        is_read_only: bool,
    ) -> u32 {
        let shape = self.code.shapes.of(&self.code.ctypes, ctype);
        self.code.accesses.push(Access { shape, ctype, size, is_initialised, is_read_only });
        self.code.accesses.len() as u32 - 1
    }

    /// Leaves an expression's value on the stack.
    pub(super) fn expr(&mut self, e: &Expr) {
        let place = e.span;
        match &e.kind {
            ExprKind::Bits(pattern) => self.constant(Value::Bits(*pattern), place),
            ExprKind::Integer(value) => {
                let value = match e.ty {
                    Type::Real => Value::Real(number::to_real(value)),
                    _ => self.arena.integer(value.clone()),
                };
                self.constant(value, place);
            }
            ExprKind::Boolean(value) => self.constant(Value::Boolean(*value), place),
            ExprKind::Null => self.constant(Value::Pointer(0), place),
            ExprKind::Unit => self.constant(Value::Unit, place),
            ExprKind::Default => self.default(&e.ty, place),
            ExprKind::Slot(Slot(k)) => drop(self.emit(Op::Slot(*k), place)),
            ExprKind::Capture(id) => {
                let op = match self.captures.get(id.0 as usize) {
                    Some(ctype) => Op::Capture(id.0, self.code.shapes.of(&self.code.ctypes, *ctype)),
                    None => Op::Fail(Failure::Malformed),
                };
                self.emit(op, place);
            }
            ExprKind::CaptureAddress(id) => drop(self.emit(Op::CaptureAddress(id.0), place)),
            ExprKind::GlobalAddress(id) => {
                let address = self.addresses.globals.get(id.0 as usize).copied().flatten();
                self.address(address, place);
            }
            ExprKind::FunctionAddress(id) => {
                let address = self.addresses.functions.get(id.0 as usize).copied().flatten();
                self.address(address, place);
            }
            ExprKind::Load(pointer, ctype) => {
                self.expr(pointer);
                let size = self.code.ctypes.size(*ctype).unwrap_or(0);
                let access = self.access(*ctype, size, true);
                self.emit(Op::Load(access), place);
            }
            ExprKind::Member(of, k) | ExprKind::Field(of, k) => match of.kind {
                ExprKind::Slot(Slot(slot)) => drop(self.emit(Op::SlotPart(slot, *k), place)),
                _ => self.unary(of, Op::Part(*k), place),
            },
            ExprKind::Offset(of, by) => self.unary(of, Op::Offset(*by), place),
            ExprKind::Shift { pointer, index, size } => self.binary(pointer, index, Op::Shift(*size), place),
            ExprKind::Not(of) => self.unary(of, Op::Not, place),
            ExprKind::Negate(of) => {
                let op = match e.ty {
                    Type::Bits(bits) => Op::NegateBits(bits),
                    Type::Real => Op::NegateReal,
                    _ => Op::NegateInteger,
                };
                self.unary(of, op, place);
            }
            ExprKind::Complement(of) => self.unary(of, Op::Complement(bits_of(&e.ty)), place),
            ExprKind::And(a, b) => self.lazy(a, b, Op::And(0), place),
            ExprKind::Or(a, b) => self.lazy(a, b, Op::Or(0), place),
            ExprKind::Implies(a, b) => self.lazy(a, b, Op::Implies(0), place),
            ExprKind::Arithmetic(op, a, b) => self.binary(a, b, arithmetic(*op, &e.ty), place),
            ExprKind::Equal(a, b) => self.binary(a, b, Op::Equal, place),
            ExprKind::Unequal(a, b) => self.binary(a, b, Op::Unequal, place),
            ExprKind::Less(a, b) => self.binary(a, b, Op::Less(is_u128(&a.ty)), place),
            ExprKind::LessEqual(a, b) => self.binary(a, b, Op::LessEqual(is_u128(&a.ty)), place),
            ExprKind::If(c, a, b) => self.conditional(c, a, b, place),
            ExprKind::Cast(of) => self.cast(of, &e.ty, place),
            ExprKind::Call(id, arguments) => {
                arguments.iter().for_each(|e| self.expr(e));
                self.emit(Op::Call(id.0), place);
            }
            ExprKind::Construct(of, constructor, fields) => {
                self.all(fields, Op::Construct(*of, *constructor, fields.len() as u32), place);
            }
            ExprKind::Struct(_, parts) | ExprKind::Record(parts) => {
                self.all(parts, Op::Parts(parts.len() as u32), place);
            }
            ExprKind::List(parts) => self.all(parts, Op::List(parts.len() as u32), place),
            ExprKind::Update(of, updates) => {
                self.unary(of, Op::Copy, place);
                for (k, value) in updates {
                    self.unary(value, Op::Set(*k), value.span);
                }
            }
            ExprKind::MapGet(map, key) => {
                let ty = self.ty(&e.ty);
                self.binary(map, key, Op::MapGet(ty), place);
            }
            ExprKind::MapSet(map, updates) => {
                self.expr(map);
                for (key, value) in updates {
                    self.binary(key, value, Op::MapSet, place);
                }
            }
            ExprKind::Match(of) => self.matching(of, place),
            ExprKind::Let(bindings, body) => {
                for (slot, value) in bindings {
                    self.unary(value, Op::Store(slot.0), value.span);
                }
                self.expr(body);
            }
            ExprKind::Each { slot, range, body } => self.each(*slot, range, body, place),
            ExprKind::Good(ctype, of) => {
                let shape = self.code.shapes.of(&self.code.ctypes, *ctype);
                self.unary(of, Op::Good(shape), place);
            }
            ExprKind::Builtin(which, arguments) => self.builtin(*which, arguments, &e.ty, place),
            ExprKind::Wrong => drop(self.emit(Op::Fail(Failure::Malformed), place)),
        }
    }

    fn address(&mut self, address: Option<u64>, place: Span) {
        match address {
            Some(address) => self.constant(Value::Pointer(address), place),
            None => drop(self.emit(Op::Fail(Failure::NoAddress), place)),
        }
    }

    pub(super) fn unary(&mut self, of: &Expr, op: Op, place: Span) {
        self.expr(of);
        self.emit(op, place);
    }

    fn binary(&mut self, a: &Expr, b: &Expr, op: Op, place: Span) {
        self.expr(a);
        self.expr(b);
        self.emit(op, place);
    }

    fn all(&mut self, parts: &[Expr], op: Op, place: Span) {
        parts.iter().for_each(|e| self.expr(e));
        self.emit(op, place);
    }

    fn lazy(&mut self, a: &Expr, b: &Expr, op: Op, place: Span) {
        self.expr(a);
        let jump = self.emit(op, place);
        self.expr(b);
        self.land(jump);
    }

    fn conditional(&mut self, c: &Expr, a: &Expr, b: &Expr, place: Span) {
        self.expr(c);
        let otherwise = self.emit(Op::JumpIfFalse(0), place);
        self.expr(a);
        let end = self.emit(Op::Jump(0), place);
        self.land(otherwise);
        self.expr(b);
        self.land(end);
    }

    fn cast(&mut self, of: &Expr, to: &Type, place: Span) {
        self.expr(of);
        let op = match to {
            Type::Bits(bits) => Op::ToBits(*bits),
            Type::Integer => Op::ToInteger(is_u128(&of.ty)),
            Type::Real => Op::ToReal(is_u128(&of.ty)),
            Type::Pointer(_) => Op::ToPointer,
            _ => return,
        };
        self.emit(op, place);
    }

    fn builtin(&mut self, which: Builtin, arguments: &[Expr], ty: &Type, place: Span) {
        let op = match which {
            Builtin::IsNull => Op::IsNull,
            Builtin::HasAllocId => Op::IsNotNull,
            Builtin::LeadingZeros | Builtin::TrailingZeros | Builtin::FirstSet | Builtin::LastSet => {
                Op::Count(which, bits_of(ty))
            }
            Builtin::Some => Op::Some,
            Builtin::IsSome => Op::IsSome,
            Builtin::IsNone => Op::IsNone,
            Builtin::GetOption => Op::GetOption(self.ty(ty)),
            // In clauses that are not run.
            Builtin::ProvenanceEqual => Op::Equal,
        };
        self.all(arguments, op, place);
    }

    /// Jumps to the first arm that can match the constructor; where that has patterns inside that do not
    /// match, the arms behind it are tried in turn.
    fn matching(&mut self, of: &Match, place: Span) {
        let matched = self.own_slot();
        self.unary(&of.of, Op::Store(matched), of.of.span);
        if !of.arms_of.is_empty() {
            self.code.switches.push([].into());
            self.emit(Op::Switch(matched, self.code.switches.len() as u32 - 1), place);
        }
        let switch = self.code.switches.len().wrapping_sub(1);
        let mut entries = Vec::new();
        let mut ends = Vec::new();
        let mut misses: Vec<usize> = Vec::new();
        for arm in &of.arms {
            misses.drain(..).for_each(|jump| self.land(jump));
            let mut path = Vec::new();
            if let Pattern::Construct(constructor, _) = &arm.pattern {
                self.test(matched, &path, *constructor, &mut misses, place);
            }
            entries.push(self.here());
            self.bind(matched, &arm.pattern, &mut path, &mut misses, place);
            self.expr(&arm.body);
            ends.push(self.emit(Op::Jump(0), place));
        }
        misses.drain(..).for_each(|jump| self.land(jump));
        self.emit(Op::Fail(Failure::Malformed), place);
        ends.into_iter().for_each(|jump| self.land(jump));
        if !of.arms_of.is_empty() {
            let entry = |arms: &Vec<u32>| arms.first().and_then(|k| entries.get(*k as usize)).copied();
            // A constructor without an arm leads to the failure, which is right before the end.
            let failure = self.here() - 1;
            let table = of.arms_of.iter().map(|arms| entry(arms).unwrap_or(failure)).collect();
            self.code.switches[switch] = table;
        }
    }

    fn test(&mut self, matched: u32, path: &[u32], constructor: u32, misses: &mut Vec<usize>, place: Span) {
        self.walk(matched, path, place);
        self.emit(Op::IsConstructor(constructor), place);
        misses.push(self.emit(Op::JumpIfFalse(0), place));
    }

    /// What lies at a path inside what is matched.
    fn walk(&mut self, matched: u32, path: &[u32], place: Span) {
        match path {
            [] => drop(self.emit(Op::Slot(matched), place)),
            [first, rest @ ..] => {
                self.emit(Op::SlotPart(matched, *first), place);
                for k in rest {
                    self.emit(Op::Part(*k), place);
                }
            }
        }
    }

    /// Binds what a pattern names; constructors further inside are tested on the way.
    fn bind(
        &mut self,
        matched: u32,
        pattern: &Pattern,
        path: &mut Vec<u32>,
        misses: &mut Vec<usize>,
        place: Span,
    ) {
        match pattern {
            Pattern::Any => {}
            Pattern::Bind(slot) => {
                self.walk(matched, path, place);
                self.emit(Op::Store(slot.0), place);
            }
            Pattern::Construct(constructor, fields) => {
                if !path.is_empty() {
                    self.test(matched, path, *constructor, misses, place);
                }
                for (k, pattern) in fields {
                    path.push(*k);
                    self.bind(matched, pattern, path, misses, place);
                    path.pop();
                }
            }
        }
    }

    /// `each (T i: lo, hi; e)`
    fn each(&mut self, slot: Slot, range: &[Expr; 2], body: &Expr, place: Span) {
        let bits = range[0].ty.bits();
        let own = self.own_slots(2);
        self.emit(Op::Range(own, bits), place);
        for (limit, is_lower) in range.iter().zip([true, false]) {
            self.narrow(own, limit, is_lower, false);
        }
        self.constant(Value::Boolean(true), place);
        let name = self.name("the index");
        let begin = self.emit(Op::Begin(own, name, 0), place);
        let top = self.here();
        self.emit(Op::Drop, place);
        self.emit(Op::Index(own, bits), place);
        self.emit(Op::Store(slot.0), place);
        self.expr(body);
        let end = self.emit(Op::And(0), place);
        self.constant(Value::Boolean(true), place);
        self.emit(Op::Next(own, top), place);
        self.land(begin);
        self.land(end);
    }

    pub(super) fn name(&mut self, name: &str) -> u32 {
        self.code.names.push(name.to_string());
        self.code.names.len() as u32 - 1
    }

    pub(super) fn narrow(&mut self, range: u32, limit: &Expr, is_lower: bool, is_excluded: bool) {
        let how = super::code::Limits { is_lower, is_excluded, is_u128: is_u128(&limit.ty) };
        self.unary(limit, Op::Narrow(range, how), limit.span);
    }
}

fn arithmetic(op: Arithmetic, ty: &Type) -> Op {
    match ty {
        Type::Bits(bits) => Op::Bits(op, *bits),
        Type::Real => Op::Real(op),
        _ => Op::Integer(op),
    }
}

fn bits_of(ty: &Type) -> Bits {
    ty.bits().unwrap_or(Bits::U64)
}

/// Whether patterns are not in the order of the numbers they mean.
fn is_u128(ty: &Type) -> bool {
    matches!(ty, Type::Bits(Bits { width: 128, is_signed: false }))
}
