//! A machine as data: for tests, for drivers, for pictures and for its documentation.

use super::arms::Arm;
use super::handles::method_name;
use super::walk::weights;
use super::{Machine, Op};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let name = machine.name.to_string();
    let states = machine.states.iter().map(|state| state.name.to_string());
    let ops = machine.ops.iter().map(method_name);
    let terminal = machine.states.iter().map(|state| state.is_terminal);
    let transitions = edges(machine).into_iter().map(|Edge { from, op, to, label }| {
        quote!(::stairway::machine::Transition { from: #from, op: #op, to: #to, label: #label })
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

/// A transition between states, by positions.
pub(super) struct Edge {
    pub(super) from: usize,
    op: usize,
    pub(super) to: usize,
    pub(super) label: String,
}

/// Where each arm leads.
pub(super) fn edges(machine: &Machine) -> Vec<Edge> {
    let mut edges = Vec::new();
    for arm in &machine.arms {
        let op = machine.ops.iter().position(|op| op.name == arm.op).unwrap_or(0);
        let (from, label) = (machine.position(&arm.state), label(arm, &machine.ops[op]));
        let to = arm.targets.iter().map(|target| machine.position(&target.state));
        edges.extend(to.map(|to| Edge { from, op, to, label: label.clone() }));
    }
    edges
}

/// What stands at an edge: the operation, its result and its guard.
fn label(arm: &Arm, op: &Op) -> String {
    let mut text = method_name(op);
    let result = op.patterns(&arm.op_pattern).zip(op.ret).and_then(|(patterns, ret)| patterns[ret]);
    if let Some(result) =
        result.map(|result| tidy(result)).filter(|text| text.starts_with(char::is_uppercase))
    {
        text += &format!(" / {result}");
    }
    if arm.is_guarded() {
        text += &format!(" [{}]", arm.condition());
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
    for Edge { from, to, label, .. } in edges(machine) {
        let [from, to] = [from, to].map(|k| machine.states[k].name.to_string());
        let line = format!("{from:width$} -- {label} --> {to}\n");
        if !text.contains(&line) {
            text += &line;
        }
    }
    text += "```";
    let picture = super::picture::documentation(machine);
    quote!(#picture #[doc = ""] #[doc = #text])
}
