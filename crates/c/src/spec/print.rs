//! An expression back as text, on one line and with as few parentheses as it needs.
//!
//! For reports that show a part of a clause away from its place in the file. What is printed is
//! read back as the same tree.

use super::ast::{
    ArrayLength, BinaryOp, CTypeExpr, Expr, ExprKind, Name, Pattern, PatternKind, TypeExpr, TypeKind, UnaryOp,
};
use std::fmt::Write;

/// An expression as text.
#[must_use]
pub fn expression(expr: &Expr) -> String {
    let mut text = String::new();
    write_expr(&mut text, expr, 0);
    text
}

/// A type as text.
#[must_use]
pub fn ty(ty: &TypeExpr) -> String {
    let mut text = String::new();
    write_type(&mut text, ty);
    text
}

/// Strengths around the binary operators' 1 to 6.
const LOOSEST: u8 = 0;
const UNARY: u8 = 7;
const POSTFIX: u8 = 8;

fn strength(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Let(..) | ExprKind::If(..) => LOOSEST,
        ExprKind::Binary(op, _, _) => op.strength(),
        ExprKind::Deref(_) | ExprKind::AddressOf(_) | ExprKind::Unary(..) | ExprKind::Cast(..) => UNARY,
        _ => POSTFIX,
    }
}

fn write_expr(out: &mut String, expr: &Expr, least: u8) {
    let needs_parentheses = strength(expr) < least;
    if needs_parentheses {
        out.push('(');
    }
    write_kind(out, expr);
    if needs_parentheses {
        out.push(')');
    }
}

fn write_kind(out: &mut String, expr: &Expr) {
    match &expr.kind {
        ExprKind::Number(value, bits) => {
            let _ = write!(out, "{value}{}", bits.map_or("", |bits| bits.name()));
        }
        ExprKind::Boolean(value) => out.push_str(if *value { "true" } else { "false" }),
        ExprKind::Null => out.push_str("NULL"),
        ExprKind::Variable(name) => out.push_str(&name.text),
        ExprKind::Return => out.push_str("return"),
        ExprKind::Member(of, name) => write_member(out, of, ".", name),
        ExprKind::Arrow(of, name) => write_member(out, of, "->", name),
        ExprKind::Deref(e) => write_prefix(out, "*", e),
        ExprKind::AddressOf(e) => write_prefix(out, "&", e),
        ExprKind::Unary(op, e) => write_unary(out, *op, e),
        ExprKind::Binary(op, a, b) => write_binary(out, *op, a, b),
        ExprKind::If(c, a, b) => {
            write_expr(out, c, 1);
            out.push_str(" ? ");
            write_branch(out, a);
            out.push_str(" : ");
            write_branch(out, b);
        }
        ExprKind::Cast(ty, e) => {
            out.push('(');
            write_type(out, ty);
            out.push_str(") ");
            write_expr(out, e, UNARY);
        }
        ExprKind::Call(name, arguments) => {
            out.push_str(&name.text);
            write_list(out, "(", arguments, ")");
        }
        ExprKind::Construct(name, fields) => {
            let _ = write!(out, "{} ", name.text);
            write_fields(out, fields, None);
        }
        ExprKind::Struct(name, fields) => {
            let _ = write!(out, "struct {} ", name.text);
            write_fields(out, fields, None);
        }
        ExprKind::Record(fields) => write_fields(out, fields, None),
        ExprKind::Update(fields, base) => write_fields(out, fields, Some(base)),
        ExprKind::Index(map, key) => {
            write_expr(out, map, POSTFIX);
            out.push('[');
            write_expr(out, key, LOOSEST);
            out.push(']');
        }
        ExprKind::MapUpdate(map, updates) => write_map_update(out, map, updates),
        ExprKind::List(elements) => write_list(out, "[", elements, "]"),
        ExprKind::Match(of, arms) => {
            out.push_str("match (");
            write_expr(out, of, LOOSEST);
            out.push_str(") {");
            for arm in arms {
                out.push(' ');
                write_pattern(out, &arm.pattern);
                out.push_str(" => { ");
                write_expr(out, &arm.body, LOOSEST);
                out.push_str(" }");
            }
            out.push_str(" }");
        }
        ExprKind::Let(bindings, body) => {
            for (name, value) in bindings {
                let _ = write!(out, "let {} = ", name.text);
                write_expr(out, value, LOOSEST);
                out.push_str("; ");
            }
            write_expr(out, body, LOOSEST);
        }
        ExprKind::Each(ty, name, range, body) => {
            out.push_str("each (");
            write_type(out, ty);
            let _ = write!(out, " {}: ", name.text);
            write_branch(out, &range[0]);
            out.push_str(", ");
            write_branch(out, &range[1]);
            out.push_str("; ");
            write_expr(out, body, LOOSEST);
            out.push(')');
        }
        ExprKind::ArrayShift(ctype, pointer, index) => {
            out.push_str("array_shift");
            write_angles(out, ctype.as_ref());
            out.push('(');
            write_expr(out, pointer, LOOSEST);
            out.push_str(", ");
            write_expr(out, index, LOOSEST);
            out.push(')');
        }
        ExprKind::MemberShift(ctype, pointer, member) => {
            out.push_str("member_shift");
            write_angles(out, ctype.as_ref());
            out.push('(');
            write_expr(out, pointer, LOOSEST);
            let _ = write!(out, ", {})", member.text);
        }
        ExprKind::SizeOf(ctype) => {
            out.push_str("sizeof");
            write_angles(out, Some(ctype));
        }
        ExprKind::OffsetOf(tag, member) => {
            let _ = write!(out, "offsetof({}, {})", tag.text, member.text);
        }
        ExprKind::Default(ty) => {
            out.push_str("default<");
            write_type(out, ty);
            out.push('>');
        }
        ExprKind::Good(ctype, e) => {
            out.push_str("good");
            write_angles(out, Some(ctype));
            out.push('(');
            write_expr(out, e, LOOSEST);
            out.push(')');
        }
        ExprKind::Unchanged(e) => {
            out.push_str("{ ");
            write_expr(out, e, LOOSEST);
            out.push_str(" }unchanged");
        }
        ExprKind::At(e, label) => {
            out.push_str("{ ");
            write_expr(out, e, LOOSEST);
            let _ = write!(out, " }}%{}", label.text);
        }
    }
}

