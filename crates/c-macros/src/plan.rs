//! Which functions are bound, under which name, and how each takes its arguments.
//!
//! Plans from what the compiler knows and what the test says, and gives a reason for what cannot be called.
//! It writes no Rust.

use crate::inspect::CompiledFiles;
use crate::request::{Bind, BindingRequest, ParameterShape, ResultShape, Shape};
use crate::types::{Types, ident};
use proc_macro2::{Ident, Span, TokenStream};
use stairway_c_types::ctypes::TypeId;
use stairway_c_types::dwarf::CFunction;
use std::collections::{BTreeMap, BTreeSet};
use syn::ext::IdentExt as _;
use syn::{Error, LitStr, Result};

/// A function, ready to be written.
pub(crate) struct Plan {
    /// What it is called here, without `r#`.
    pub(crate) name: String,
    /// What it is called in C.
    pub(crate) link: String,
    /// Where it stands.
    pub(crate) place: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) result: TypeId,
    pub(crate) given: ResultForm,
}

pub(crate) struct Parameter {
    pub(crate) name: Ident,
    pub(crate) ty: TypeId,
    pub(crate) passed: ArgumentPassing,
}

/// How an argument reaches C.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ArgumentPassing {
    /// By value.
    Value,
    /// By address; only to be read if it is `const`.
    Lent { to: TypeId, is_const: bool },
    /// The same, for a slice whose length is passed as well.
    Slice { of: TypeId, is_const: bool },
    /// The length of these slices.
    Length { of: Vec<usize> },
    /// By address; C writes it.
    Out { of: TypeId },
}

/// What is made of the result.
pub(crate) enum ResultForm {
    AsIs,
    /// A handle that frees itself with this function of C.
    Owned(String),
    Text,
}

/// What is bound, and what is not.
pub(crate) struct Plans {
    pub(crate) functions: Vec<Plan>,
    /// Functions that C calls and that are defined nowhere.
    pub(crate) mocks: Vec<Plan>,
    /// What is not bound, with the reason.
    pub(crate) left_out: Vec<String>,
}

impl Plans {
    pub(crate) fn new(
        wanted: &BindingRequest,
        inspected: &CompiledFiles,
        types: &mut Types<'_>,
    ) -> Result<Plans> {
        let mut plans = Plans { functions: Vec::new(), mocks: Vec::new(), left_out: Vec::new() };
        for bind in &wanted.binds {
            plans.add(bind, wanted, inspected, types)?;
        }
        let mocked = |f: &&CFunction| {
            !f.is_defined
                && inspected.undefined.contains(f.source_name())
                && !is_of_the_system(f)
                && !wanted.own.mocks.contains_key(f.source_name())
        };
        let mut seen = BTreeSet::new();
        for function in inspected.program.functions.iter().filter(mocked) {
            if !seen.insert(function.source_name()) {
                continue;
            }
            match refusal(function, types) {
                None => plans.mocks.push(plan(function.source_name(), function, inspected, types)),
                Some(why) => drop(plans.leave_out(function, inspected, &why)),
            }
        }
        Ok(plans)
    }

    /// What one `bind` asks for.
    fn add(
        &mut self,
        bind: &Bind,
        wanted: &BindingRequest,
        inspected: &CompiledFiles,
        types: &mut Types<'_>,
    ) -> Result<()> {
        let first = self.functions.len();
        let mut refused = BTreeMap::new();
        for (name, function, span) in chosen(bind, inspected)? {
            if wanted.own.functions.contains_key(&function.name)
                || wanted.own.functions.values().any(|own| own.unraw() == name)
            {
                continue;
            }
            if let Some(other) = self.functions.iter().find(|p| p.name == name) {
                if other.link == function.name {
                    continue;
                }
                return Err(Error::new(
                    span,
                    format!("`{}` and `{}` would both be called `{name}`", other.link, function.name),
                ));
            }
            match refusal(function, types) {
                None => self.functions.push(plan(&name, function, inspected, types)),
                Some(why) => {
                    let why = self.leave_out(function, inspected, &why);
                    refused.insert(name, why);
                }
            }
        }
        for shape in &bind.shapes {
            if let Some(why) = refused.get(&shape.name.unraw().to_string()) {
                return Err(Error::new(shape.name.span(), why));
            }
            self.shape(shape, first, types)?;
        }
        Ok(())
    }

    fn leave_out(&mut self, function: &CFunction, inspected: &CompiledFiles, why: &str) -> String {
        let text = format!("`{}` ({}) {why}", function.source_name(), inspected.place(function));
        self.left_out.push(text.clone());
        text
    }

