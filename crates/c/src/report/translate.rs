//! Clauses as C, where C can say the same.
//!
//! Finds expressions of C with the same value for checked expressions, or nothing. Arithmetic on bits wraps,
//! so it is done without signs and cast back; an `integer` becomes 128 bits wide, which suffices for sums and
//! products of what C has.

use crate::project::Project;
use crate::spec::checked::{Arithmetic, Builtin, Expr, ExprKind, FunctionBody, FunctionId, Parameter, Slot};
use crate::spec::types::{Bits, Type};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// Translates expressions of one frame.
pub(super) struct Translate<'p> {
    pub(super) project: &'p Project,
    /// What slots are called.
    pub(super) slots: BTreeMap<Slot, String>,
    /// Spec functions as C functions: prototypes and definitions.
    pub(super) functions: BTreeMap<FunctionId, (String, String)>,
    /// How deep the expression at hand is.
    depth: u32,
}

/// How deep expressions may nest.
const MAX_DEPTH: u32 = 200;

/// A type as C writes it.
pub(super) fn type_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Bits(Bits { width: width @ (8 | 16 | 32 | 64), is_signed }) => {
            Some(format!("{}int{width}_t", if *is_signed { "" } else { "u" }))
        }
        Type::Integer => Some("__int128".to_string()),
        Type::Boolean => Some("_Bool".to_string()),
        Type::Pointer(_) => Some("uintptr_t".to_string()),
        _ => None,
    }
}

impl<'p> Translate<'p> {
    pub(super) fn new(project: &'p Project) -> Translate<'p> {
        Translate { project, slots: BTreeMap::new(), functions: BTreeMap::new(), depth: 0 }
    }

    /// An expression in C.
    pub(super) fn expr(&mut self, e: &Expr) -> Option<String> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let text = self.any(e);
        self.depth -= 1;
        text
    }

    fn any(&mut self, e: &Expr) -> Option<String> {
        let mut two = |a: &Expr, sign: &str, b: &Expr| {
            type_name(&a.ty)?;
            Some(format!("({} {sign} {})", self.expr(a)?, self.expr(b)?))
        };
        match &e.kind {
            ExprKind::And(a, b) => two(a, "&&", b),
            ExprKind::Or(a, b) => two(a, "||", b),
            ExprKind::Equal(a, b) => two(a, "==", b),
            ExprKind::Unequal(a, b) => two(a, "!=", b),
            ExprKind::Less(a, b) => two(a, "<", b),
            ExprKind::LessEqual(a, b) => two(a, "<=", b),
            ExprKind::Implies(a, b) => Some(format!("(!{} || {})", self.expr(a)?, self.expr(b)?)),
            ExprKind::Not(of) => Some(format!("(!{})", self.expr(of)?)),
            ExprKind::If(c, a, b) => {
                Some(format!("({} ? {} : {})", self.expr(c)?, self.expr(a)?, self.expr(b)?))
            }
            ExprKind::Boolean(value) => Some(if *value { "1" } else { "0" }.to_string()),
            ExprKind::Null => Some("((uintptr_t)0)".to_string()),
            ExprKind::Bits(pattern) => {
                let Type::Bits(bits) = &e.ty else { return None };
                Some(format!("(({}){})", type_name(&e.ty)?, constant(&bits.number(*pattern))?))
            }
            ExprKind::Integer(value) if e.ty == Type::Integer => {
                Some(format!("((__int128){})", constant(value)?))
            }
            ExprKind::Default
                if matches!(e.ty, Type::Bits(_) | Type::Integer | Type::Boolean | Type::Pointer(_)) =>
            {
                Some(format!("(({})0)", type_name(&e.ty)?))
            }
            ExprKind::Slot(slot) => Some(format!("(({})({}))", type_name(&e.ty)?, self.slots.get(slot)?)),
            ExprKind::Member(of, k) => {
                let place = self.place(of)?;
                Some(format!("(({})({place}.{}))", type_name(&e.ty)?, self.member(&of.ty, *k)?))
            }
            ExprKind::Cast(of) => {
                type_name(&of.ty)?;
                Some(format!("(({}){})", type_name(&e.ty)?, self.expr(of)?))
            }
            ExprKind::Negate(of) => self.wrapped(&e.ty, |_| "-".to_string(), of),
            ExprKind::Complement(of) => self.wrapped(&e.ty, |_| "~".to_string(), of),
            ExprKind::Arithmetic(op, a, b) => self.arithmetic(*op, a, b),
            ExprKind::Builtin(Builtin::IsNull, of) => Some(format!("({} == 0)", self.expr(of.first()?)?)),
            ExprKind::Let(bindings, body) => self.bindings(bindings, body),
            ExprKind::Call(function, arguments) => self.call(*function, arguments),
            _ => None,
        }
    }

