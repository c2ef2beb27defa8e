//! The failing sequence as a C program of its own, which fails without Stairway as long as the bug is there.
//!
//! Writes the failure and the steps as C. The user's file is included, so that its static functions can be
//! called and nothing is declared twice. Where the violated clause can be said in C it is asserted, so that
//! the program passes once the bug is fixed; where it cannot, the program ends with `abort` and says what
//! Stairway saw; where the calls themselves go wrong, they are all there is to it.

use super::ReportView;
use super::sequence::{Sequence, variable};
use super::translate::{Translate, constant, type_name};
use crate::ctypes::TypeId;
use crate::operations::text::declaration;
use crate::spec::checked::{Clause, ClauseKind, Contract, Expr, ExprKind, ResourceKind, Slot};
use num_bigint::BigInt;
use stairway::__private::{EntryValue, StepSource};
use stairway::engine::{Observations, ShownStep};
use stairway::report::words as failure_words;
use stairway::report::{CallFault, ContractClause, Failure, FailureKind, ProcessEnd};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

/// What the program does about the failure.
#[derive(Default)]
struct Ending {
    /// Spec functions that the assertion calls.
    functions: Vec<String>,
    /// Before the last call.
    before: Vec<String>,
    /// The last call with its arguments in variables, if the assertion needs them.
    call: Option<String>,
    /// After it.
    after: Vec<String>,
    /// What to say at the top.
    note: String,
    /// Whether sanitizers show more.
    is_sanitized: bool,
}

/// A failing sequence as a C program.
pub(super) fn program(shown: &ReportView<'_>, failure: &Failure, observed: &Observations) -> String {
    let sequence = shown.sequence(observed);
    let Some((last, steps)) = observed.steps.split_last() else {
        return format!(
            "/* {} */\n#include <stdlib.h>\n\nint main(void)\n{{\n    abort();\n}}\n",
            safe(&failure_words::message(failure))
        );
    };
    let ending = ending(shown, &sequence, failure, last);
    let mut out = header(shown, failure, observed, &ending);
    for function in &ending.functions {
        let _ = writeln!(out, "{function}\n");
    }
    for function in sequence.definitions {
        let _ = writeln!(out, "{function}\n");
    }
    stand_ins(shown, observed).iter().for_each(|function| {
        let _ = writeln!(out, "{function}\n");
    });
    out.push_str("int main(void)\n{\n");
    let mut line = |text: &str| {
        let _ = writeln!(out, "    {text}");
    };
    for step in steps {
        step.notes.iter().for_each(|made| line(made));
        line(&sequence.statement(step));
    }
    last.notes.iter().chain(&ending.before).for_each(|text| line(text));
    line(&ending.call.unwrap_or_else(|| sequence.statement(last)));
    ending.after.iter().for_each(|text| line(text));
    out.push_str("    return 0;\n}\n");
    out
}

/// Functions that the files declare and nobody defines, as C: they do in turn what they were said to have done.
fn stand_ins(shown: &ReportView<'_>, observed: &Observations) -> Vec<String> {
    let types = &shown.project.program.types;
    let played = observed.steps.iter().filter_map(|step| step.attachment.get::<StepSource>());
    let played: Vec<&(String, String)> = played.flat_map(|source| &source.stand_ins).collect();
    let define = |name: &String| {
        let function = shown.project.program.functions.iter().find(|f| f.name == *name)?;
        let contract = shown.project.specs.contract(name);
        let own = |k: usize| contract.and_then(|contract| Some(contract.parameters.get(k)?.name.clone()));
        let parameter = |(k, ty): (usize, &TypeId)| {
            declaration(types, *ty, &own(k).unwrap_or_else(|| format!("a{}", k + 1)))
        };
        let parameters: Vec<String> =
            function.signature.parameters.iter().enumerate().map(parameter).collect();
        let parameters = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
        let head = declaration(types, function.signature.returns, &format!("{name}({parameters})"));
        let calls = played.iter().filter(|(of, _)| of == name).enumerate();
        let calls: String =
            calls.map(|(k, (_, statements))| format!("    case {k}: {{ {statements} }}\n")).collect();
        Some(match calls.is_empty() {
            true => format!("/* Nobody defines it, and it was not called. */\n{head} {{ abort(); }}"),
            false => format!(
                "/* Nobody defines it: it does what its contract allows. */\n{head}\n{{\n    static unsigned n_calls;\n    \
                 switch (n_calls++) {{\n{calls}    }}\n    abort();\n}}"
            ),
        })
    };
    shown.project.missing.iter().filter_map(define).collect()
}