    /// Does what the test says of one function; those before `first` were bound by another `bind`.
    fn shape(&mut self, shape: &Shape, first: usize, types: &Types<'_>) -> Result<()> {
        let name = shape.name.unraw().to_string();
        let Some(k) = self.functions.iter().skip(first).position(|p| p.name == name) else {
            let known: Vec<&str> = self.functions[first..].iter().map(|p| &*p.name).collect();
            let text = format!("no function `{name}` is bound here; there are {}", listed(&known));
            return Err(Error::new(shape.name.span(), text));
        };
        let given = match &shape.result {
            None => ResultForm::AsIs,
            Some(result) => self.given(result, &self.functions[first + k], first, types)?,
        };
        let plan = &mut self.functions[first + k];
        plan.given = given;
        for parameter in &shape.parameters {
            plan.shape_parameter(parameter, types)?;
        }
        Ok(())
    }

    fn given(
        &self,
        result: &ResultShape,
        plan: &Plan,
        first: usize,
        types: &Types<'_>,
    ) -> Result<ResultForm> {
        let to = types.pointed_to(plan.result).map(|(to, _)| to);
        let gives = || format!("`{}` ({}) gives `{}`", plan.name, plan.place, types.c_name(plan.result));
        match (result, to) {
            (ResultShape::Text(word), Some(to)) if !types.is_text(to) => {
                Err(Error::new(word.span(), format!("{}, which is no text", gives())))
            }
            (ResultShape::Text(_), Some(_)) => Ok(ResultForm::Text),
            (ResultShape::Text(word), None) => {
                Err(Error::new(word.span(), format!("{}, which is no text", gives())))
            }
            (ResultShape::Owned(free), None) => {
                Err(Error::new(free.span(), format!("{}, which cannot be freed", gives())))
            }
            (ResultShape::Owned(free), Some(to)) => {
                let by = self.functions[first..].iter().find(|p| *free.unraw().to_string() == p.name);
                let by = by.ok_or_else(|| {
                    Error::new(free.span(), format!("no function `{free}` is bound here to free it with"))
                })?;
                let takes = |p: &Parameter| types.pointed_to(p.ty).map(|(to, _)| to);
                let taken: Vec<Option<TypeId>> = by.parameters.iter().map(takes).collect();
                let fits = matches!(&taken[..], [Some(at)] if types.c_name(*at) == types.c_name(to) || types.is_void(*at));
                if fits {
                    return Ok(ResultForm::Owned(by.link.clone()));
                }
                let text = format!(
                    "{}, and `{free}` ({}) does not take that alone; write a C function that does",
                    gives(),
                    by.place
                );
                Err(Error::new(free.span(), text))
            }
        }
    }
}

impl Plan {
    fn index(&self, name: &Ident) -> Result<usize> {
        let found = self.parameters.iter().position(|p| p.name.unraw() == name.unraw());
        found.ok_or_else(|| {
            let known: Vec<String> = self.parameters.iter().map(|p| p.name.unraw().to_string()).collect();
            let known: Vec<&str> = known.iter().map(|name| &**name).collect();
            let text = format!(
                "`{}` ({}) has no parameter `{name}`; it has {}",
                self.name,
                self.place,
                listed(&known)
            );
            Error::new(name.span(), text)
        })
    }

    /// The values that a pointer leads to, for `[n]` and `out`.
    fn pointed_to(&self, name: &Ident, types: &Types<'_>) -> Result<(usize, TypeId, bool)> {
        let k = self.index(name)?;
        let is = || {
            format!(
                "`{name}` of `{}` ({}) is `{}`",
                self.name,
                self.place,
                types.c_name(self.parameters[k].ty)
            )
        };
        let Some((to, is_const)) = types.pointed_to(self.parameters[k].ty) else {
            return Err(Error::new(name.span(), format!("{}, no pointer", is())));
        };
        if !types.is_void(to) && !types.is_value(to) {
            return Err(Error::new(name.span(), format!("{}, whose inside Rust cannot have", is())));
        }
        Ok((k, to, is_const))
    }

    fn shape_parameter(&mut self, shape: &ParameterShape, types: &Types<'_>) -> Result<()> {
        match shape {
            ParameterShape::Out(name) => {
                let (k, of, is_const) = self.pointed_to(name, types)?;
                if is_const || types.is_void(of) {
                    let text = format!("C does not say that it writes a value to `{name}` ({})", self.place);
                    return Err(Error::new(name.span(), text));
                }
                self.parameters[k].passed = ArgumentPassing::Out { of };
            }
            ParameterShape::Slice { pointer, length } => {
                let (k, of, is_const) = self.pointed_to(pointer, types)?;
                let n = self.index(length)?;
                if !types.is_integer(self.parameters[n].ty) {
                    let text = format!("`{length}` of `{}` ({}) is no number", self.name, self.place);
                    return Err(Error::new(length.span(), text));
                }
                self.parameters[k].passed = ArgumentPassing::Slice { of, is_const };
                match &mut self.parameters[n].passed {
                    ArgumentPassing::Length { of } => of.push(k),
                    other => *other = ArgumentPassing::Length { of: vec![k] },
                }
            }
        }
        Ok(())
    }
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() {
        return "none".to_string();
    }
    format!("`{}`", names.join("`, `"))
}

