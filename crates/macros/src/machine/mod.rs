//! `#[machine]`: turns a module with states, operations and one transition function into a typestate API, and
//! into everything else that follows from it.
//!
//! `arms` reads the transition function into a table of arms, `argument_use` and `numbers` read which
//! arguments it distinguishes. The rest is written from that: `types` the module's types, `lift` the
//! transition function as it is compiled, `values` functions on data for const evaluation, `handles` the
//! typestate API, `tracked` the fields that are part of a type, `walk` drawing and exploring, `calls` the
//! calls of drivers, `describe` the data for tests and pictures. There is no second model: all of it calls
//! the one `next`.

mod argument_use;
mod arms;
mod calls;
mod compose;
mod describe;
mod door;
mod handles;
#[cfg(test)]
mod hygiene;
mod kinds;
mod lift;
mod loops;
mod names;
mod numbers;
mod options;
mod patterns;
mod picture;
mod resolve_variants;
mod results;
mod syntax;
#[cfg(test)]
mod tests;
mod tracked;
mod types;
mod unknown_names;
mod values;
mod walk;

use crate::attributes::{Problems, weight};
use crate::home::Home;
pub(crate) use argument_use::Use;
use argument_use::Uses;
pub(crate) use arms::Literals;
use arms::{Arm, Next};
pub(crate) use compose::{compose, composed};
pub(crate) use describe::tidy;
pub(crate) use kinds::Kind;
use kinds::Types;
use names::snake;
pub(crate) use names::{guess, list};
use options::{ALLOWED, Options};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::collections::BTreeMap;
use syn::{Attribute, Error, Expr, Field, Fields, Item, ItemEnum, ItemFn, ItemMod, ItemStruct};
use syn::{Pat, Result, Type, Visibility};
pub(crate) use syntax::{is_comparison, is_variable};
use tracked::Tracked;

/// The module with everything that follows from it, or what is wrong with it.
pub(crate) fn machine(options: TokenStream, item: TokenStream, home: Home) -> TokenStream {
    let module: ItemMod = match syn::parse2(item) {
        Ok(module) => module,
        Err(error) => {
            let write = "`#[machine]` belongs on a module: `#[machine(start = Idle)] pub mod door { .. }`";
            return Error::new(error.span(), write).into_compile_error();
        }
    };
    let declared = door::declaration(&options, &module);
    let read = syn::parse2(options).and_then(|options| Machine::read(options, module.clone(), home));
    match read.map(|machine| Machine { declared, ..machine }) {
        Ok(machine) => home.reached(expand(&machine)),
        Err(mistake) => door::expand(&module, mistake),
    }
}

/// A state: a variant of `State`.
struct State {
    name: Ident,
    docs: Vec<Attribute>,
    fields: Fields,
    /// Whether a machine may end here.
    is_terminal: bool,
    tracked: Vec<Tracked>,
}

/// An operation: a variant of `Op`.
struct Op {
    name: Ident,
    docs: Vec<Attribute>,
    fields: Fields,
    weight: u32,
    /// Which field is the result, which the environment decides.
    ret: Option<usize>,
}

impl Op {
    fn method(&self) -> Ident {
        let name = snake(&self.name.to_string());
        // `Break` and `Move` are good names for operations; their methods are `r#break` and `r#move`.
        let is_word = syn::parse_str::<Ident>(&name).is_err();
        if is_word { Ident::new_raw(&name, self.name.span()) } else { Ident::new(&name, self.name.span()) }
    }

    /// The names by which its fields are bound.
    fn names(&self) -> Vec<Ident> {
        self.fields.iter().enumerate().map(|(k, field)| binding(field, k)).collect()
    }

    /// Names for its fields that nothing else has.
    fn hidden_names(&self) -> Vec<Ident> {
        (0..self.fields.len()).map(hidden).collect()
    }

