//! `#[contract]`: functions that check what they require and ensure, and can be called at random.
//!
//! An `impl` block or a module is emitted twice: as it was written but for our attributes, and, for tests,
//! with checks and with a description of its functions that programs are made of. The siblings hold the
//! clauses (`clause`), what is known of one function (`function`) and the expansion (`expand`).

pub(crate) mod clause;
mod expand;
mod foreign;
mod function;

#[cfg(test)]
mod tests;

use crate::attributes::Problems;
use crate::executor::Executor;
use crate::invariant::Returns;
use crate::operands;
use foreign::Foreign;
use function::{Function, Owner, Uncalled};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Attribute, Error, FnArg, ImplItem, Item, ItemImpl, ItemMod, ItemTrait, Result, Signature, Type};

/// The checked block, or what is wrong with it.
pub(crate) fn contract(options: TokenStream, item: TokenStream) -> TokenStream {
    parse(options, item)
        .and_then(diagnose)
        .map_or_else(Error::into_compile_error, |contract| expand::expand(&contract))
}

/// What `#[contract]` was written on.
enum Written {
    Block(ItemImpl),
    Module(ItemMod),
    Foreign(Box<Type>, ItemTrait),
}

/// A block without mistakes.
struct Contract {
    /// The block without our attributes.
    plain: Plain,
    /// For each function of the block, by position, what is checked of it.
    functions: Vec<(usize, Function)>,
    invariants: Vec<Invariant>,
    executor: Executor,
    /// The public functions that programs do not call.
    uncalled: Vec<Uncalled>,
}

/// A condition on every value of a type.
struct Invariant {
    name: Ident,
    /// The parts of it that are shown when it does not hold.
    operands: Vec<(String, TokenStream)>,
    /// What it returns.
    returns: Returns,
}

enum Plain {
    Block(ItemImpl),
    Module(ItemMod),
    Foreign(Box<Foreign>),
}

fn parse(options: TokenStream, item: TokenStream) -> Result<(Written, Executor)> {
    const WRITE: &str = "`#[contract]` goes on an `impl` block or on a module of functions: write \
                         `#[contract] impl Type { .. }` or `#[contract] mod name { .. }`";
    let Options { of, executor } = self::options(options)?;
    let written = match (syn::parse2(item.clone())?, of) {
        (Item::Trait(item), Some(of)) => Ok(Written::Foreign(Box::new(of), item)),
        (Item::Trait(item), None) => Err(Error::new_spanned(
            item.ident,
            "whose functions are these? write `#[contract(of = path::Type)]`",
        )),
        (_, Some(of)) => Err(Error::new_spanned(
            of,
            "`of` names the type whose functions a trait lists: write `#[contract(of = Type)] trait Name { .. }`",
        )),
        (Item::Impl(block), None) => Ok(Written::Block(block)),
        (Item::Mod(module), None) => Ok(Written::Module(module)),
        _ => Err(Error::new_spanned(item, WRITE)),
    };
    written.map(|written| (written, executor))
}

/// What `#[contract(..)]` says.
#[derive(Default)]
struct Options {
    /// The type that a trait is about.
    of: Option<Type>,
    executor: Executor,
}

fn options(options: TokenStream) -> Result<Options> {
    const WRITE: &str = "the options of `#[contract]` are the type that a trait is about and who runs async functions: write \
                         `#[contract(of = path::Type, executor = tokio)]`";
    let mut read = Options::default();
    let parse = |input: syn::parse::ParseStream<'_>| -> Result<()> {
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            input.parse::<syn::Token![=]>()?;
            match name.to_string().as_str() {
                "of" => read.of = Some(input.parse()?),
                "executor" => read.executor = Executor::parse(&input.parse()?)?,
                _ => return Err(Error::new(name.span(), WRITE)),
            }
            if !input.is_empty() {
                input.parse::<syn::Token![,]>()?;
            }
        }
        Ok(())
    };
    match syn::parse::Parser::parse2(parse, options.clone()) {
        Ok(()) => Ok(read),
        Err(error) if error.to_string().contains("`executor` is") => Err(error),
        Err(_) => Err(Error::new_spanned(options, WRITE)),
    }
}

fn diagnose((written, executor): (Written, Executor)) -> Result<Contract> {
    match written {
        Written::Block(block) => diagnose_block(block, executor),
        Written::Module(module) => diagnose_module(module, executor),
        Written::Foreign(of, item) => foreign::diagnose(*of, executor, item),
    }
}