/// A text that can stand in a comment.
fn safe(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *")
}

fn header(shown: &ReportView<'_>, failure: &Failure, observed: &Observations, ending: &Ending) -> String {
    let mut out = String::new();
    let files = files(shown, observed);
    let rest: Vec<String> = shown
        .about
        .files
        .iter()
        .map(|file| absolute(file))
        .filter(|file| !files.contains(file))
        .map(|file| file.display().to_string())
        .collect();
    let compiler = shown.about.compiler.join(" ");
    let sanitizers =
        if ending.is_sanitized { " -fsanitize=address,undefined -fno-sanitize-recover=all" } else { "" };
    let rest = rest.iter().map(|file| format!(" {file}")).collect::<String>();
    let _ = writeln!(out, "/* {}\n", safe(&failure_words::message(failure)));
    if let Some(place) = &failure.place {
        let _ = writeln!(out, "   at {}", safe(&place.to_string()));
    }
    let _ = writeln!(out, "   {}", safe(&ending.note));
    let _ = writeln!(out, "   Compile this file (here called repro.c) and run it:");
    let char = if shown.project.unsigned_char().is_empty() { "" } else { " -funsigned-char" };
    let _ = writeln!(out, "     {compiler} -g{char}{sanitizers} repro.c{rest} -o repro && ./repro");
    let _ = writeln!(out, "   Written by `stairway test` for {}. */\n", safe(&shown.about.files()));
    let texts: Vec<&str> = shown.project.sources.files.iter().map(|file| file.text.as_str()).collect();
    let provided: Vec<_> =
        PROVIDED.iter().filter(|(name, ..)| texts.iter().any(|t| t.contains(name))).collect();
    provided.iter().for_each(|(_, prototype, _)| out += &format!("{prototype};\n"));
    out.push_str("#define main main_of_the_file\n");
    for file in &files {
        let _ = writeln!(out, "#include {:?}", file.display().to_string());
    }
    out.push_str("#undef main\n\n");
    HEADERS.iter().for_each(|header| out += &format!("#include <{header}>\n"));
    out.push('\n');
    provided.iter().for_each(|(_, prototype, body)| out += &format!("{prototype} {body}\n"));
    out.push_str(CHECK);
    out
}

/// Included behind the user's file, which may have something to say about them first.
const HEADERS: &[&str] = &["math.h", "stdint.h", "stdio.h", "stdlib.h", "string.h", "unistd.h"];

/// What the runtime provides without a header.
const PROVIDED: &[(&str, &str, &str)] = &[
    ("cn_malloc", "void *cn_malloc(unsigned long n)", "{ return malloc(n); }"),
    ("cn_calloc", "void *cn_calloc(unsigned long n, unsigned long size)", "{ return calloc(n, size); }"),
    (
        "cn_aligned_alloc",
        "void *cn_aligned_alloc(unsigned long align, unsigned long n)",
        "{ return aligned_alloc(align, n); }",
    ),
    ("cn_free_sized", "void cn_free_sized(void *p, unsigned long n)", "{ (void)n; free(p); }"),
    ("cn_unsafe_malloc", "void *cn_unsafe_malloc(unsigned long n)", "{ return malloc(n); }"),
    (
        "cn_unsafe_calloc",
        "void *cn_unsafe_calloc(unsigned long n, unsigned long size)",
        "{ return calloc(n, size); }",
    ),
    ("cn_print_u64", "void cn_print_u64(const char *name, unsigned long n)", "{ (void)name; (void)n; }"),
    ("cn_print_nr_u64", "void cn_print_nr_u64(int name, unsigned long n)", "{ (void)name; (void)n; }"),
];

