//! Drawing steps, exploring states, and saying what is odd about a machine: functions that call the
//! machine's `next` in const evaluation, because no function of the library can.
//!
//! Receives the machine as it was read, hands on functions over a pair of state and operation that is
//! changed in place: `draw` makes steps, `explore` goes through all of them, `odd` looks at what was found,
//! `show` writes it down.

mod draw;
mod explore;
mod odd;
mod show;

use super::Machine;
pub(super) use draw::weights;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let draw = draw::expand(machine);
    let explore = explore::expand(machine);
    let odd = odd::expand(machine);
    let show = show::expand(machine);
    quote!(#draw #explore #odd #show)
}
