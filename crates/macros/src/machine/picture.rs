//! The machine's picture in its module's documentation.
//!
//! The picture is drawn by `stairway-picture`, as in tests, and stands in a doc attribute that only rustdoc
//! sees.

use super::Machine;
use super::describe::edges;
use proc_macro2::TokenStream;
use quote::quote;
use stairway_picture::Picture;

/// The picture as an attribute of the module.
pub(super) fn documentation(machine: &Machine) -> TokenStream {
    let svg = whole(machine).svg();
    quote!(#[cfg_attr(doc, doc = "")] #[cfg_attr(doc, doc = #svg)])
}

/// The machine, or its parts if it was composed.
fn whole(machine: &Machine) -> Picture {
    match &machine.system {
        Some(system) => {
            Picture::composed(&machine.name.to_string(), system.pictures.clone(), system.summary.clone())
        }
        None => picture(machine),
    }
}

pub(super) fn picture(machine: &Machine) -> Picture {
    let states: Vec<String> = machine.states.iter().map(|state| state.name.to_string()).collect();
    let names: Vec<&str> = states.iter().map(String::as_str).collect();
    let start = machine.position(&machine.start_state);
    let mut picture = Picture::new(&machine.name.to_string(), &names, start);
    let is_terminal = |(k, state): (usize, &super::State)| state.is_terminal.then_some(k);
    picture.terminal = machine.states.iter().enumerate().filter_map(is_terminal).collect();
    edges(machine).iter().for_each(|edge| picture.edge(edge.from, edge.to, &edge.label));
    picture
}
