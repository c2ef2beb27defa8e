//! What a test says of its bindings: declarations of its own, and `bind` with patterns and shapes.
//!
//! Declarations are not looked into further than for their names; it knows nothing of C.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use std::collections::BTreeMap;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Ident, LitStr, Result, Token, braced, bracketed, parenthesized};

/// Everything that stands in a `library!`.
pub(crate) struct BindingRequest {
    /// The path of `stairway_c`.
    pub(crate) root: TokenStream,
    pub(crate) files: TokenStream,
    pub(crate) flags: TokenStream,
    /// The declarations, as they were written.
    pub(crate) declarations: TokenStream,
    pub(crate) own: OwnDeclarations,
    pub(crate) binds: Vec<Bind>,
}

/// What the test declares itself, by names of C; bindings leave it alone.
#[derive(Default)]
pub(crate) struct OwnDeclarations {
    pub(crate) functions: BTreeMap<String, Ident>,
    pub(crate) mocks: BTreeMap<String, Ident>,
    pub(crate) types: BTreeMap<String, Ident>,
}

/// `bind "pattern", .. { shapes }`
pub(crate) struct Bind {
    pub(crate) span: Span,
    /// Without any, everything is meant.
    pub(crate) patterns: Vec<LitStr>,
    pub(crate) shapes: Vec<Shape>,
}

/// What C does not say of a function: `name(values[n], out value) -> owned free;`
pub(crate) struct Shape {
    pub(crate) name: Ident,
    pub(crate) parameters: Vec<ParameterShape>,
    pub(crate) result: Option<ResultShape>,
}

pub(crate) enum ParameterShape {
    /// A pointer and how many elements there are, as one slice.
    Slice { pointer: Ident, length: Ident },
    /// A pointer to which the function writes a result.
    Out(Ident),
}

pub(crate) enum ResultShape {
    /// The caller owns it, and frees it with this function.
    Owned(Ident),
    /// Text up to a zero.
    Text(Ident),
}

impl Parse for BindingRequest {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let bracketed = |input: ParseStream<'_>| -> Result<TokenStream> {
            let inside;
            bracketed!(inside in input);
            inside.parse()
        };
        let (root, files, flags) = (bracketed(input)?, bracketed(input)?, bracketed(input)?);
        let mut wanted = BindingRequest {
            root,
            files,
            flags,
            declarations: TokenStream::new(),
            own: OwnDeclarations::default(),
            binds: Vec::new(),
        };
        while !input.is_empty() {
            if is_bind(input) {
                wanted.binds.push(input.parse()?);
            } else {
                expect_declaration(input)?;
                let item = one_declaration(input)?;
                wanted.own.note(&item);
                wanted.declarations.extend(item);
            }
        }
        Ok(wanted)
    }
}

fn is_bind(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    ahead.parse::<Ident>().is_ok_and(|word| word == "bind")
}

/// Refuses what is no declaration, before it becomes a mistake that `macro_rules` finds.
fn expect_declaration(input: ParseStream<'_>) -> Result<()> {
    const WORDS: [&str; 4] = ["struct", "enum", "fn", "mock"];
    let ahead = input.fork();
    ahead.call(syn::Attribute::parse_outer)?;
    match ahead.call(Ident::parse_any) {
        Ok(word) if WORDS.iter().any(|known| word == known) => Ok(()),
        Ok(word) if word == "files" || word == "flags" => {
            Err(syn::Error::new(word.span(), "`files` and then `flags` stand at the beginning, once each"))
        }
        _ => Err(ahead.error("expected `bind`, `struct`, `enum`, `fn` or `mock fn`")),
    }
}

/// The tokens up to and with a `;`, or a struct's braces.
fn one_declaration(input: ParseStream<'_>) -> Result<Vec<TokenTree>> {
    let mut item = Vec::new();
    while !input.is_empty() {
        let token: TokenTree = input.parse()?;
        let is_end = match &token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            _ => false,
        };
        item.push(token);
        if is_end {
            break;
        }
    }
    Ok(item)
}

impl OwnDeclarations {
    fn note(&mut self, item: &[TokenTree]) {
        let is_attribute = |k: usize| {
            matches!(&item[k], TokenTree::Punct(p) if p.as_char() == '#') || (k > 0 && is_hash(&item[k - 1]))
        };
        let words: Vec<&TokenTree> =
            (0..item.len()).filter(|k| !is_attribute(*k)).map(|k| &item[k]).collect();
        let is = |k: usize, word: &str| matches!(words.get(k), Some(TokenTree::Ident(i)) if i == word);
        let is_mock = is(0, "mock");
        let k = usize::from(is_mock) + 1;
        let Some(TokenTree::Ident(name)) = words.get(k) else { return };
        let link = words.iter().skip(k).skip_while(|t| !is_punct(t, '=')).nth(1);
        let link = link.and_then(|t| syn::parse2::<LitStr>(TokenStream::from((*t).clone())).ok());
        let link = link.map_or_else(|| name.unraw().to_string(), |text| text.value());
        let into = match () {
            () if is_mock => &mut self.mocks,
            () if is(0, "fn") => &mut self.functions,
            () => &mut self.types,
        };
        into.insert(link, name.clone());
    }
}

