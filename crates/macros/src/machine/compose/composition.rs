//! Parses the input of `compose! { .. }`.

use super::super::names::list;
use crate::attributes::{OrWrite, Problems};
use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, LitInt, Path, Result, Token, Visibility, bracketed, parenthesized};

/// `pub mod link = sender * receiver; channel data: Send -> Deliver, lossy;`
pub(super) struct Composition {
    pub(super) attributes: Vec<Attribute>,
    pub(super) visibility: Visibility,
    pub(super) name: Ident,
    pub(super) parts: Vec<Part>,
    pub(super) channels: Vec<Wire>,
    /// Operations that all copies do at once.
    pub(super) broadcast: Vec<Ident>,
    /// What is not odd about this machine.
    pub(super) allowed: Vec<Ident>,
}

/// `receivers: 3 receiver`, or `receivers: receiver[3]`
pub(super) struct Part {
    pub(super) name: Ident,
    /// How many, if it is not one.
    pub(super) n_copies: Option<LitInt>,
    /// Whether copies are told apart by their numbers.
    pub(super) has_numbers: bool,
    pub(super) path: Path,
}

/// `channel data: Send | Resend -> Deliver, capacity(2), lossy, duplicating`
pub(super) struct Wire {
    pub(super) name: Ident,
    /// `data[receiver]`: there is one for each of these.
    pub(super) each: Option<Ident>,
    pub(super) from: Vec<Ident>,
    pub(super) to: Vec<Ident>,
    pub(super) capacity: usize,
    pub(super) is_lossy: bool,
    pub(super) is_duplicating: bool,
}

const WRITE: &str = "write `pub mod link = sender * 2 receiver;`, then channels: `channel data: Send -> Deliver, capacity(2), lossy;`";
const MAX_COPIES: usize = 16;
const MAX_CAPACITY: usize = 16;

impl Parse for Composition {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        input.parse::<Token![mod]>().or_write(WRITE)?;
        let name = input.parse().or_write(WRITE)?;
        input.parse::<Token![=]>().or_write(WRITE)?;
        let mut parts = vec![input.parse()?];
        while input.peek(Token![*]) {
            input.parse::<Token![*]>()?;
            parts.push(input.parse()?);
        }
        let (mut channels, mut broadcast, mut allowed) = (Vec::new(), Vec::new(), Vec::new());
        while !input.is_empty() {
            input.parse::<Token![;]>().or_write(WRITE)?;
            if input.is_empty() {
                break;
            }
            let word: Ident = input.parse().or_write(WRITE)?;
            match word.to_string().as_str() {
                "channel" => channels.push(input.parse()?),
                "broadcast" => {
                    broadcast.extend(Punctuated::<Ident, Token![,]>::parse_separated_nonempty(input)?);
                }
                "allow" => {
                    let inside;
                    parenthesized!(inside in input);
                    allowed.extend(Punctuated::<Ident, Token![,]>::parse_terminated(&inside)?);
                }
                _ => {
                    let known = list(&["channel", "broadcast", "allow"]);
                    return Err(Error::new_spanned(
                        &word,
                        format!("`{word}` is not known here; there are {known}"),
                    ));
                }
            }
        }
        Ok(Composition { attributes, visibility, name, parts, channels, broadcast, allowed })
    }
}

impl Parse for Part {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name: Option<Ident> = match input.peek2(Token![:]) && !input.peek2(Token![::]) {
            true => {
                let name = input.parse()?;
                input.parse::<Token![:]>()?;
                Some(name)
            }
            false => None,
        };
        let mut n_copies = if input.peek(LitInt) { Some(input.parse()?) } else { None };
        let path = Path::parse_mod_style(input)
            .or_write("the name of a machine belongs here: `sender * 2 receiver`")?;
        let last = path.segments.last().map(|last| last.ident.clone());
        let name = name.or(last).ok_or_else(|| input.error(WRITE))?;
        let has_numbers = input.peek(syn::token::Bracket);
        if has_numbers {
            if n_copies.is_some() {
                return Err(input.error("`3 client` are copies that are alike, `client[3]` have numbers"));
            }
            let inside;
            bracketed!(inside in input);
            n_copies = Some(inside.parse()?);
        }
        Ok(Part { name, n_copies, has_numbers, path })
    }
}

