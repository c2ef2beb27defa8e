//! Collects the names of all definitions and resolves what they are made of, and suggests names.

use super::Namespace;
use super::scope::{Mode, Scope};
use super::{Checker, Definitions, Synonym, SynonymState};
use crate::ctypes::CType;
use crate::spec::ast::{self, Content, Definition, Name};
use crate::spec::checked::{
    Constructor, Datatype, Function, FunctionBody, FunctionId, Lemma, LemmaId, Parameter, Predicate,
    PredicateId,
};
use crate::spec::diagnostic::Diagnostic;
use crate::spec::types::{DatatypeId, Type};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

impl<'a> Checker<'a> {
    /// Names of the C program.
    pub(super) fn index_program(&mut self) {
        for (k, function) in self.program.functions.iter().enumerate() {
            self.table.c_functions.insert(function.name.clone(), k as u32);
        }
        for (k, global) in self.program.globals.iter().enumerate() {
            self.table.globals.entry(global.name.clone()).or_default().push(k as u32);
        }
        for id in self.ctypes.ids() {
            if let CType::Enum(id) = self.ctypes.get(id) {
                self.table.constants.extend(self.ctypes.enumeration(*id).constants.iter().cloned());
            }
        }
    }

    /// The variable that a name means in its file: one that only that file sees, or else one that all do.
    pub(super) fn global_named(&self, name: &Name) -> Option<u32> {
        let all = self.table.globals.get(&name.text)?;
        let home = |k: &&u32| self.program.homes.get(&(**k as usize));
        let own = all.iter().find(|k| home(k) == Some(&name.span.file));
        own.or_else(|| all.iter().find(|k| home(k).is_none())).or_else(|| all.last()).copied()
    }