fn is_of_the_system(function: &CFunction) -> bool {
    function.file.as_deref().is_none_or(|file| file.starts_with("/usr"))
}

/// The functions that a `bind` means, with their names here.
fn chosen<'p>(bind: &Bind, inspected: &'p CompiledFiles) -> Result<Vec<(String, &'p CFunction, Span)>> {
    let defined = || {
        let is_here =
            |f: &&CFunction| f.is_defined && f.address.is_some() && f.name != "main" && !is_of_the_system(f);
        inspected.program.functions.iter().filter(is_here)
    };
    let visible = || defined().filter(|f| !f.is_static);
    if bind.patterns.is_empty() {
        let all: Vec<_> = visible().map(|f| (f.name.clone(), f, bind.span)).collect();
        return match all.is_empty() {
            false => Ok(all),
            true => Err(Error::new(bind.span, "the files define no function that others can call")),
        };
    }
    let mut all = Vec::new();
    for pattern in &bind.patterns {
        let text = pattern.value();
        let found: Vec<_> = match text.split_once('*') {
            None => {
                defined().filter(|f| f.source_name() == text).map(|f| (text.clone(), f)).take(1).collect()
            }
            Some((front, back)) => visible().filter_map(|f| Some((stem(f, front, back)?, f))).collect(),
        };
        if found.is_empty() {
            return Err(no_match(pattern, &visible().map(|f| &*f.name).collect::<Vec<_>>()));
        }
        all.extend(found.into_iter().map(|(name, f)| (name, f, pattern.span())));
    }
    Ok(all)
}

/// What the star of a pattern stands for.
fn stem(function: &CFunction, front: &str, back: &str) -> Option<String> {
    let stem = function.name.strip_prefix(front)?.strip_suffix(back)?;
    let is_name = stem.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic());
    is_name.then(|| stem.to_string())
}

fn no_match(pattern: &LitStr, known: &[&str]) -> Error {
    let some: Vec<&str> = known.iter().copied().take(12).collect();
    let more = if known.len() > some.len() { " and others" } else { "" };
    Error::new(
        pattern.span(),
        format!("no function of the files fits \"{}\"; there are {}{more}", pattern.value(), listed(&some)),
    )
}

/// Why a function cannot be called.
fn refusal(function: &CFunction, types: &Types<'_>) -> Option<String> {
    if function.signature.is_variadic {
        return Some(
            "takes more than its parameters (`...`, or empty parentheses); write a C function around it, or `(void)`"
                .to_string(),
        );
    }
    let parameters = function.signature.parameters.iter();
    for (k, ty) in parameters.enumerate() {
        let is_list = types.c_name(*ty).contains("__va_list");
        if !types.is_value(*ty) || is_list {
            let name = function.parameters.get(k).map_or("", |name| name);
            let why = if is_list { "`va_list`".to_string() } else { types.why_not(*ty) };
            return Some(format!(
                "takes {why} as `{name}`, which Rust cannot pass; write a C function around it"
            ));
        }
    }
    let returns = function.signature.returns;
    if !types.is_void(returns) && !types.is_value(returns) {
        let why = types.why_not(returns);
        return Some(format!("gives {why}, which Rust cannot take; write a C function around it"));
    }
    None
}

fn plan(name: &str, function: &CFunction, inspected: &CompiledFiles, types: &Types<'_>) -> Plan {
    let named = |k: usize| match function.parameters.get(k) {
        Some(name) if !name.is_empty() => ident(name),
        _ => ident(&format!("argument{}", k + 1)),
    };
    let parameters = function.signature.parameters.iter().enumerate().map(|(k, ty)| {
        let passed = match types.pointed_to(*ty) {
            Some((to, is_const)) => ArgumentPassing::Lent { to, is_const },
            None => ArgumentPassing::Value,
        };
        Parameter { name: named(k), ty: *ty, passed }
    });
    Plan {
        name: name.to_string(),
        link: function.source_name().to_string(),
        place: inspected.place(function),
        parameters: parameters.collect(),
        result: function.signature.returns,
        given: ResultForm::AsIs,
    }
}

/// The function as C declares it, for documentation.
pub(crate) fn in_c(plan: &Plan, types: &Types<'_>) -> String {
    let parameters: Vec<String> =
        plan.parameters.iter().map(|p| format!("{} {}", types.c_name(p.ty), p.name.unraw())).collect();
    format!("{} {}({})", types.c_name(plan.result), plan.link, parameters.join(", "))
}

/// Nothing, or what a test sees of bindings that there are not.
pub(crate) fn constant(left_out: &[String]) -> TokenStream {
    quote::quote! {
        /// What the files define and Rust cannot call, each with the reason.
        pub const NOT_BOUND: &[&str] = &[#(#left_out),*];
    }
}