impl Parse for Wire {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        const WRITE: &str = "a channel has a name, the operations that send, and those that receive: `channel data: Send -> Deliver, lossy`";
        let name = input.parse().or_write(WRITE)?;
        let mut each = None;
        if input.peek(syn::token::Bracket) {
            let inside;
            bracketed!(inside in input);
            each = Some(
                inside
                    .parse()
                    .or_write("the part belongs here of which each copy has a channel: `data[client]`")?,
            );
        }
        input.parse::<Token![:]>().or_write(WRITE)?;
        let from = Punctuated::<Ident, Token![|]>::parse_separated_nonempty(input).or_write(WRITE)?;
        input.parse::<Token![->]>().or_write(WRITE)?;
        let to = Punctuated::<Ident, Token![|]>::parse_separated_nonempty(input).or_write(WRITE)?;
        let (from, to) = (from.into_iter().collect(), to.into_iter().collect());
        let mut wire = Wire { name, each, from, to, capacity: 1, is_lossy: false, is_duplicating: false };
        while input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
            let word: Ident = input.parse().or_write(WRITE)?;
            match word.to_string().as_str() {
                "capacity" => {
                    let inside;
                    parenthesized!(inside in input);
                    let n: LitInt = inside.parse()?;
                    wire.capacity = n.base10_parse()?;
                    if !(1..=MAX_CAPACITY).contains(&wire.capacity) {
                        let message = format!("a channel holds 1 to {MAX_CAPACITY} messages");
                        return Err(Error::new_spanned(n, message));
                    }
                }
                "lossy" => wire.is_lossy = true,
                "duplicating" => wire.is_duplicating = true,
                _ => {
                    let known = list(&["capacity(2)", "lossy", "duplicating"]);
                    let message = format!("a channel cannot be `{word}`; there are {known}");
                    return Err(Error::new_spanned(word, message));
                }
            }
        }
        Ok(wire)
    }
}

impl Composition {
    /// Says what is wrong whatever the machines are.
    pub(super) fn diagnose(&self) -> Result<()> {
        let mut problems = Problems::default();
        let names: Vec<&Ident> = self
            .parts
            .iter()
            .map(|part| &part.name)
            .chain(self.channels.iter().map(|wire| &wire.name))
            .collect();
        for (k, name) in names.iter().enumerate() {
            if names[..k].contains(name) {
                let message =
                    format!("two parts are called `{name}`: give one another name, as in `other: {name}`");
                problems.at(name, message);
            }
        }
        for n in self.parts.iter().filter_map(|part| part.n_copies.as_ref()) {
            if !n.base10_parse::<usize>().is_ok_and(|n| (1..=MAX_COPIES).contains(&n)) {
                problems.at(n, format!("there are 1 to {MAX_COPIES} copies of a machine"));
            }
        }
        for wire in &self.channels {
            if let Some(each) = &wire.each
                && self.numbered(each).is_none()
            {
                let message =
                    format!("`{each}` is no part with numbers: write `{each}[3]` where the parts stand");
                problems.at(each, message);
            }
        }
        problems.finish()
    }

    /// The part of this name, if its copies have numbers.
    pub(super) fn numbered(&self, name: &Ident) -> Option<&Part> {
        self.parts.iter().find(|part| part.has_numbers && part.name == *name)
    }
}

impl Part {
    /// Whether there are copies that nothing tells apart.
    pub(super) fn is_alike(&self) -> bool {
        self.n_copies.is_some() && !self.has_numbers
    }

    pub(super) fn n(&self) -> Option<usize> {
        self.n_copies.as_ref().and_then(|n| n.base10_parse().ok())
    }
}
