//! The outer form of `stairway_c::library!`: which files, with which flags, in which module.
//!
//! Takes the macro's tokens apart, or says what is written wrongly and where. What stands behind files and
//! flags is `request.rs`'s.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, Expr, Ident, Lit, Result, Token, Visibility, braced, bracketed};

const FORM: &str = "write `mod c = \"file.c\";`, or `mod c { files: \"file.c\"; bind; }` to say more";
const FILES: &str = "name the C files first: `files: \"a.c\", \"b.c\";`";
const FLAGS: &str = "flags are texts with commas between them: `flags: \"-DNAME=1\", \"-Iinclude\";`";

/// A library's module.
pub(crate) struct Module {
    root: TokenStream,
    attributes: Vec<Attribute>,
    vis: Visibility,
    name: Ident,
    files: Vec<Expr>,
    flags: Vec<Expr>,
    items: TokenStream,
}

impl Module {
    /// For the part of the macro that is the same for all libraries.
    pub(crate) fn expand(&self) -> TokenStream {
        let Module { root, attributes, vis, name, files, flags, items } = self;
        quote! {
            #root::__library_module! { [#(#attributes)*] [#vis mod] #name [#(#files),*] [#(#flags),*] #items }
        }
    }
}

impl Parse for Module {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let crate_path;
        bracketed!(crate_path in input);
        let root = crate_path.parse()?;
        let attributes = input.call(Attribute::parse_outer)?;
        let vis: Visibility = input.parse()?;
        if !input.peek(Token![mod]) {
            return Err(input.error(FORM));
        }
        input.parse::<Token![mod]>()?;
        let name: Ident = input.parse()?;
        let mut module = Module {
            root,
            attributes,
            vis,
            name,
            files: Vec::new(),
            flags: Vec::new(),
            items: TokenStream::new(),
        };
        if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            module.files = texts(input, FORM)?;
            module.items = quote!(bind;);
        } else if input.peek(syn::token::Brace) {
            let inside;
            braced!(inside in input);
            module.inside(&inside)?;
        } else {
            return Err(input.error(FORM));
        }
        if !input.is_empty() {
            return Err(input.error("one module for each `library!`"));
        }
        Ok(module)
    }
}

impl Module {
    fn inside(&mut self, input: ParseStream<'_>) -> Result<()> {
        if !is_key(input, "files") {
            return Err(input.error(FILES));
        }
        key(input)?;
        self.files = texts(input, FILES)?;
        if is_key(input, "flags") {
            key(input)?;
            self.flags = texts(input, FLAGS)?;
        }
        self.items = input.parse()?;
        Ok(())
    }
}

/// `word:` ahead.
fn is_key(input: ParseStream<'_>, word: &str) -> bool {
    let ahead = input.fork();
    ahead.parse::<Ident>().is_ok_and(|found| found == word) && ahead.peek(Token![:])
}

fn key(input: ParseStream<'_>) -> Result<()> {
    input.parse::<Ident>()?;
    input.parse::<Token![:]>().map(drop)
}

/// Texts with commas between them, up to and with the `;`.
fn texts(input: ParseStream<'_>, help: &str) -> Result<Vec<Expr>> {
    let mut all = Vec::new();
    while !input.peek(Token![;]) {
        if input.is_empty() {
            return Err(input.error(format!("a `;` is missing; {help}")));
        }
        let text: Expr = input.parse().map_err(|error| Error::new(error.span(), help))?;
        let is_text = match &text {
            Expr::Lit(literal) => matches!(literal.lit, Lit::Str(_)),
            // A constant, or a macro such as `concat!`.
            Expr::Path(_) | Expr::Macro(_) | Expr::Group(_) => true,
            _ => false,
        };
        if !is_text {
            return Err(Error::new_spanned(text, help));
        }
        all.push(text);
        if input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
        } else if !input.peek(Token![;]) {
            return Err(input.error(format!("a `,` or `;` is missing; {help}")));
        }
    }
    let end = input.parse::<Token![;]>()?;
    if all.is_empty() { Err(Error::new_spanned(end, help)) } else { Ok(all) }
}