fn diagnose_block(mut block: ItemImpl, executor: Executor) -> Result<Contract> {
    if let Some((path, _)) = &block.trait_ {
        return Err(Error::new_spanned(
            path,
            "nothing can be put around the methods of a trait here: list them for this type instead, as in \
             `#[contract(of = Type)] trait TypeContract { #[ensures(..)] fn next(&mut self) -> Option<u8>; }`",
        ));
    }
    let mut problems = Problems::default();
    let owner = Owner::new(&block.self_ty);
    if owner.is_none() {
        problems.at(&block.self_ty, "contracts are for a struct or an enum of yours: write its name here");
    }
    let (mut functions, mut invariants, mut uncalled) = (Vec::new(), Vec::new(), Vec::new());
    for (k, item) in block.items.iter_mut().enumerate() {
        let ImplItem::Fn(written) = item else { continue };
        if is_invariant(&mut problems, &mut written.attrs, &written.sig) {
            // Outside of tests nobody calls it, nor what only it needs.
            written.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
            let returns = Returns::of(&written.sig.output).unwrap_or_default();
            let operands = match returns {
                Returns::Bool => operands::of_function(&written.block),
                _ => Vec::new(),
            };
            invariants.push(Invariant { name: written.sig.ident.clone(), operands, returns });
            continue;
        }
        let (attributes, visibility, block) = (&mut written.attrs, &written.vis, &written.block);
        let function = function::diagnose(
            &mut problems,
            owner.as_ref(),
            attributes,
            visibility,
            &mut written.sig,
            block,
        );
        uncalled.extend(match &function {
            Some(function) => function.uncalled.clone(),
            None => Uncalled::of(owner.as_ref(), visibility, &written.sig),
        });
        functions.extend(function.map(|function| (k, function)));
    }
    problems.finish()?;
    Ok(Contract { plain: Plain::Block(block), functions, invariants, executor, uncalled })
}

fn diagnose_module(mut module: ItemMod, executor: Executor) -> Result<Contract> {
    let mut problems = Problems::default();
    let (mut functions, mut uncalled) = (Vec::new(), Vec::new());
    let Some((_, items)) = &mut module.content else {
        return Err(Error::new_spanned(
            module,
            "the functions must be in sight: write `#[contract] mod name { .. }` with its contents",
        ));
    };
    for (k, item) in items.iter_mut().enumerate() {
        let Item::Fn(written) = item else { continue };
        for attribute in written.attrs.iter().filter(|a| a.path().is_ident("invariant")) {
            problems.at(
                attribute,
                "an invariant belongs to a type: write it as a method `fn name(&self) -> bool`",
            );
        }
        let (attributes, visibility, block) = (&mut written.attrs, &written.vis, &written.block);
        let function =
            function::diagnose(&mut problems, None, attributes, visibility, &mut written.sig, block);
        uncalled.extend(match &function {
            Some(function) => function.uncalled.clone(),
            None => Uncalled::of(None, visibility, &written.sig),
        });
        functions.extend(function.map(|function| (k, function)));
    }
    problems.finish()?;
    Ok(Contract { plain: Plain::Module(module), functions, invariants: Vec::new(), executor, uncalled })
}

/// Whether the function is an invariant, whose attribute is then removed.
fn is_invariant(problems: &mut Problems, attributes: &mut Vec<Attribute>, signature: &Signature) -> bool {
    const WRITE: &str = "an invariant looks at a value and says whether it is sound: write \
                         `#[invariant] fn name(&self) -> bool { .. }`, or `-> Result<(), E>`, or nothing and `assert!`";
    let before = attributes.len();
    for attribute in attributes.iter().filter(|a| a.path().is_ident("invariant")) {
        if let Err(error) = attribute.meta.require_path_only() {
            problems.add(Error::new(error.span(), WRITE));
        }
    }
    attributes.retain(|a| !a.path().is_ident("invariant"));
    if attributes.len() == before {
        return false;
    }
    for attribute in attributes.iter().filter(|a| function::is_ours(a)) {
        problems.at(attribute, "an invariant has no contract of its own: remove this attribute");
    }
    let sees_self = matches!(signature.inputs.first(), Some(FnArg::Receiver(receiver))
        if matches!(receiver.kind, syn::ReceiverKind::Reference(_, _, None)));
    let is_verdict = Returns::of(&signature.output).is_some();
    let is_plain = signature.asyncness.is_none() && signature.generics.params.is_empty();
    if !sees_self || !is_verdict || signature.inputs.len() != 1 || !is_plain {
        problems.at(signature, WRITE);
    }
    true
}

/// Whether two types are written alike.
fn is_same(a: &Type, b: &Type) -> bool {
    a.to_token_stream().to_string() == b.to_token_stream().to_string()
}