    /// A struct that C can name.
    fn place(&mut self, e: &Expr) -> Option<String> {
        match &e.kind {
            ExprKind::Slot(slot) => self.slots.get(slot).cloned(),
            ExprKind::Member(of, k) => {
                let member = self.member(&of.ty, *k)?;
                Some(format!("{}.{member}", self.place(of)?))
            }
            _ => None,
        }
    }

    fn member(&self, ty: &Type, k: u32) -> Option<String> {
        let Type::Struct(id) = ty else { return None };
        let member = self.project.program.types.record(*id).members.get(k as usize)?;
        (!member.name.is_empty()).then(|| member.name.clone())
    }

    fn wrapped(&mut self, ty: &Type, sign: impl Fn(&Type) -> String, of: &Expr) -> Option<String> {
        let inner = if *ty == Type::Integer { "__int128" } else { "uint64_t" };
        Some(format!("(({})({}({inner}){}))", type_name(ty)?, sign(ty), self.expr(of)?))
    }

    fn arithmetic(&mut self, op: Arithmetic, a: &Expr, b: &Expr) -> Option<String> {
        let ty = type_name(&a.ty)?;
        let sign = match op {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Divide => "/",
            Arithmetic::Remainder => "%",
            Arithmetic::BitAnd => "&",
            Arithmetic::BitOr => "|",
            Arithmetic::BitXor => "^",
            _ => return None,
        };
        // The least number divided by -1 has no place in its own type.
        let is_divided = matches!(op, Arithmetic::Divide | Arithmetic::Remainder);
        let inner = if is_divided || a.ty == Type::Integer { "__int128" } else { "uint64_t" };
        Some(format!("(({ty})(({inner}){} {sign} ({inner}){}))", self.expr(a)?, self.expr(b)?))
    }

    /// `let` inside an expression: an extension that gcc and clang share.
    fn bindings(&mut self, bindings: &[(Slot, Expr)], body: &Expr) -> Option<String> {
        let mut text = "({ ".to_string();
        for (slot, value) in bindings {
            let name = format!("let{}", slot.0);
            text += &format!("{} {name} = {}; ", type_name(&value.ty)?, self.expr(value)?);
            self.slots.insert(*slot, name);
        }
        Some(format!("{text}{}; }})", self.expr(body)?))
    }

    fn call(&mut self, id: FunctionId, arguments: &[Expr]) -> Option<String> {
        let project = self.project;
        let function = project.specs.functions.get(id.0 as usize)?;
        if let FunctionBody::Lifted(lifted) = &function.body {
            let name = &project.described.functions.get(lifted.0 as usize)?.name;
            let arguments = arguments.iter().map(|a| self.expr(a)).collect::<Option<Vec<_>>>()?;
            return Some(format!("(({}){name}({}))", type_name(&function.ty)?, arguments.join(", ")));
        }
        self.define(id)?;
        let arguments = arguments.iter().map(|a| self.expr(a)).collect::<Option<Vec<_>>>()?;
        Some(format!("spec_{}({})", function.name, arguments.join(", ")))
    }

    /// Makes a spec function a C function, once.
    fn define(&mut self, id: FunctionId) -> Option<()> {
        if self.functions.contains_key(&id) {
            return Some(());
        }
        let function = self.project.specs.functions.get(id.0 as usize)?;
        let FunctionBody::Expr(body) = &function.body else { return None };
        let parameter = |p: &Parameter| Some(format!("{} p_{}", type_name(&p.ty)?, p.name));
        let parameters = function.parameters.iter().map(parameter).collect::<Option<Vec<_>>>()?;
        let parameters = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
        let header = format!("static {} spec_{}({parameters})", type_name(&function.ty)?, function.name);
        // It is known before its body is looked at, for it may call itself.
        self.functions.insert(id, (format!("{header};"), String::new()));
        let own = function.parameters.iter().map(|p| (p.slot, format!("p_{}", p.name))).collect();
        let outer = std::mem::replace(&mut self.slots, own);
        let text = self.expr(body);
        self.slots = outer;
        self.functions.get_mut(&id)?.1 = format!("{header}\n{{\n    return {};\n}}", text?);
        Some(())
    }
}

/// A number as a constant that C reads back.
pub(super) fn constant(value: &BigInt) -> Option<String> {
    let value = i128::try_from(value).ok()?;
    match value {
        v if v == i128::from(i64::MIN) => Some("(-9223372036854775807 - 1)".to_string()),
        v if i64::try_from(v).is_ok() => Some(if v < 0 { format!("({v})") } else { v.to_string() }),
        v if u64::try_from(v).is_ok() => Some(format!("{v}u")),
        _ => None,
    }
}
