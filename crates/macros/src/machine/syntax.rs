//! Small questions about syntax that every reader of `next` has.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Error, Expr, Macro, Pat, Result, Stmt, Token, Type, UnOp};

/// An expression without parentheses and references around it.
pub(super) fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => bare(&inner.expr),
        Expr::Group(inner) => bare(&inner.expr),
        Expr::Reference(inner) => bare(&inner.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => bare(&unary.expr),
        expr => expr,
    }
}

/// The name that an expression is.
pub(super) fn named(expr: &Expr) -> Option<&Ident> {
    match bare(expr) {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    }
}

/// The parts of `a && b && c`.
pub(super) fn conjuncts(cond: &Expr) -> Vec<&Expr> {
    match cond {
        Expr::Binary(both) if matches!(both.op, BinOp::And(_)) => {
            [conjuncts(&both.left), conjuncts(&both.right)].concat()
        }
        Expr::Paren(inner) if matches!(&*inner.expr, Expr::Binary(b) if matches!(b.op, BinOp::And(_))) => {
            conjuncts(&inner.expr)
        }
        cond => vec![cond],
    }
}

/// A pattern without parentheses around it.
pub(super) fn unparen(pat: &Pat) -> &Pat {
    match pat {
        Pat::Paren(inner) => unparen(&inner.pat),
        pat => pat,
    }
}

/// A pattern without parentheses and without its guard.
pub(super) fn unguarded(pat: &Pat) -> &Pat {
    match pat {
        Pat::Paren(inner) => unguarded(&inner.pat),
        Pat::Guard(inner) => unguarded(&inner.pat),
        pat => pat,
    }
}

/// What `matches!(expr, pattern if guard)` is made of, if a macro is that.
pub(super) fn matches_parts(mac: &Macro) -> Option<(Expr, Pat, Option<Expr>)> {
    if mac.path.segments.last()?.ident != "matches" {
        return None;
    }
    let parser = |input: syn::parse::ParseStream<'_>| {
        let expr: Expr = input.parse()?;
        input.parse::<Token![,]>()?;
        let pat = Pat::parse_multi_with_leading_vert(input)?;
        let guard = match input.parse::<Option<Token![if]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        input.parse::<Option<Token![,]>>()?;
        Ok((expr, pat, guard))
    };
    mac.parse_body_with(parser).ok()
}

/// The name at the top of a pattern: of a variant, a struct, a constant or a variable.
pub(super) fn head(pat: &Pat) -> Option<&Ident> {
    let path = match pat {
        Pat::Struct(pat) => &pat.path,
        Pat::TupleStruct(pat) => &pat.path,
        Pat::Path(pat) => &pat.path,
        Pat::Ident(pat) => return Some(&pat.ident),
        _ => return None,
    };
    path.segments.last().map(|last| &last.ident)
}

/// Calls `end` with every expression in which another one ends: behind blocks, `if` and `match`.
pub(super) fn each_end(expr: &mut Expr, end: &mut dyn FnMut(&mut Expr) -> Result<()>) -> Result<()> {
    match expr {
        Expr::Paren(inner) => each_end(&mut inner.expr, end),
        Expr::Group(inner) => each_end(&mut inner.expr, end),
        Expr::Block(inner) => each_end_of_block(&mut inner.block, end),
        Expr::If(inner) => {
            const WRITE: &str = "an `if` at the end of an arm has an `else`: write a state there, or `unreachable!()` if the \
                                 operation is not possible then";
            each_end_of_block(&mut inner.then_branch, end)?;
            let (_, other) =
                inner.else_branch.as_mut().ok_or_else(|| Error::new(inner.if_token.span, WRITE))?;
            each_end(other, end)
        }
        Expr::Match(inner) => inner.arms.iter_mut().try_for_each(|arm| each_end(&mut arm.body, end)),
        expr => end(expr),
    }
}

pub(super) fn each_end_of_block(
    block: &mut Block,
    end: &mut dyn FnMut(&mut Expr) -> Result<()>,
) -> Result<()> {
    if let Some(Stmt::Macro(last)) = block.stmts.last() {
        let mac = Expr::Macro(syn::ExprMacro { attrs: Vec::new(), mac: last.mac.clone() });
        *block.stmts.last_mut().expect("the macro") = Stmt::Expr(mac, None);
    }
    match block.stmts.last_mut() {
        Some(Stmt::Expr(last, None)) => each_end(last, end),
        _ => Err(Error::new(block.span(), "a state belongs at the end of this block")),
    }
}

/// The names that a pattern binds.
pub(super) fn names_in(pat: &Pat) -> Vec<String> {
    struct Names(Vec<String>);
    impl<'a> Visit<'a> for Names {
        fn visit_pat_ident(&mut self, pat: &'a syn::PatIdent) {
            if is_variable(&pat.ident) {
                self.0.push(pat.ident.to_string());
            }
            visit::visit_pat_ident(self, pat);
        }
    }
    let mut names = Names(Vec::new());
    names.visit_pat(pat);
    names.0
}

/// Whether a name stands somewhere in a piece of code.
pub(super) fn mentions(tokens: TokenStream, is_it: &dyn Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => is_it(&name),
        TokenTree::Group(group) => mentions(group.stream(), is_it),
        _ => false,
    })
}

/// Whether a name in a pattern stands for anything.
pub(crate) fn is_variable(name: &Ident) -> bool {
    name.to_string().trim_start_matches("r#").starts_with(|c: char| c.is_lowercase() || c == '_')
}

/// A type as it is written inside a module of the module where it stood.
pub(super) fn from_inside(ty: &Type) -> Type {
    struct Deeper;
    impl VisitMut for Deeper {
        fn visit_path_mut(&mut self, path: &mut syn::Path) {
            visit_mut::visit_path_mut(self, path);
            let first = path.segments.first().map(|first| first.ident.to_string());
            if first.as_deref() == Some("super") {
                *path = syn::parse_quote!(super::#path);
            } else if first.as_deref() == Some("self") {
                path.segments[0].ident = Ident::new("super", path.segments[0].ident.span());
            }
        }
    }
    let mut ty = ty.clone();
    Deeper.visit_type_mut(&mut ty);
    ty
}

/// Whether values of a type are whole numbers that are not negative.
pub(super) fn is_unsigned(ty: &Type) -> bool {
    let names = ["u8", "u16", "u32", "u64", "usize"];
    matches!(ty, Type::Path(path) if names.iter().any(|name| path.path.is_ident(name)))
}

/// Whether an operator compares two values.
pub(crate) fn is_comparison(op: &BinOp) -> bool {
    matches!(op, BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_))
}
