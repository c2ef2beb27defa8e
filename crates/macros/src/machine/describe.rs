//! A machine as data: for tests, for drivers, for pictures and for its documentation.

use super::Machine;
use super::arms::Arm;
use super::handles::method_name;
use super::walk::weights;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let name = machine.name.to_string();
    let states = machine.states.iter().map(|state| state.name.to_string());
    let ops = machine.ops.iter().map(method_name);
    let terminal = machine.states.iter().map(|state| state.is_terminal);
    let transitions = machine.arms.iter().flat_map(|arm| {
        let (from, op) = (index_of_state(machine, &arm.state), index_of_op(machine, arm));
        let label = label(machine, arm);
        arm.target_names()
            .into_iter()
            .map(|to| {
                let to = index_of_state(machine, to);
                quote!(::stairway::machine::Transition { from: #from, op: #op, to: #to, label: #label })
            })
            .collect::<Vec<_>>()
    });
    let calls = machine.ops.iter().map(|op| {
        let (method, names) = (op.method(), op.hidden_names());
        let (pattern, arguments) = (op.with(&names), op.arguments(&names));
        let call = quote!(Driver::#method(driver, #(#arguments),*));
        match op.ret.map(|k| &names[k]) {
            Some(ret) => quote!(#pattern => { let _ = #ret; let #ret = #call; #pattern }),
            None => quote!(#pattern => { #call; op }),
        }
    });
    let parts = machine.ops.iter().map(|op| {
        let (names, shown) = (op.hidden_names(), op.names());
        let (pattern, values) = (op.with(&names), op.arguments(&names));
        let texts = op.arguments(&shown).into_iter().map(ToString::to_string);
        let ret = match op.ret.map(|k| &names[k]) {
            Some(ret) => quote!(::std::format!("{:?}", #ret)),
            None => quote!(::std::string::String::new()),
        };
        quote!(#pattern => (::std::vec![#((#texts, ::std::format!("{:?}", #values))),*], #ret),)
    });
    let possible = machine.ops.iter().map(|op| machine.where_possible(&op.name));
    let weights = machine.states.iter().map(|state| {
        let weights = weights(machine, &state.name);
        quote!(&[#(#weights),*])
    });
    let has_options = machine.options.is_some();
    let picture = match &machine.system {
        None => quote!(::stairway::machine::Picture::of::<Machine>()),
        Some(system) => {
            let (titles, parts, summary) = (&system.titles, &system.parts, &system.summary);
            quote!(::stairway::machine::Picture::composed(#name, &[#((#titles, #parts::picture())),*], &[#(#summary),*]))
        }
    };
    quote! {
        /// The machine as a value: its states, operations and transitions.
        pub struct Machine;
        impl ::stairway::machine::Machine for Machine {
            const NAME: &'static str = #name;
            const STATES: &'static [&'static str] = &[#(#states),*];
            const OPS: &'static [&'static str] = &[#(#ops),*];
            const TERMINAL: &'static [bool] = &[#(#terminal),*];
            const TRANSITIONS: &'static [::stairway::machine::Transition] = &[#(#transitions),*];
            const POSSIBLE: &'static [&'static str] = &[#(#possible),*];
            const WEIGHTS: &'static [&'static [u32]] = &[#(#weights),*];
            const HAS_OPTIONS: bool = #has_options;
            ::stairway::__machine_functions! {}
            #[allow(unused_variables)]
            fn parts(op: &Op) -> (::std::vec::Vec<(&'static str, ::std::string::String)>, ::std::string::String) {
                match *op { #(#parts)* }
            }
        }
        #[doc(hidden)]
        #[allow(unused_variables)]
        pub fn __call<D: Driver>(driver: &mut D, op: Op) -> Op { match op { #(#calls)* } }
        /// Tests the system behind the machine: programs of operations are run on a driver, and what it
        /// answers must be what the machine allows.
        pub fn test<D: Driver + 'static>(
            start: impl Fn() -> D + ::core::marker::Send + ::core::marker::Sync + 'static,
        ) -> ::stairway::machine::DriverChecker<Machine, D> {
            ::stairway::machine::DriverChecker::driver(start, __call::<D>)
        }
        /// The machine as a picture.
        pub fn picture() -> ::stairway::machine::Picture { #picture }
    }
}

pub(super) fn index_of_state(machine: &Machine, name: &proc_macro2::Ident) -> usize {
    machine.states.iter().position(|state| state.name == *name).unwrap_or(0)
}

fn index_of_op(machine: &Machine, arm: &Arm) -> usize {
    machine.ops.iter().position(|op| op.name == arm.op).unwrap_or(0)
}

/// What stands at an edge: the operation, its result and its guard.
pub(super) fn label(machine: &Machine, arm: &Arm) -> String {
    let op = machine.ops.iter().find(|op| op.name == arm.op);
    let mut text = op.map(method_name).unwrap_or_default();
    let ret = op.and_then(|op| op.ret.map(|k| op.names().swap_remove(k)));
    if let (Some(ret), syn::Pat::Struct(pattern)) = (ret, &arm.op_pattern) {
        let given =
            pattern.fields.iter().find(|f| matches!(&f.member, syn::Member::Named(member) if *member == ret));
        if let Some(given) = given
            && !matches!(&*given.pat, syn::Pat::Wild(_))
            && tidy(&given.pat).starts_with(char::is_uppercase)
        {
            text += &format!(" / {}", tidy(&given.pat));
        }
    }
    let guards: Vec<String> = arm.guards.iter().map(|guard| tidy(guard)).collect();
    if !guards.is_empty() {
        text += &format!(" [{}]", guards.join(" && "));
    }
    text
}

/// Tokens as a person would write them.
pub(crate) fn tidy(syntax: &dyn ToTokens) -> String {
    let text = syntax.to_token_stream().to_string();
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (from, to) in [
        (" ,", ","),
        (" . ", "."),
        (" ..= ", "..="),
        (" ..,", "..,"),
        (":: ", "::"),
        (" ::", "::"),
        ("( ", "("),
        (" )", ")"),
        (" (", "("),
        ("! ", "!"),
        (" :", ":"),
    ] {
        text = text.replace(from, to);
    }
    for op in ["=", "&&", "||", "|", "<", ">", "!=", "==", "+", "-", "if"] {
        text = text.replace(&format!("{op}("), &format!("{op} ("));
    }
    text.replace("! =", "!=")
}

/// The transitions as part of the module's documentation.
pub(super) fn documentation(machine: &Machine) -> TokenStream {
    if let Some(system) = &machine.system {
        let text = format!("# Operations, and who takes part\n\n```text\n{}\n```", system.summary.join("\n"));
        let picture = super::picture::documentation(machine);
        return quote!(#picture #[doc = ""] #[doc = #text]);
    }
    let mut text = String::from("# Transitions\n\n```text\n");
    let width = machine.states.iter().map(|s| s.name.to_string().len()).max().unwrap_or(0);
    for arm in &machine.arms {
        for to in arm.target_names() {
            let line = format!("{:width$} -- {} --> {to}\n", arm.state.to_string(), label(machine, arm));
            if !text.contains(&line) {
                text += &line;
            }
        }
    }
    text += "```";
    let picture = super::picture::documentation(machine);
    quote!(#picture #[doc = ""] #[doc = #text])
}