/// Not `assert`: the file may switch that off.
const CHECK: &str = r#"
#define STAIRWAY_CHECK(condition, text) \
    do { if (!(condition)) { fprintf(stderr, "%s does not hold\n", text); abort(); } } while (0)

"#;

/// The files that define what is called.
fn files(shown: &ReportView<'_>, observed: &Observations) -> Vec<PathBuf> {
    let sources = &shown.project.sources;
    let called: BTreeSet<&str> = observed.steps.iter().map(|step| step.name).collect();
    let mut files: Vec<PathBuf> = Vec::new();
    for file in &shown.about.files {
        let mut own = sources.functions.iter().filter(|f| &sources.file(f.file).path == file);
        if own.any(|f| called.contains(&*f.name)) {
            files.push(absolute(file));
        }
    }
    // A function of a header comes with whatever file includes it.
    if files.is_empty() {
        files.extend(shown.about.files.first().map(|file| absolute(file)));
    }
    files
}

fn absolute(file: &std::path::Path) -> PathBuf {
    std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf())
}

/// Decides how the program shows the failure.
fn ending(shown: &ReportView<'_>, sequence: &Sequence<'_>, failure: &Failure, last: &ShownStep) -> Ending {
    let by_itself = |note: &str| Ending { note: note.to_string(), ..Ending::default() };
    let sanitized = |note: &str| Ending { note: note.to_string(), is_sanitized: true, ..Ending::default() };
    let (fault, function) = match &failure.kind {
        FailureKind::Call { fault, function, .. } => (fault, function),
        FailureKind::Process(ProcessEnd::Timeout) => return hanging(),
        FailureKind::Process(ProcessEnd::Exit(_)) => return exiting(),
        FailureKind::Process(ProcessEnd::Stopped) => {
            return by_itself("The last call stops the process: nothing after it is reached.");
        }
        FailureKind::Process(_) => return sanitized(RUNNING_IS_ENOUGH),
        FailureKind::Sanitizer(_) => return sanitized(CALLS_ARE_WRONG),
        _ => return cannot(failure, last),
    };
    match fault {
        CallFault::Invariant => Ending {
            after: vec![format!("STAIRWAY_CHECK({function}(), \"{function}()\");")],
            note: "The invariant is asked after the last call.".to_string(),
            ..Ending::default()
        },
        CallFault::Clause(ContractClause::Postcondition) if *function == last.name => {
            let asserted =
                Assertion::new(shown, last, failure).and_then(|assertion| assertion.ending(sequence));
            asserted.unwrap_or_else(|| cannot(failure, last))
        }
        CallFault::Hang | CallFault::Deadlock => hanging(),
        CallFault::Exit => exiting(),
        CallFault::Abort | CallFault::Assert | CallFault::Signal | CallFault::StackOverflow => {
            sanitized(RUNNING_IS_ENOUGH)
        }
        CallFault::Unowned => Ending {
            note: "Only the contract knows that this memory is not the function's.".to_string(),
            ..cannot(failure, last)
        },
        CallFault::Read
        | CallFault::Write
        | CallFault::BadFree
        | CallFault::OutOfBounds
        | CallFault::StackSmashed
        | CallFault::Overlap
        | CallFault::Undefined
        | CallFault::Uninitialised
        | CallFault::Leak
        | CallFault::Lost => sanitized(CALLS_ARE_WRONG),
        _ => cannot(failure, last),
    }
}

