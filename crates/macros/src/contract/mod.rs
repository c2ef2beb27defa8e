//! `#[contract]`: functions that check what they require and ensure, and can be called at random.
//!
//! An `impl` block or a module is emitted twice: as it was written but for our attributes, and, for tests,
//! with checks and with a description of its functions that programs are made of. The siblings hold the
//! clauses (`clause`), what is known of one function (`function`), the arguments that clauses mention
//! (`entry_values`), clauses that stand inside `cfg_attr` (`conditional`), the checks around it (`checks`), the calls that programs make (`calls`), and what each kind of
//! item becomes (`block`, `foreign`, `expand`).

mod block;
mod calls;
mod checks;
pub(crate) mod clause;
mod closure;
mod conditional;
mod entry_values;
mod expand;
mod foreign;
mod function;

#[cfg(test)]
mod tests;

use crate::attributes::Problems;
use crate::executor::Executor;
use crate::invariant::Returns;
use crate::mistaken;
use crate::operands;
pub(crate) use block::{name_of, named_type};
use foreign::Foreign;
use function::{Function, Owner, UncalledFunction};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{
    AttrStyle, Attribute, Error, Expr, FnArg, ImplItem, ImplItemFn, Item, ItemImpl, ItemMod, ItemTrait,
    Result, Signature, Type, parse_quote,
};

/// The checked block, or what is wrong with it.
pub(crate) fn contract(options: TokenStream, item: TokenStream) -> TokenStream {
    let item = conditional::clauses_in_tests(item);
    match parse(options.clone(), item.clone()).and_then(diagnose) {
        Ok(contract) => expand::expand(&contract),
        Err(error) => mistaken::contract(error, options, item),
    }
}

/// What `#[contract]` was written on.
enum ContractItem {
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
    uncalled: Vec<UncalledFunction>,
    /// The type by which programs know these functions, where it is not the type itself.
    name: Option<Ident>,
    /// Functions that the block has for its clauses alone.
    helpers: Vec<ImplItemFn>,
}

impl Contract {
    /// Whether the invariants of the type may stand in another block.
    fn asks_elsewhere(&self) -> bool {
        matches!(self.plain, Plain::Block(_)) && (self.name.is_some() || self.invariants.is_empty())
    }
}

/// What is checked of the item at a position.
fn function_at(contract: &Contract, k: usize) -> Option<&Function> {
    contract.functions.iter().find(|(at, _)| *at == k).map(|(_, function)| function)
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

fn parse(options: TokenStream, item: TokenStream) -> Result<(ContractItem, Options)> {
    const WRITE: &str = "`#[contract]` goes on an `impl` block or on a module of functions: write \
                         `#[contract] impl Type { .. }` or `#[contract] mod name { .. }`";
    let options = self::options(options)?;
    let written = match (syn::parse2(item.clone())?, options.of.clone()) {
        (Item::Trait(item), Some(of)) => Ok(ContractItem::Foreign(Box::new(of), item)),
        (Item::Trait(item), None) => Err(Error::new_spanned(
            item.ident,
            "whose functions are these? write `#[contract(of = path::Type)]`",
        )),
        (_, Some(of)) => Err(Error::new_spanned(
            of,
            "`of` names the type whose functions a trait lists: write `#[contract(of = Type)] trait Name { .. }`",
        )),
        (Item::Impl(block), None) => return Ok((ContractItem::Block(block), options)),
        (Item::Mod(module), None) => Ok(ContractItem::Module(module)),
        _ => Err(Error::new_spanned(item, WRITE)),
    };
    match (written, options.name) {
        (Ok(_), Some(name)) => Err(Error::new_spanned(
            name,
            "`name` is for a second `impl` block of a type; what is written here has a name: remove this",
        )),
        (written, None) => written.map(|written| (written, Options { name: None, ..options })),
        (Err(error), _) => Err(error),
    }
}

/// What `#[contract(..)]` says.
#[derive(Default)]
struct Options {
    /// The type that a trait is about.
    of: Option<Type>,
    executor: Executor,
    /// The type by which programs know the functions of a block.
    name: Option<Ident>,
}

fn options(options: TokenStream) -> Result<Options> {
    const WRITE: &str = "the options of `#[contract]` are the type that a trait is about, a name for the functions of a further \
                         block, and who runs async functions: write `#[contract(of = path::Type)]`, \
                         `#[contract(name = Queries)]` or `#[contract(executor = tokio)]`";
    let mut read = Options::default();
    let mut executor: Option<Expr> = None;
    let parse = |input: syn::parse::ParseStream<'_>| -> Result<()> {
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            input.parse::<syn::Token![=]>()?;
            match name.to_string().as_str() {
                "of" => read.of = Some(input.parse()?),
                "name" => read.name = Some(input.parse()?),
                "executor" => executor = Some(input.parse()?),
                _ => return Err(Error::new(name.span(), WRITE)),
            }
            if !input.is_empty() {
                input.parse::<syn::Token![,]>()?;
            }
        }
        Ok(())
    };
    if syn::parse::Parser::parse2(parse, options.clone()).is_err() {
        return Err(Error::new_spanned(options, WRITE));
    }
    if let Some(executor) = executor {
        read.executor = Executor::parse(&executor)?;
    }
    Ok(read)
}

