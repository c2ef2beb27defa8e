//! `stairway refine`: descriptions become modules, and nothing of others is overwritten.

use crate::support::Folder;

const SET: &str = "name = \"set\"\nmonad = false\nnondet = false\nabsf = \"f\"\nrrel = \"g\"\n";

fn folder() -> Folder {
    let folder = Folder::with("");
    folder.write("set.toml", SET);
    folder
}

#[test]
fn a_module_is_written_once() {
    let folder = folder();
    let ran = folder.stairway("refine set.toml");
    assert_eq!((ran.code, &*ran.out), (0, "wrote set.rs\n"));
    let module = folder.read("set.rs");
    assert!(module.contains("refinement! {\n    set(input: SetInput) {\n"), "{module}");
    let ran = folder.stairway("refine set.toml");
    assert_eq!((ran.code, &*ran.out), (0, "set.rs is up to date\n"));
    assert_eq!(folder.stairway("refine set.toml -o -").out, module);
}

#[test]
fn a_module_that_differs_is_noticed() {
    let folder = folder();
    folder.stairway("refine set.toml");
    assert_eq!(folder.stairway("refine set.toml --check").code, 0);
    folder.write("set.toml", &SET.replace("\"g\"", "\"h\""));
    let ran = folder.stairway("refine set.toml --check");
    assert_eq!((ran.code, ran.err.contains("run the command without `--check`")), (1, true), "{}", ran.err);
    assert_eq!(folder.stairway("refine set.toml").out, "wrote set.rs\n");
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = folder();
    folder.write("set.rs", "fn mine() {}\n");
    let ran = folder.stairway("refine set.toml");
    assert_eq!((ran.code, ran.err.contains("is left alone")), (65, true), "{}", ran.err);
    assert_eq!(folder.read("set.rs"), "fn mine() {}\n");
}

#[test]
fn wrong_descriptions_are_65_at_their_place() {
    let folder = folder();
    folder.write("set.toml", &SET.replace("nondet", "nondeterministic"));
    let ran = folder.stairway("refine set.toml");
    assert_eq!(ran.code, 65);
    assert!(ran.err.contains("there is no field `nondeterministic`\n --> set.toml:3:1"), "{}", ran.err);
    assert!(ran.err.contains("the field `nondet` is missing"), "{}", ran.err);
    let ran = folder.stairway("refine nowhere.json");
    assert_eq!((ran.code, ran.err.contains("`nowhere.json` cannot be read")), (65, true), "{}", ran.err);
}