const RUNNING_IS_ENOUGH: &str =
    "The last call does not return: running it is enough. -fsanitize=address,undefined tells more.";
const CALLS_ARE_WRONG: &str = "The calls themselves are wrong; -fsanitize=address,undefined shows it.";

/// The last call does not return.
fn hanging() -> Ending {
    Ending {
        before: vec!["alarm(5);".to_string()],
        note: "The last call does not return: it is stopped after five seconds.".to_string(),
        ..Ending::default()
    }
}

/// The last call ends the process.
fn exiting() -> Ending {
    Ending {
        functions: vec!["static void stairway_ended(void)\n{\n    _exit(1);\n}".to_string()],
        before: vec!["atexit(stairway_ended);".to_string()],
        after: vec!["_exit(0);".to_string()],
        note: "The last call ends the process.".to_string(),
        ..Ending::default()
    }
}

/// C cannot say it: the program says what was seen.
fn cannot(failure: &Failure, last: &ShownStep) -> Ending {
    let mut after =
        vec![format!("/* Stairway saw that this is wrong: {}", safe(&failure_words::message(failure)))];
    let saw = last.system.lines().map(|line| format!("at entry, {line}"));
    let answer = (!last.answer.is_empty()).then(|| format!("it answered {}", last.answer));
    after.extend(saw.chain(answer).map(|line| format!("   {}", safe(&line))));
    after.push("   C cannot say it, so this program fails in any case. */".to_string());
    after.push("abort();".to_string());
    Ending { after, note: "The violated clause cannot be said in C.".to_string(), ..Ending::default() }
}

/// A postcondition that is to be asserted.
struct Assertion<'s> {
    shown: &'s ReportView<'s>,
    step: &'s ShownStep,
    contract: &'s Contract,
    clause: &'s Clause,
}