fn is_punct(token: &TokenTree, c: char) -> bool {
    matches!(token, TokenTree::Punct(p) if p.as_char() == c)
}

fn is_hash(token: &TokenTree) -> bool {
    is_punct(token, '#')
}

impl Parse for Bind {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let word: Ident = input.parse()?;
        let mut bind = Bind { span: word.span(), patterns: Vec::new(), shapes: Vec::new() };
        while input.peek(LitStr) {
            bind.patterns.push(input.parse()?);
            if !input.peek(Token![,]) {
                break;
            }
            input.parse::<Token![,]>()?;
        }
        if input.peek(Token![;]) {
            input.parse::<Token![;]>()?;
            return Ok(bind);
        }
        if !input.peek(syn::token::Brace) {
            return Err(input.error("write `bind;`, `bind \"name_*\";` or `bind { function(..); }`"));
        }
        let inside;
        braced!(inside in input);
        while !inside.is_empty() {
            bind.shapes.push(inside.parse()?);
        }
        Ok(bind)
    }
}

impl Parse for Shape {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.call(Ident::parse_any)?;
        let mut parameters = Vec::new();
        if input.peek(syn::token::Paren) {
            let inside;
            parenthesized!(inside in input);
            let all = inside.parse_terminated(ParameterShape::parse, Token![,])?;
            parameters.extend(all);
        }
        let mut result = None;
        if input.peek(Token![->]) {
            input.parse::<Token![->]>()?;
            result = Some(input.parse()?);
        }
        if parameters.is_empty() && result.is_none() {
            return Err(Error::new(
                name.span(),
                format!(
                    "say something of `{name}`: `{name}(values[n])`, `{name}(out value)`, `{name} -> owned free`"
                ),
            ));
        }
        input.parse::<Token![;]>()?;
        Ok(Shape { name, parameters, result })
    }
}

impl Parse for ParameterShape {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let first = input.call(Ident::parse_any)?;
        if input.peek(syn::token::Bracket) {
            let inside;
            bracketed!(inside in input);
            return Ok(ParameterShape::Slice { pointer: first, length: inside.call(Ident::parse_any)? });
        }
        if first == "out" && input.peek(Ident::peek_any) {
            return Ok(ParameterShape::Out(input.call(Ident::parse_any)?));
        }
        Err(Error::new(
            first.span(),
            "write `values[n]` for a pointer and its length, or `out value` for a result; leave other parameters out",
        ))
    }
}

impl Parse for ResultShape {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let word = input.call(Ident::parse_any)?;
        match &*word.to_string() {
            "owned" => Ok(ResultShape::Owned(input.call(Ident::parse_any)?)),
            "text" => Ok(ResultShape::Text(word)),
            _ => Err(Error::new(
                word.span(),
                "write `-> owned name`, with what frees the result, or `-> text`",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn declarations_are_kept_and_known_by_their_names_in_c() {
        let wanted: BindingRequest = syn::parse2(quote! {
            [stairway_c] ["a.c"] ["-O2"]
            /// A cell.
            struct Cell = "cell" { value: i32 }
            struct file;
            bind "list_*", "set_*" { get(values[n], out r#type) -> owned free; name -> text; }
            fn sum(values: &[u32], n: usize) -> u64 = "c_sum";
            mock fn now() -> u64;
            bind;
        })
        .expect("it is right");
        assert_eq!(wanted.own.types.keys().collect::<Vec<_>>(), ["cell", "file"]);
        assert_eq!(wanted.own.functions.keys().collect::<Vec<_>>(), ["c_sum"]);
        assert_eq!(wanted.own.mocks.keys().collect::<Vec<_>>(), ["now"]);
        assert_eq!(wanted.binds.iter().map(|b| b.patterns.len()).collect::<Vec<_>>(), [2, 0]);
        assert_eq!(wanted.binds[0].shapes.iter().map(|s| s.parameters.len()).collect::<Vec<_>>(), [2, 0]);
        assert!(wanted.declarations.to_string().contains("c_sum"));
    }

    #[test]
    fn what_is_no_bind_says_what_would_be() {
        let said = |items: TokenStream| {
            let wanted: Result<BindingRequest> = syn::parse2(quote! { [stairway_c] ["a.c"] [] #items });
            wanted.err().expect("it is wrong").to_string()
        };
        assert!(said(quote! { bind get; }).starts_with("write `bind;`, `bind \"name_*\";`"));
        assert!(said(quote! { bind { get; } }).starts_with("say something of `get`: `get(values[n])`"));
        assert!(said(quote! { bind { get(value); } }).starts_with("write `values[n]` for a pointer"));
        assert!(said(quote! { bind { get -> free; } }).starts_with("write `-> owned name`"));
    }
}
