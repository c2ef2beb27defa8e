//! Functions that call the machine's `next` in const evaluation, because no function of the library can.
//!
//! All of them work on a pair of state and operation that is changed in place. `draw` makes steps, `explore`
//! makes all of them, `diagnosis` reports what is odd, `show` prints runs.

mod diagnosis;
mod draw;
mod explore;
mod show;

use super::Machine;
pub(super) use draw::weights;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let draw = draw::expand(machine);
    let explore = explore::expand(machine);
    let diagnosis = diagnosis::expand(machine);
    let show = show::expand(machine);
    quote!(#draw #explore #diagnosis #show)
}
