//! `#[model]`: an `impl` block becomes a specification of another type.
//!
//! Expands to the block without the attributes that were meant for us, and an implementation of
//! `stairway::Model`. The siblings hold the options (`options`), what is said by one method (`method`), the
//! conditions on the states before and after it (`ensures`), one operation's step (`step`) and the rest of
//! the expansion (`expand`).

mod call_source;
mod ensures;
mod expand;
mod method;
mod options;
mod step;

#[cfg(test)]
mod tests;

pub(crate) use call_source::value;
pub(crate) use expand::helper;
pub(crate) use method::referred;
pub(crate) use step::result_in_laws;

use crate::attributes::Problems;
use crate::invariant::Returns;
use crate::mistaken;
use crate::property::Draw;
use ensures::Ensures;
use method::Role;
use options::{ModelOptions, OpOptions};
use proc_macro2::{Ident, TokenStream};
use syn::{Error, Expr, ImplItem, ItemImpl, Path, Result, Type};

/// How many operations the engine can choose from.
const MAX_OPERATIONS: usize = 128;

/// The block and the specification, or what is wrong with it.
pub(crate) fn model(options: TokenStream, item: TokenStream) -> TokenStream {
    match parse(item.clone()).and_then(|block| diagnose(options.clone(), block)) {
        Ok(model) => expand::expand(&model),
        Err(error) => mistaken::model(error, options, item),
    }
}

/// A block that can be a model.
struct Model {
    options: ModelOptions,
    /// The user's block, without our attributes.
    block: ItemImpl,
    /// The model's type as it is called in reports.
    title: String,
    start: Start,
    ops: Vec<Op>,
    cleanup: Option<Op>,
    invariants: Vec<Observer>,
    covers: Vec<(Expr, Observer)>,
    terminals: Vec<Observer>,
    /// The function that sees the model in a system.
    abstraction: Option<Ident>,
    /// The function that tells systems apart.
    fingerprint: Option<Ident>,
}

/// How a program begins.
struct Start {
    name: Ident,
    parameters: Vec<(Ident, Draw, Type)>,
    /// The expression that makes the system, if it stands by itself, and its text.
    system: Option<(Expr, String)>,
    is_async: bool,
}

/// One operation.
struct Op {
    name: Ident,
    parameters: Vec<Parameter>,
    answer: Answer,
    options: OpOptions,
    /// The part of `requires` that speaks about the model only.
    possible: Option<Expr>,
    /// The rest of it, and the parameters it mentions.
    accepts: Option<(Expr, Vec<Ident>)>,
    /// What holds of the states before and after.
    ensures: Vec<Ensures>,
    /// Whether the model's state after it is what the abstraction sees in the system.
    is_relation: bool,
    has_empty_body: bool,
}

/// What the model says about an operation's answer.
enum Answer {
    /// The answer itself.
    Equal(Box<Type>),
    /// Several right answers.
    Allowed,
    /// Nothing, but for conditions.
    Unsaid,
}

struct Parameter {
    name: Ident,
    /// The type as it was written.
    ty: Type,
    kind: Kind,
}

enum Kind {
    /// A value to be drawn.
    Drawn(Draw),
    /// An earlier result of this type.
    Reference(Type),
    /// The result of this very step, by its name.
    Result,
    /// What the system answered: the model is told.
    Told,
}

/// A method that looks at a state.
struct Observer {
    name: Ident,
    sees_system: bool,
    /// Its parameters after `&self`.
    parameters: TokenStream,
    /// The parts of its condition that are shown when it does not hold.
    operands: Vec<(String, TokenStream)>,
    returns: Returns,
}

fn parse(item: TokenStream) -> Result<ItemImpl> {
    const WRITE: &str = "`#[model]` goes on the `impl` block of the model's type: write \
                         `#[model(system = Type)] impl Model { .. }`";
    let block: ItemImpl = syn::parse2(item.clone()).map_err(|error| {
        let is_block = item.clone().into_iter().any(|token| token.to_string() == "impl");
        if is_block { error } else { Error::new_spanned(&item, WRITE) }
    })?;
    match &block.trait_ {
        None => Ok(block),
        Some((path, _)) => Err(Error::new_spanned(
            path,
            "a model's operations are methods of its own, not of a trait: write `impl Model { .. }`",
        )),
    }
}