fn diagnose((written, options): (ContractItem, Options)) -> Result<Contract> {
    match written {
        ContractItem::Block(block) => diagnose_block(block, options),
        ContractItem::Module(module) => diagnose_module(module, options.executor),
        ContractItem::Foreign(of, item) => foreign::diagnose(*of, options.executor, item),
    }
}

fn diagnose_block(mut block: ItemImpl, options: Options) -> Result<Contract> {
    let mut problems = Problems::default();
    let named = block.trait_.as_ref().and_then(|(path, _)| name_of(&block.self_ty, path));
    let name = options.name.or(named);
    block::name_lifetimes(&mut block);
    for attribute in &mut block.attrs {
        // The block is written again, with other things before it.
        attribute.style = AttrStyle::Outer;
    }
    let of_trait = block.trait_.is_some();
    let owner = Owner::of(&block);
    if !of_trait && !matches!(*block.self_ty, Type::Path(_)) {
        problems.at(&block.self_ty, "contracts are for a struct or an enum of yours: write its name here");
    }
    let (mut functions, mut invariants, mut uncalled) = (Vec::new(), Vec::new(), Vec::new());
    let mut helpers = Vec::new();
    for (k, item) in block.items.iter_mut().enumerate() {
        let ImplItem::Fn(written) = item else { continue };
        // Whoever sees a trait can call all of it.
        let visibility = if of_trait { parse_quote!(pub) } else { written.vis.clone() };
        if is_invariant(&mut problems, &mut written.attrs, &written.sig) {
            // Outside of tests nobody calls it, nor what only it needs.
            written.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
            let returns = Returns::of(&written.sig.output).unwrap_or_default();
            let operands = match returns {
                Returns::Bool => operands::of_function(&written.block),
                _ => Vec::new(),
            };
            invariants.push(Invariant { name: written.sig.ident.clone(), operands, returns });
            if of_trait {
                // It is none of the trait's.
                helpers.push(written.clone());
                *item = ImplItem::Verbatim(TokenStream::new());
            }
            continue;
        }
        let (attributes, block) = (&mut written.attrs, &written.block);
        let function =
            function::diagnose(&mut problems, Some(&owner), attributes, &visibility, &mut written.sig, block);
        uncalled.extend(match &function {
            Some(function) => function.uncalled.clone(),
            None => UncalledFunction::of(Some(&owner), &visibility, &written.sig),
        });
        let function = function.map(|function| if of_trait { function.of_a_trait() } else { function });
        functions.extend(function.map(|function| (k, function)));
    }
    problems.finish()?;
    let (plain, executor) = (Plain::Block(block), options.executor);
    Ok(Contract { plain, functions, invariants, executor, uncalled, name, helpers })
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
            None => UncalledFunction::of(None, visibility, &written.sig),
        });
        functions.extend(function.map(|function| (k, function)));
    }
    problems.finish()?;
    Ok(Contract {
        plain: Plain::Module(module),
        functions,
        invariants: Vec::new(),
        executor,
        uncalled,
        name: None,
        helpers: Vec::new(),
    })
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