    /// The patterns of its fields in a pattern of it; nothing where it cannot be told.
    fn patterns<'p>(&self, pattern: &'p Pat) -> Option<Vec<Option<&'p Pat>>> {
        let names: Vec<Option<Ident>> = self.fields.iter().map(|field| field.ident.clone()).collect();
        patterns::field_patterns(pattern, &names)
    }

    /// The parameters of its method: with the result, if the caller passes that.
    fn parameters(&self, with_result: bool) -> Vec<TokenStream> {
        let typed = self.names().into_iter().zip(&self.fields).enumerate();
        let kept = typed.filter(|(k, _)| with_result || self.ret != Some(*k));
        kept.map(|(_, (name, Field { ty, .. }))| quote!(#name: #ty)).collect()
    }

    /// Of names for the fields, those of the arguments.
    fn arguments<'n>(&self, names: &'n [Ident]) -> Vec<&'n Ident> {
        names.iter().enumerate().filter(|(k, _)| self.ret != Some(*k)).map(|(_, name)| name).collect()
    }

    /// The type of its result, if there is one.
    fn result(&self) -> Option<&Type> {
        self.fields.iter().nth(self.ret?).map(|field| &field.ty)
    }

    /// The operation with these names for its fields, as a pattern or an expression.
    fn with(&self, names: &[Ident]) -> TokenStream {
        let (name, values) = (&self.name, names.iter().map(ToTokens::to_token_stream).collect::<Vec<_>>());
        with_fields(quote!(Op::#name), &self.fields, &values)
    }
}

/// The name under which a field is bound.
fn binding(field: &Field, k: usize) -> Ident {
    field.ident.clone().unwrap_or_else(|| format_ident!("f{k}"))
}

/// A name for a field that no field has.
fn hidden(k: usize) -> Ident {
    format_ident!("__field_{k}")
}

/// A variant with its fields, as a pattern or an expression: `Name { a, b }`, `Name(f0, f1)`.
fn with_fields(path: TokenStream, fields: &Fields, values: &[TokenStream]) -> TokenStream {
    match fields {
        Fields::Unit => path,
        Fields::Unnamed(_) => quote!(#path(#(#values),*)),
        Fields::Named(named) => {
            let names = named.named.iter().map(|field| &field.ident);
            quote!(#path { #(#names: #values),* })
        }
    }
}

/// A machine as it was written.
struct Machine {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    start: Expr,
    start_state: Ident,
    allowed: Vec<Ident>,
    states: Vec<State>,
    ops: Vec<Op>,
    /// All enums and structs of the module, with the derives they need.
    enums: Vec<ItemEnum>,
    structs: Vec<ItemStruct>,
    aliases: BTreeMap<String, Type>,
    next: Next,
    options: Option<ItemFn>,
    arms: Vec<Arm>,
    /// Arms that lead nowhere.
    refused: Vec<Arm>,
    /// Whole numbers that the machine's functions mention, as expressions.
    literals: Vec<TokenStream>,
    last_character: char,
    uses: Uses,
    home: Home,
    /// A number that no other machine has.
    unique: u64,
    /// Everything else in the module.
    rest: Vec<Item>,
    /// What is known of it if it was composed.
    system: Option<compose::System>,
    /// The machine as it was written, for machines of which it is a part.
    declared: TokenStream,
}

impl Machine {
    fn read(mut options: Options, mut module: ItemMod, home: Home) -> Result<Self> {
        let (name, unique) = (module.ident.clone(), door::unique(&module));
        let missing = |what: &str| Error::new_spanned(&name, format!("the machine `{name}` needs {what}"));
        let Some((_, items)) = module.content.take() else {
            return Err(missing("its content here: `mod door { .. }`, not `mod door;`"));
        };
        let (mut enums, mut structs, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        let (mut next, mut options_fn, mut aliases) = (None, None, BTreeMap::new());
        for item in items {
            match item {
                Item::Enum(item) => enums.push(item),
                Item::Struct(item) => structs.push(item),
                Item::Fn(item) if item.sig.ident == "next" => next = Some(item),
                Item::Fn(item) if item.sig.ident == "options" => options_fn = Some(item),
                Item::Type(item) => {
                    aliases.insert(item.ident.to_string(), (*item.ty).clone());
                    rest.push(Item::Type(item));
                }
                item => rest.push(item),
            }
        }
        let find = |wanted: &str| enums.iter().find(|e| e.ident == wanted);
        let state = find("State").ok_or_else(|| missing("`pub enum State { .. }`"))?;
        let op = find("Op").ok_or_else(|| missing("`pub enum Op { .. }`"))?;
        let mut next: ItemFn =
            next.ok_or_else(|| missing("`fn next(s: State, op: Op) -> State { match (s, op) { .. } }`"))?;
        let mut problems = Problems::default();
        let states =
            state.variants.iter().map(|variant| read_state(variant, &mut problems)).collect::<Vec<_>>();
        let ops = op.variants.iter().map(|variant| read_op(variant, &mut problems)).collect::<Vec<_>>();
        for item in enums.iter().filter(|e| !e.generics.params.is_empty()) {
            problems.at(
                &item.generics,
                "the types of a machine have no parameters: write out the type that is meant",
            );
        }
        if let Some(options) = &options_fn {
            diagnose_options(options, &mut problems);
        }
        problems.finish()?;
        let types = Types { enums: &enums, structs: &structs, aliases: &aliases };
        [Some(&mut next), options_fn.as_mut()]
            .into_iter()
            .flatten()
            .for_each(|f| resolve_variants::in_function(f, types));
        for item in &mut rest {
            if let Item::Fn(helper) = item {
                resolve_variants::in_function(helper, types);
                let uses = uses(&enums);
                helper.block.stmts.insert(0, syn::parse_quote!(#uses));
            }
        }
        resolve_variants::in_state(&mut options.start, types);
        let names: Vec<&Ident> = states.iter().map(|state| &state.name).collect();
        let start_state = arms::state_of(&options.start, &names)?;
        let mut next = Next::read(&next)?;
        let numbers = numbers::read(&next, &rest);
        let uses = Uses::read(&next, types, &rest);
        loops::bound(&name, &mut next, options_fn.as_mut(), &mut rest);
        let (arms, refused) = arms::read(&next, &states, &ops, &types)?;
        let mut problems = Problems::default();
        unknown_names::diagnose(&next, options_fn.as_ref(), (&enums, &structs, &rest), &mut problems);
        problems.finish()?;
        let mut machine = Machine {
            attributes: module.attrs,
            visibility: module.vis,
            start: options.start,
            allowed: options.allowed,
            start_state,
            name,
            states,
            ops,
            enums: Vec::new(),
            structs: Vec::new(),
            aliases,
            literals: numbers.all,
            last_character: numbers.last_character,
            uses,
            home,
            unique,
            next,
            options: options_fn,
            arms,
            refused,
            rest,
            system: None,
            declared: TokenStream::new(),
        };
        (machine.enums, machine.structs) = (enums, structs);
        machine.diagnose()?;
        Ok(machine)
    }

    /// A machine that was composed, with what its parts know.
    fn read_system(
        options: TokenStream,
        module: TokenStream,
        mut system: compose::System,
        declared: TokenStream,
        home: Home,
    ) -> Result<Self> {
        let machine = Machine::read(syn::parse2(options)?, syn::parse2(module)?, home)?;
        let (uses, last_character) = (std::mem::take(&mut system.uses), system.last_character);
        Ok(Machine { uses, last_character, system: Some(system), declared, ..machine })
    }

    fn diagnose(&self) -> Result<()> {
        let mut problems = Problems::default();
        for op in &self.ops {
            if !self.arms.iter().any(|arm| arm.op == op.name) {
                let message = format!(
                    "the operation `{}` is in no transition of `next`: write an arm for it, or leave it out",
                    op.name
                );
                problems.at(&op.name, message);
            }
        }
        for item in &self.enums {
            for variant in &item.variants {
                if ["Some", "None", "Ok", "Err"].iter().any(|taken| variant.ident == taken) {
                    let message = format!(
                        "`{}` is Rust's own name: in a machine, give this variant another name",
                        variant.ident
                    );
                    problems.at(&variant.ident, message);
                }
                problems.value(weight(&variant.attrs));
            }
        }
        self.diagnose_results(&mut problems);
        values::diagnose(self, &mut problems);
        tracked::diagnose(self, &mut problems);
        problems.finish()
    }

    fn types(&self) -> Types<'_> {
        Types { enums: &self.enums, structs: &self.structs, aliases: &self.aliases }
    }

    fn position(&self, state: &Ident) -> usize {
        self.states.iter().position(|known| known.name == *state).expect("arms name states that exist")
    }

    fn state(&self, name: &Ident) -> &State {
        &self.states[self.position(name)]
    }

    fn op(&self, name: &Ident) -> &Op {
        self.ops.iter().find(|op| op.name == *name).expect("arms name operations that exist")
    }

    /// The arms for an operation in a state, in order.
    fn arms_of<'m>(&'m self, state: &'m Ident, op: &'m Ident) -> impl Iterator<Item = &'m Arm> + Clone {
        self.arms.iter().filter(move |arm| arm.state == *state && arm.op == *op)
    }

    fn is_possible(&self, state: &Ident, op: &Ident) -> bool {
        self.arms_of(state, op).next().is_some()
    }

    /// Whether an operation is called like this.
    fn has_method(&self, name: &str) -> bool {
        self.ops.iter().any(|op| snake(&op.name.to_string()) == name)
    }

    /// A pattern of the states in which nothing is possible, if there are any.
    fn ends(&self) -> Option<TokenStream> {
        let is_end = |state: &&State| !self.ops.iter().any(|op| self.is_possible(&state.name, &op.name));
        let ends: Vec<&Ident> = self.states.iter().filter(is_end).map(|state| &state.name).collect();
        (!ends.is_empty()).then(|| quote!(#(State::#ends { .. })|*))
    }

    fn refused_of<'m>(&'m self, state: &'m Ident, op: &'m Ident) -> impl Iterator<Item = &'m Arm> + Clone {
        self.refused.iter().filter(move |arm| arm.state == *state && arm.op == *op)
    }

    /// The states in which an operation is possible, for messages: with what it takes, where not all
    /// data of the state do.
    fn where_possible(&self, op: &Ident) -> String {
        let mut places: Vec<String> = Vec::new();
        for state in self.states.iter().filter(|s| self.is_possible(&s.name, op)) {
            let arms = || self.arms_of(&state.name, op);
            if arms().any(|arm| arm.is_plain) {
                places.push(state.name.to_string());
                continue;
            }
            for arm in arms() {
                let mut place = match &arm.state_pattern {
                    pat @ (Pat::Struct(_) | Pat::TupleStruct(_)) => tidy(pat),
                    _ => state.name.to_string(),
                };
                if arm.is_guarded() {
                    place += &format!(" if {}", arm.condition());
                }
                if !places.contains(&place) {
                    places.push(place);
                }
            }
        }
        places.join(", ")
    }

    /// The operations that lead to a state from another one, for messages.
    fn ways_to(&self, state: &Ident) -> String {
        let mut ways: Vec<String> = Vec::new();
        for arm in self.arms.iter().filter(|arm| arm.state != *state) {
            let way = format!("`{}` in {}", self.op(&arm.op).method(), arm.state);
            if arm.targets.iter().any(|target| target.state == *state) && !ways.contains(&way) {
                ways.push(way);
            }
        }
        ways.join(", ")
    }

    /// Brings the names of all variants into scope, as `next` uses them.
    fn uses(&self) -> TokenStream {
        uses(&self.enums)
    }

    fn allows(&self, what: &str) -> bool {
        self.allowed.iter().any(|word| word == what)
    }
}

/// `options` is called with the state and the choices.
fn diagnose_options(options: &ItemFn, problems: &mut Problems) {
    if options.sig.inputs.len() != 2 || matches!(options.sig.output, syn::ReturnType::Default) {
        problems.at(
            &options.sig,
            "`options` draws one operation: write `fn options(s: State, c: &mut Choices) -> Op { .. }`, with `use stairway::generate::Choices;`",
        );
    }
}

/// Brings the names of all variants into scope.
fn uses(enums: &[ItemEnum]) -> TokenStream {
    let enums = enums.iter().map(|item| &item.ident);
    quote!(#[allow(unused_imports)] use self::{#(#enums::*),*};)
}

fn docs(attributes: &[Attribute]) -> Vec<Attribute> {
    attributes.iter().filter(|a| a.path().is_ident("doc")).cloned().collect()
}

fn read_state(variant: &syn::Variant, problems: &mut Problems) -> State {
    let tracked = problems.value(tracked::read(&variant.fields)).unwrap_or_default();
    State {
        name: variant.ident.clone(),
        docs: docs(&variant.attrs),
        fields: variant.fields.clone(),
        is_terminal: variant.attrs.iter().any(|a| a.path().is_ident("terminal")),
        tracked,
    }
}

fn read_op(variant: &syn::Variant, problems: &mut Problems) -> Op {
    let is_ret = |field: &Field| {
        field.ident.as_ref().is_some_and(|name| name == "ret")
            || field.attrs.iter().any(|a| a.path().is_ident("ret"))
    };
    let mut rets = variant.fields.iter().enumerate().filter(|(_, field)| is_ret(field));
    let ret = rets.next().map(|(k, _)| k);
    if let Some((_, second)) = rets.next() {
        problems.at(second, "an operation has one result: put both into a struct");
    }
    Op {
        name: variant.ident.clone(),
        docs: docs(&variant.attrs),
        fields: variant.fields.clone(),
        weight: problems.value(weight(&variant.attrs)).flatten().unwrap_or(1),
        ret,
    }
}

fn expand(machine: &Machine) -> TokenStream {
    let Machine { attributes, visibility, name, rest, .. } = machine;
    let types = types::types(machine);
    let transitions = lift::expand(machine);
    let values = values::expand(machine);
    let walk = walk::expand(machine);
    let calls = calls::expand(machine);
    let handles = handles::expand(machine);
    let markers = tracked::markers(machine);
    // What tests need.
    let description = (machine.home == Home::Stairway).then(|| describe::expand(machine));
    let picture = describe::documentation(machine);
    let arguments = match values::computed_arguments(machine) {
        none if none.is_empty() => "arguments of an operation".to_string(),
        some => format!("the arguments {some}"),
    };
    let door = door::door(name, machine.unique, Some((&machine.declared, &arguments)));
    let names = types::names_for_formulas(machine);
    quote! {
        #(#attributes)*
        #picture
        #[allow(dead_code, non_shorthand_field_patterns, unreachable_pub, clippy::all, clippy::pedantic, missing_docs, missing_debug_implementations, missing_copy_implementations)]
        #visibility mod #name {
            #(#rest)*
            #types
            #transitions
            #values
            #walk
            #calls
            #handles
            #markers
            #description
            #names
            #door
        }
    }
}