fn diagnose(options: TokenStream, mut block: ItemImpl) -> Result<Model> {
    let mut problems = Problems::default();
    let read = options::model(&mut problems, options);
    let options = problems.value(read).flatten();
    let title = problems.value(title(&block.self_ty));
    let (mut starts, mut ops, mut cleanups) = (Vec::new(), Vec::new(), Vec::new());
    let (mut invariants, mut covers, mut terminals) = (Vec::new(), Vec::new(), Vec::new());
    let (mut abstractions, mut fingerprints) = (Vec::new(), Vec::new());
    let (mut has_start, mut has_op) = (false, false);
    for item in &mut block.items {
        let ImplItem::Fn(function) = item else { continue };
        let Some((role, attribute)) = method::role(&mut problems, function) else { continue };
        has_start |= matches!(role, Role::Start);
        has_op |= matches!(role, Role::Op);
        method::diagnose_signature(&mut problems, &function.sig, role);
        match role {
            Role::Start => starts.extend(method::start(&mut problems, function)),
            Role::Op => ops.extend(method::op(&mut problems, &attribute, function)),
            Role::Cleanup => cleanups.extend(method::cleanup(&mut problems, &attribute, &function.sig)),
            Role::Invariant => {
                let observer = method::observer(&mut problems, &function.sig, role);
                let operands = crate::operands::of_function(&function.block);
                invariants.extend(observer.map(|observer| match observer.returns {
                    Returns::Bool => Observer { operands, ..observer },
                    _ => observer,
                }));
            }
            Role::Terminal => terminals.extend(method::observer(&mut problems, &function.sig, role)),
            Role::Cover => covers.extend(method::cover(&mut problems, &attribute, &function.sig)),
            Role::Abstraction => abstractions.extend(method::of_system(&mut problems, &function.sig, role)),
            Role::Fingerprint => fingerprints.extend(method::of_system(&mut problems, &function.sig, role)),
        }
        method::strip(function);
    }
    for second in starts.iter().skip(1) {
        let message = "a program begins in one way: remove this second `#[start]`, or draw what differs";
        problems.at(&second.name, message);
    }
    for second in cleanups.iter().skip(1) {
        problems.at(&second.name, "a program ends in one way: remove this second `#[cleanup]`");
    }
    for second in abstractions.iter().skip(1).chain(fingerprints.iter().skip(1)) {
        problems.at(second, "a system is seen in one way: remove this second one");
    }
    for op in &mut ops {
        ensures::settle(&mut problems, op, abstractions.first());
    }
    if !has_start {
        problems.at(
            &block.self_ty,
            "how does a program begin? write `#[start] fn new() -> (Self, System) { .. }` in this block",
        );
    }
    if !has_op {
        problems.at(
            &block.self_ty,
            "what can a program do? write `#[op] fn name(&mut self) -> Answer { .. }` in this block",
        );
    }
    if let Some(op) = ops.get(MAX_OPERATIONS) {
        problems.at(&op.name, "a model has at most 128 operations: move some to a model of their own");
    }
    problems.finish()?;
    let (Some(options), Some(title), Some(start)) = (options, title, starts.into_iter().next()) else {
        return Err(Error::new_spanned(&block.self_ty, "this model is not complete"));
    };
    let mut cleanup = cleanups.into_iter().next();
    for op in ops.iter_mut().chain(&mut cleanup) {
        op.options.executor = options.executor.clone();
    }
    let (abstraction, fingerprint) = (abstractions.into_iter().next(), fingerprints.into_iter().next());
    Ok(Model {
        options,
        block,
        title,
        start,
        ops,
        cleanup,
        invariants,
        covers,
        terminals,
        abstraction,
        fingerprint,
    })
}

/// The last name in the model's type.
fn title(ty: &Type) -> Result<String> {
    last_name(ty)
        .map(|(name, _)| name.to_string())
        .ok_or_else(|| Error::new_spanned(ty, "a model is a struct or an enum of yours: write its name here"))
}

/// The last name of a path type, and the path.
fn last_name(ty: &Type) -> Option<(&Ident, &Path)> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| (&last.ident, &path.path)),
        Type::Paren(inner) => last_name(&inner.elem),
        Type::Group(inner) => last_name(&inner.elem),
        _ => None,
    }
}
