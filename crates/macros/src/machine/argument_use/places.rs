//! Which expressions are data of the operation or of the state, and which values comparisons with them tell
//! apart.

use super::super::kinds::Kind;
use super::super::patterns::{number, position, variants};
use super::super::syntax::bare;
use super::{Bound, Key, Limit, Place, Reader, Use};
use proc_macro2::Literal;
use quote::{ToTokens, quote};
use syn::{BinOp, Expr, Lit, UnOp};

impl Reader<'_> {
    /// Something in the operation, if an expression is that. Fields on the way to it matter as it does.
    pub(super) fn place(&mut self, expr: &Expr) -> Option<Place> {
        let (passed, found) = self.place_with_way(expr)?;
        for key in passed {
            let known = self.uses.fields.entry(key).or_insert(Use::Ignored);
            *known = (*known).max(Use::Compared);
        }
        Some(found)
    }

    fn place_with_way(&self, expr: &Expr) -> Option<(Vec<Key>, Place)> {
        match bare(expr) {
            Expr::Path(path) => match self.names.get(&path.path.get_ident()?.to_string())? {
                Bound::Data(key, kind) => Some((Vec::new(), (key.clone(), (**kind).clone()))),
                _ => None,
            },
            Expr::Field(field) => {
                let (mut passed, (key, kind)) = self.place_with_way(&field.base)?;
                let whole =
                    variants(&kind, &self.types).into_iter().find(|variant| variant.name.is_empty())?;
                let k = position(&whole.fields, &field.member)?;
                let inner = whole.kinds[k].clone();
                let Kind::Local(ty) = &kind else { return Some((passed, (key, inner))) };
                passed.extend(key);
                Some((passed, (Some((ty.to_string(), String::new(), k)), inner)))
            }
            _ => None,
        }
    }

    /// Whether a number in a pattern or a comparison is one that arguments are drawn around.
    pub(super) fn is_point(&self, expr: &Expr) -> bool {
        match bare(expr) {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => self.is_point(&unary.expr),
            Expr::Lit(lit) => matches!(lit.lit, Lit::Int(_) | Lit::Char(_) | Lit::Byte(_) | Lit::Bool(_)),
            Expr::Path(path) => {
                path.path.get_ident().is_some_and(|name| self.constants.contains(&name.to_string()))
            }
            _ => false,
        }
    }

    /// The same of one that arguments are compared with, which is noted.
    pub(super) fn is_tried(&mut self, expr: &Expr, key: Option<&Key>) -> bool {
        let is_point = self.is_point(expr);
        let number = number(expr).map(|number| Literal::i128_suffixed(number).into_token_stream());
        if let Some(number) = number.or_else(|| (!is_literal(expr)).then(|| quote!((#expr) as i128)))
            && is_point
        {
            self.uses.point(number, key);
        }
        is_point
    }

    /// Whether an expression is a number in the state.
    pub(super) fn is_of_state(&self, expr: &Expr) -> bool {
        match bare(expr) {
            Expr::Path(path) => path
                .path
                .get_ident()
                .is_some_and(|name| matches!(self.names.get(&name.to_string()), Some(Bound::State))),
            Expr::Field(field) => self.is_of_state(&field.base),
            Expr::Index(index) => {
                self.is_of_state(&index.expr)
                    && (self.is_point(&index.index) || self.is_of_state(&index.index))
            }
            _ => false,
        }
    }

    /// Whether arguments are drawn around the value of an expression: a number, one in the state, or one a
    /// little off.
    pub(super) fn is_drawn_around(&mut self, expr: &Expr, key: Option<&Key>) -> bool {
        let expr = bare(expr);
        if self.is_tried(expr, key) {
            return true;
        }
        let is_near_state = self.is_near_state(expr);
        if is_near_state {
            self.uses.near_state.insert(key.cloned().unwrap_or_default());
        }
        is_near_state
    }

    /// Whether an expression is a number in the state, or one a little off.
    fn is_near_state(&mut self, expr: &Expr) -> bool {
        if self.is_of_state(expr) {
            return true;
        }
        if let Expr::MethodCall(call) = expr {
            return self.is_next_to(call);
        }
        let Expr::Binary(sum) = expr else { return false };
        let sign = match sum.op {
            BinOp::Add(_) => 1,
            BinOp::Sub(_) => -1,
            _ => return false,
        };

        let offset = match (number(&sum.left), number(&sum.right)) {
            (None, Some(by)) if self.is_of_state(&sum.left) => sign * by,
            (Some(by), None) if sign == 1 && self.is_of_state(&sum.right) => by,
            _ => return false,
        };
        self.uses.offsets.insert(offset);
        true
    }

    /// `n.wrapping_add(1)` of a number in the state is its neighbour, or a bound of its type, which is always
    /// tried.
    fn is_next_to(&mut self, call: &syn::ExprMethodCall) -> bool {
        let name = call.method.to_string();
        let is_one = call.args.first().and_then(number) == Some(1);
        let sign = match name.as_str() {
            "wrapping_add" | "saturating_add" => 1,
            "wrapping_sub" | "saturating_sub" => -1,
            _ => return false,
        };
        let is_known = is_one && call.args.len() == 1 && self.is_of_state(&call.receiver);
        if is_known {
            self.uses.offsets.insert(sign);
        }
        is_known
    }

    /// Notes what a condition bounds: `k < 4`, `k <= LAST`, `k == n`, also among others that have to hold.
    pub(super) fn bound_by(&mut self, cond: &Expr) {
        let Expr::Binary(both) = bare(cond) else { return };
        let (small, limit, is_included) = match both.op {
            BinOp::And(_) => {
                self.bound_by(&both.left);
                return self.bound_by(&both.right);
            }
            BinOp::Eq(_) => {
                for (one, other) in [(&both.left, &both.right), (&both.right, &both.left)] {
                    if let Some((Some(key), _)) = self.place(one)
                        && self.is_drawn_around(other, Some(&key))
                    {
                        self.small.push((key, Limit::Equal));
                    }
                }
                return;
            }
            BinOp::Lt(_) => (&both.left, &both.right, false),
            BinOp::Le(_) => (&both.left, &both.right, true),
            BinOp::Gt(_) => (&both.right, &both.left, false),
            BinOp::Ge(_) => (&both.right, &both.left, true),
            _ => return,
        };
        let Some((Some(key), _)) = self.place(small) else { return };
        if self.is_point(limit) {
            let included = i128::from(is_included);
            self.small.push((key, Limit::Below(quote!((#limit) as i128 + #included))));
        } else if self.is_of_state(limit) {
            self.uses.near_state.insert(key.clone());
            self.small.push((key, Limit::BelowState));
        }
    }
}

/// Whether an expression is a literal, perhaps with a sign: one that is no number, or none of 128 bits.
fn is_literal(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Unary(unary) => is_literal(&unary.expr),
        expr => matches!(expr, Expr::Lit(_)),
    }
}