impl<'s> Assertion<'s> {
    fn new(shown: &'s ReportView<'_>, step: &'s ShownStep, failure: &Failure) -> Option<Assertion<'s>> {
        let contract = shown.project.specs.contract(step.name)?;
        let at = |clause: &&Clause| Some(shown.project.map.place(clause.span)) == failure.place;
        let clause = contract.ensures.iter().find(at)?;
        Some(Assertion { shown, step, contract, clause })
    }

    fn text(&self) -> String {
        let text = self.shown.project.map.slice(self.clause.span);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn ending(&self, sequence: &Sequence<'_>) -> Option<Ending> {
        let ClauseKind::Holds(expr) = &self.clause.kind else { return None };
        let types = &self.shown.project.program.types;
        let mut ending = Ending::default();
        let mut translate = Translate::new(self.shown.project);
        let mut names = Vec::new();
        for (k, (parameter, (_, value))) in
            self.contract.parameters.iter().zip(&self.step.arguments).enumerate()
        {
            let name = format!("a{}_{}", k + 1, parameter.name);
            ending.before.push(format!("{} = {value};", declaration(types, parameter.ctype?, &name)));
            translate.slots.insert(parameter.slot, name.clone());
            names.push(name);
        }
        ending.call =
            Some(sequence.assigned(self.step, &format!("{}({});", self.step.name, names.join(", "))));
        if let Some(result) = &self.contract.result {
            translate.slots.insert(result.slot, variable(self.step));
        }
        for access in &self.contract.accesses {
            let global = &self.shown.project.described.globals.get(access.global.0 as usize)?.name;
            let name = format!("before_{global}");
            ending.before.push(format!("{} = {global};", declaration(types, access.ctype, &name)));
            translate.slots.insert(access.before, name);
            translate.slots.insert(access.after, global.clone());
        }
        self.bind(&self.contract.requires, "before", &mut translate, &mut ending.before);
        self.bind(&self.contract.ensures, "after", &mut translate, &mut ending.after);
        let text = self.text().replace('\\', "\\\\").replace('"', "\\\"");
        let condition = translate.expr(expr).or_else(|| self.demanded(expr, &mut translate, &mut ending))?;
        let used = |line: &String| line.clone();
        ending.functions = translate.functions.values().map(|(prototype, _)| prototype).map(used).collect();
        ending.functions.extend(translate.functions.values().map(|(_, body)| body).map(used));
        ending.after.push(format!("STAIRWAY_CHECK({condition}, \"{text}\");"));
        if ending.note.is_empty() {
            ending.note = "The violated clause is checked after the last call.".to_string();
        }
        Some(ending)
    }

    /// Gives C names to what clauses bind, where that can be done.
    fn bind(&self, clauses: &[Clause], when: &str, translate: &mut Translate<'_>, lines: &mut Vec<String>) {
        let types = &self.shown.project.program.types;
        for clause in clauses.iter().take_while(|clause| clause.span != self.clause.span) {
            match &clause.kind {
                ClauseKind::Take { name, slot, resource } => {
                    let ResourceKind::Memory { pointer, ctype, is_initialised: true, .. } = &resource.kind
                    else {
                        continue;
                    };
                    let Some(pointer) = translate.expr(pointer) else { continue };
                    let name = format!("{when}_{name}");
                    let to = declaration(types, *ctype, "*");
                    // An array cannot be copied by an assignment.
                    if !matches!(types.get(*ctype), crate::ctypes::CType::Array { .. }) {
                        lines.push(format!("{} = *({to}){pointer};", declaration(types, *ctype, &name)));
                        translate.slots.insert(*slot, name);
                    }
                }
                ClauseKind::Let { slot, value, .. } => {
                    if let Some(value) = translate.expr(value) {
                        translate.slots.insert(*slot, value);
                    }
                }
                _ => {}
            }
        }
    }

    /// `before == Cons { head: return, .. }`: what was known at entry says what the result must be.
    fn demanded(&self, expr: &Expr, translate: &mut Translate<'_>, ending: &mut Ending) -> Option<String> {
        // What it began to define is not needed.
        translate.functions.clear();
        let ExprKind::Equal(a, b) = &expr.kind else { return None };
        let (known, pattern) = self.known(a).map(|value| (value, b)).or_else(|| Some((self.known(b)?, a)))?;
        let result = self.contract.result.as_ref()?;
        let wanted = find(pattern, known, result.slot)?;
        let ty = type_name(&result.ty)?;
        let wanted = constant(&BigInt::from(wanted))?;
        ending.note = format!("The violated clause, `{}`, demands this result.", self.text());
        ending.before.extend(self.step.system.lines().map(|line| format!("/* at entry, {} */", safe(line))));
        let result = translate.slots.get(&result.slot)?;
        Some(format!("(({ty}){result} == ({ty}){wanted})"))
    }

    /// The value of a name that `requires` binds.
    fn known(&self, expr: &Expr) -> Option<&EntryValue> {
        let ExprKind::Slot(slot) = expr.kind else { return None };
        let name = self.contract.requires.iter().find_map(|clause| match &clause.kind {
            ClauseKind::Take { name, slot: of, .. } | ClauseKind::Let { name, slot: of, .. }
                if *of == slot =>
            {
                Some(name)
            }
            _ => None,
        })?;
        let entry = &self.step.attachment.get::<StepSource>()?.entry;
        entry.iter().find_map(|(known, value)| (known == name).then_some(value))
    }
}

/// The number that stands where the result stands in a pattern.
fn find(pattern: &Expr, value: &EntryValue, result: Slot) -> Option<i128> {
    match (&pattern.kind, value) {
        (ExprKind::Slot(slot), EntryValue::Number(number)) if *slot == result => Some(*number),
        (ExprKind::Construct(_, k, fields), EntryValue::Data(constructor, parts)) if k == constructor => {
            fields.iter().zip(parts).find_map(|(pattern, value)| find(pattern, value, result))
        }
        _ => None,
    }
}