    /// Gives every definition its name and number.
    pub(super) fn collect(&mut self, comments: &'a [ast::Comment]) -> Definitions<'a> {
        let mut found = Definitions::default();
        let lists = comments.iter().filter_map(|comment| match &comment.content {
            Content::Definitions(definitions) => Some(definitions),
            _ => None,
        });
        for definition in lists.flatten() {
            match definition {
                Definition::Predicate(predicate) => self.collect_predicate(predicate, &mut found),
                Definition::Function(function) => self.collect_function(function, &mut found),
                Definition::Datatype(datatype) => self.collect_datatype(datatype, &mut found),
                Definition::Synonym(synonym) => {
                    if self.is_new(Namespace::Types, &synonym.name) {
                        let state = SynonymState::Fresh;
                        self.table
                            .synonyms
                            .insert(synonym.name.text.clone(), Synonym { ast: synonym, state });
                        found.synonyms.push(synonym);
                    }
                }
                Definition::Lemma(lemma) => {
                    if self.is_new(Namespace::Lemmas, &lemma.name) {
                        let id = LemmaId(found.lemmas.len() as u32);
                        self.table.lemmas.insert(lemma.name.text.clone(), id);
                        found.lemmas.push(lemma);
                    }
                }
                Definition::Spec(spec) => found.specs.push(spec),
            }
        }
        found
    }

    fn collect_predicate(&mut self, predicate: &'a ast::Predicate, found: &mut Definitions<'a>) {
        let name = &predicate.name;
        if !name.text.starts_with(|c: char| c.is_ascii_uppercase()) {
            let mut capital = name.text.trim_start_matches('_').to_string();
            if let Some(first) = capital.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            self.report(
                Diagnostic::error(name.span, "the name of a predicate begins with a capital letter")
                    .help(format!("call it `{capital}`")),
            );
        }
        if matches!(name.text.as_str(), "RW" | "W" | "Owned" | "Block" | "Alloc") {
            return self.error(name.span, format!("`{}` is a resource of the language", name.text));
        }
        if self.is_new(Namespace::Predicates, name) {
            let id = PredicateId(found.predicates.len() as u32);
            self.table.predicates.insert(name.text.clone(), id);
            found.predicates.push(predicate);
        }
    }

    fn collect_function(&mut self, function: &'a ast::Function, found: &mut Definitions<'a>) {
        if self.is_new(Namespace::Functions, &function.name) {
            let id = FunctionId(found.functions.len() as u32);
            self.table.functions.insert(function.name.text.clone(), id);
            found.functions.push(function);
        }
    }

    fn collect_datatype(&mut self, datatype: &'a ast::Datatype, found: &mut Definitions<'a>) {
        if !self.is_new(Namespace::Types, &datatype.name) {
            return;
        }
        let id = DatatypeId(found.datatypes.len() as u32);
        self.table.datatypes.insert(datatype.name.text.clone(), id);
        for (k, constructor) in datatype.constructors.iter().enumerate() {
            if self.is_new(Namespace::Constructors, &constructor.name) {
                self.table.constructors.insert(constructor.name.text.clone(), (id, k as u32));
            }
        }
        found.datatypes.push(datatype);
    }

    /// Whether a name is not defined yet in its namespace; defines it, or says so.
    fn is_new(&mut self, namespace: Namespace, name: &Name) -> bool {
        if let Some(first) = self.table.defined.get(&(namespace, name.text.clone())) {
            let diagnostic = Diagnostic::error(name.span, format!("`{}` is defined twice", name.text))
                .label(*first, "the first is here");
            self.report(diagnostic);
            return false;
        }
        self.table.defined.insert((namespace, name.text.clone()), name.span);
        true
    }

    /// The types of everything that was collected.
    pub(super) fn signatures(&mut self, found: &Definitions<'a>) {
        for synonym in &found.synonyms {
            self.synonym(&synonym.name.text);
        }
        for datatype in &found.datatypes {
            let constructors = datatype.constructors.iter().map(|constructor| Constructor {
                name: constructor.name.text.clone(),
                fields: self.fields(&constructor.fields),
            });
            let constructors = constructors.collect();
            let (name, span) = (datatype.name.text.clone(), datatype.name.span);
            self.specs.datatypes.push(Datatype { name, constructors, default: 0, span });
        }
        self.default_constructors();
        for function in &found.functions {
            let (parameters, scope) = self.parameters(&function.parameters, Mode::Function);
            let ty = self.resolve(&function.output);
            let (name, span) = (function.name.text.clone(), function.name.span);
            let (body, n_slots) = (FunctionBody::Uninterpreted, scope.n_slots);
            self.specs.functions.push(Function { name, parameters, ty, body, n_slots, span });
        }
        for predicate in &found.predicates {
            let (parameters, scope) = self.parameters(&predicate.parameters, Mode::Predicate);
            let ty = self.resolve(&predicate.output);
            let (name, span) = (predicate.name.text.clone(), predicate.name.span);
            let n_slots = scope.n_slots;
            self.specs.predicates.push(Predicate { name, parameters, ty, body: None, n_slots, span });
        }
        for lemma in &found.lemmas {
            let (parameters, scope) = self.parameters(&lemma.parameters, Mode::Lemma);
            let (name, span) = (lemma.name.text.clone(), lemma.name.span);
            let (requires, ensures) = (Vec::new(), Vec::new());
            self.specs.lemmas.push(Lemma {
                name,
                parameters,
                requires,
                ensures,
                n_slots: scope.n_slots,
                span,
            });
        }
    }

    /// Names and types of a constructor's or a record's fields.
    pub(super) fn fields(&mut self, fields: &[ast::Parameter]) -> Vec<(String, Type)> {
        let mut seen = BTreeMap::new();
        let mut list = Vec::new();
        for field in fields {
            let ty = self.resolve(&field.ty);
            if let Some(first) = seen.insert(field.name.text.clone(), field.name.span) {
                let message = format!("a second field `{}`", field.name.text);
                self.report(Diagnostic::error(field.name.span, message).label(first, "the first is here"));
            } else {
                list.push((field.name.text.clone(), ty));
            }
        }
        list
    }

    /// Parameters in the first slots of a new scope.
    pub(super) fn parameters(
        &mut self,
        parameters: &[ast::Parameter],
        mode: Mode,
    ) -> (Vec<Parameter>, Scope) {
        let mut scope = Scope::new(mode);
        let mut list = Vec::new();
        for parameter in parameters {
            let ty = self.resolve(&parameter.ty);
            let name = &parameter.name;
            if let Some(first) = scope.find(&name.text).and_then(|first| first.span) {
                let message = format!("a second parameter `{}`", name.text);
                self.report(Diagnostic::error(name.span, message).label(first, "the first is here"));
            }
            let slot = scope.bind_slot(&name.text, ty.clone(), name.span);
            list.push(Parameter { name: name.text.clone(), ty, ctype: None, slot });
        }
        (list, scope)
    }

    /// Which constructor a datatype's default value has: the one of the least height, so that making it ends.
    /// A datatype without one has no finite values.
    fn default_constructors(&mut self) {
        let datatypes = &self.specs.datatypes;
        let mut is_settled = vec![false; datatypes.len()];
        // For each datatype, the constructors that wait for it; for each constructor, how many it waits for.
        let mut waiting: Vec<Vec<(usize, usize)>> = vec![Vec::new(); datatypes.len()];
        let mut n_missing: Vec<Vec<usize>> = Vec::with_capacity(datatypes.len());
        let mut ready = VecDeque::new();
        for (k, datatype) in datatypes.iter().enumerate() {
            let mut counts = Vec::with_capacity(datatype.constructors.len());
            for (c, constructor) in datatype.constructors.iter().enumerate() {
                let mut needed = BTreeSet::new();
                constructor.fields.iter().for_each(|(_, ty)| datatypes_in(ty, &mut needed));
                counts.push(needed.len());
                if needed.is_empty() {
                    ready.push_back((k, c));
                }
                needed.into_iter().for_each(|of| waiting[of].push((k, c)));
            }
            n_missing.push(counts);
        }
        let mut defaults = vec![0; datatypes.len()];
        while let Some((k, c)) = ready.pop_front() {
            if std::mem::replace(&mut is_settled[k], true) {
                continue;
            }
            defaults[k] = c as u32;
            for (other, constructor) in std::mem::take(&mut waiting[k]) {
                n_missing[other][constructor] -= 1;
                if n_missing[other][constructor] == 0 {
                    ready.push_back((other, constructor));
                }
            }
        }
        for (datatype, default) in self.specs.datatypes.iter_mut().zip(defaults) {
            datatype.default = default;
        }
        for k in (0..is_settled.len()).filter(|k| !is_settled[*k]) {
            let (name, span) = (&self.specs.datatypes[k].name, self.specs.datatypes[k].span);
            let diagnostic = Diagnostic::error(span, format!("no value of `datatype {name}` is finite"))
                .help("add a constructor that does not need another value of the datatype");
            self.report(diagnostic);
        }
    }

    /// `did you mean …?`, of the names that could stand here.
    pub(super) fn suggestion<'n>(&self, name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
        let limit = match name.len() {
            0 | 1 => 0,
            2 | 3 => 1,
            n => (n / 3).min(3),
        };
        // Once nobody reads the messages any more, nobody needs to think about them either.
        if name.len() > 60 || self.diagnostics.is_full() {
            return None;
        }
        let near = known
            .filter(|known| known.len().abs_diff(name.len()) <= limit && *known != name)
            .map(|known| (distance(name, known), known))
            .filter(|(distance, _)| *distance <= limit)
            .min();
        near.map(|(_, known)| format!("did you mean `{known}`?"))
    }
}

/// The datatypes a value of a type holds one of in any case; maps, lists and sets may be empty.
fn datatypes_in(ty: &Type, found: &mut BTreeSet<usize>) {
    match ty {
        Type::Datatype(id) => {
            found.insert(id.0 as usize);
        }
        Type::Record(fields) => fields.iter().for_each(|(_, ty)| datatypes_in(ty, found)),
        Type::Tuple(types) => types.iter().for_each(|ty| datatypes_in(ty, found)),
        _ => {}
    }
}

/// How many letters must be added, dropped, replaced or swapped with the next.
pub(in crate::spec) fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_ascii_lowercase().into_bytes(), b.to_ascii_lowercase().into_bytes());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best.min(rows[i - 2][j - 2] + 1)
                } else {
                    best
                }
            };
        }
    }
    rows[a.len()][b.len()]
}