fn write_member(out: &mut String, of: &Expr, sign: &str, name: &Name) {
    write_expr(out, of, POSTFIX);
    let _ = write!(out, "{sign}{}", name.text);
}

fn write_prefix(out: &mut String, sign: &str, e: &Expr) {
    out.push_str(sign);
    // `&p->f` is read as `&(p->f)`; the language's own tool wants the parentheses. `&&x` would be another
    // operator.
    let is_path =
        sign == "&" && matches!(e.kind, ExprKind::Arrow(..) | ExprKind::Member(..) | ExprKind::AddressOf(_));
    write_expr(out, e, if is_path { POSTFIX + 1 } else { UNARY });
}

fn write_unary(out: &mut String, op: UnaryOp, e: &Expr) {
    write_prefix(out, op.sign(), e);
}

fn write_binary(out: &mut String, op: BinaryOp, a: &Expr, b: &Expr) {
    let strength = op.strength();
    let (left, right) =
        if op == BinaryOp::Implies { (strength + 1, strength) } else { (strength, strength + 1) };
    write_expr(out, a, left);
    let _ = write!(out, " {} ", op.sign());
    write_expr(out, b, right);
}

/// A place where everything but `let` may stand without parentheses.
fn write_branch(out: &mut String, e: &Expr) {
    write_expr(out, e, u8::from(matches!(e.kind, ExprKind::Let(..))));
}

fn write_list(out: &mut String, open: &str, list: &[Expr], close: &str) {
    out.push_str(open);
    for (k, e) in list.iter().enumerate() {
        out.push_str(if k == 0 { "" } else { ", " });
        write_expr(out, e, LOOSEST);
    }
    out.push_str(close);
}

fn write_fields(out: &mut String, fields: &[(Name, Expr)], base: Option<&Expr>) {
    out.push('{');
    for (k, (name, value)) in fields.iter().enumerate() {
        let _ = write!(out, "{}{}: ", if k == 0 { " " } else { ", " }, name.text);
        write_expr(out, value, LOOSEST);
    }
    if let Some(base) = base {
        out.push_str(if fields.is_empty() { " .." } else { ", .." });
        write_expr(out, base, LOOSEST);
    }
    out.push_str(if fields.is_empty() && base.is_none() { "}" } else { " }" });
}

fn write_map_update(out: &mut String, map: &Expr, updates: &[(Expr, Expr)]) {
    write_expr(out, map, POSTFIX);
    for (k, (key, value)) in updates.iter().enumerate() {
        out.push_str(if k == 0 { "[" } else { ", " });
        write_expr(out, key, LOOSEST);
        out.push_str(": ");
        write_expr(out, value, LOOSEST);
    }
    out.push(']');
}

fn write_pattern(out: &mut String, pattern: &Pattern) {
    match &pattern.kind {
        PatternKind::Any => out.push('_'),
        PatternKind::Bind(name) => out.push_str(name),
        PatternKind::Construct(name, fields) => {
            let _ = write!(out, "{} {{", name.text);
            for (k, (field, inner)) in fields.iter().enumerate() {
                let _ = write!(out, "{}{}: ", if k == 0 { " " } else { ", " }, field.text);
                write_pattern(out, inner);
            }
            out.push_str(if fields.is_empty() { "}" } else { " }" });
        }
    }
}

fn write_angles(out: &mut String, ctype: Option<&CTypeExpr>) {
    let Some(ctype) = ctype else { return };
    let stars = "*".repeat(ctype.n_stars as usize);
    let _ = write!(out, "<{}{}{stars}", ctype.words.join(" "), if ctype.n_stars > 0 { " " } else { "" });
    for length in &ctype.lengths {
        let _ = match length {
            None => write!(out, "[]"),
            Some(ArrayLength::Number(length)) => write!(out, "[{length}]"),
            Some(ArrayLength::Constant(name)) => write!(out, "[{}]", name.text),
        };
    }
    out.push('>');
}

fn write_type(out: &mut String, ty: &TypeExpr) {
    let (open, list): (&str, Vec<&TypeExpr>) = match &ty.kind {
        TypeKind::Bits(bits) => return out.push_str(bits.name()),
        TypeKind::Integer => return out.push_str("integer"),
        TypeKind::Real => return out.push_str("real"),
        TypeKind::Boolean => return out.push_str("boolean"),
        TypeKind::Pointer => return out.push_str("pointer"),
        TypeKind::AllocId => return out.push_str("alloc_id"),
        TypeKind::Void => return out.push_str("void"),
        TypeKind::Struct(name) => return out.push_str(&format!("struct {}", name.text)),
        TypeKind::Datatype(name) => return out.push_str(&format!("datatype {}", name.text)),
        TypeKind::Named(name) => return out.push_str(name),
        TypeKind::Wrong => return out.push('?'),
        TypeKind::Record(fields) => {
            for (k, field) in fields.iter().enumerate() {
                out.push_str(if k == 0 { "{" } else { ", " });
                write_type(out, &field.ty);
                let _ = write!(out, " {}", field.name.text);
            }
            return out.push('}');
        }
        TypeKind::Map(key, value) => ("map<", vec![key, value]),
        TypeKind::List(of) => ("cn_list<", vec![of]),
        TypeKind::Set(of) => ("cn_set<", vec![of]),
        TypeKind::Option(of) => ("cn_option<", vec![of]),
        TypeKind::Tuple(of) => ("cn_tuple<", of.iter().collect()),
    };
    out.push_str(open);
    for (k, ty) in list.into_iter().enumerate() {
        out.push_str(if k == 0 { "" } else { ", " });
        write_type(out, ty);
    }
    out.push('>');
}
