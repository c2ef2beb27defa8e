use super::*;

fn build_text(texts: &[&str], settings: &Settings) -> Result<LinkedObject, BuildError> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = Vec::new();
    for (k, text) in texts.iter().enumerate() {
        let file = folder.path().join(format!("f{k}.c"));
        std::fs::write(&file, text).expect("a file");
        files.push(file);
    }
    build(&files, settings)
}

fn symbols(built: &LinkedObject) -> Vec<String> {
    let bytes = std::fs::read(&built.object).expect("the object");
    let file = object::File::parse(&*bytes).expect("an object");
    file.symbols().filter_map(|s| s.name().ok().map(str::to_string)).collect()
}

#[test]
fn several_mains_and_equal_statics_do_not_clash() {
    let text = "static int twice(int x) { return 2 * x; } int main(void) { return twice(1); }";
    let built = build_text(&[text, text], &Settings::default()).expect("builds");
    assert!(built.is_instrumented, "{:?}", built.notes);
    let names = symbols(&built);
    assert_eq!(names.iter().filter(|n| *n == "twice").count(), 2);
    assert!(!names.iter().any(|n| n == "main"));
}

#[test]
fn compile_errors_are_passed_on() {
    let error = build_text(&["int f(void) { return x; }"], &Settings::default()).expect_err("is wrong");
    let text = error.to_string();
    assert!(text.contains("f0.c:1:") && text.contains("undeclared"), "{text}");
}

#[test]
fn missing_functions_are_named_not_refused() {
    let text = "int gone(int); int f(int x) { return gone(x); }";
    let built = build_text(&[text], &Settings::default()).expect("builds");
    assert_eq!(built.missing, ["gone"]);
}

#[test]
fn every_linker_links_spaces_variables_and_leaves_what_is_missing() {
    let text = "int gone(int); extern int lost; static int a[4], b[4]; int c = 1, d = 2;\n\
                int f(int k) { a[k & 3]++; b[k & 3]++; c++; d++; return gone(k) + lost + a[0] + b[0]; }";
    for compiler in ["gcc", "clang"] {
        for linker in ["bfd", "gold", "lld", "mold"] {
            let flags = vec![format!("-fuse-ld={linker}").into()];
            let settings = Settings { compiler: compiler.into(), flags, ..Settings::default() };
            let built =
                build_text(&[text], &settings).unwrap_or_else(|e| panic!("{compiler}, {linker}: {e}"));
            assert!(built.is_instrumented, "{compiler}, {linker}: {:?}", built.notes);
            assert_eq!(built.missing, ["gone", "lost"], "{compiler}, {linker}");
            let bytes = std::fs::read(&built.object).expect("the object");
            let file = object::File::parse(&*bytes).expect("an object");
            let at = |name: &str| file.symbols().find(|s| s.name() == Ok(name)).expect("is there").address();
            assert!(at("a").abs_diff(at("b")) >= 16 + 64, "{compiler}, {linker}");
            assert!(at("c").abs_diff(at("d")) >= 4 + 64, "{compiler}, {linker}");
        }
    }
}

#[test]
fn what_a_given_library_has_is_not_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("given.c");
    std::fs::write(&file, "int given(int x) { return x; }").expect("a file");
    let library = folder.path().join("libgiven.so");
    let done = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&file).status();
    assert!(done.expect("cc runs").success());
    let text = "int given(int); int gone(int); double cos(double);\n\
                int f(int x) { return given(x) + gone(x) + (int)cos(x); }";
    let by_name = [format!("-L{}", folder.path().display()), "-lgiven".to_string()];
    let by_path = [library.display().to_string()];
    for flags in [&by_name[..], &by_path[..]] {
        let flags = flags.iter().map(OsString::from).collect();
        let built = build_text(&[text], &Settings { flags, ..Settings::default() }).expect("builds");
        assert_eq!(built.missing, ["gone"]);
    }
}

#[test]
fn a_compiler_that_is_not_there_is_named() {
    let settings = Settings { compiler: "no-such-cc".into(), ..Settings::default() };
    let error = build_text(&["int x;"], &settings).expect_err("no compiler");
    assert!(error.to_string().contains("no-such-cc"));
}

#[test]
fn flags_reach_the_compiler() {
    let settings = Settings { flags: vec!["-DANSWER=42".into()], ..Settings::default() };
    build_text(&["int f(void) { return ANSWER; }"], &settings).expect("builds");
}

#[test]
fn a_compiler_without_instrumentation_falls_back() {
    falls_back("-fsanitize*");
    falls_back("-fsanitize*|-fno-eliminate*");
}

/// With a compiler that refuses some options.
fn falls_back(refused: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let old = folder.path().join("oldcc");
    let script = "#!/bin/sh\nfor a; do case $a in REFUSED) echo \"oldcc: error: unrecognized $a\" >&2; exit 1;; esac; done\nexec gcc \"$@\"\n";
    std::fs::write(&old, script.replace("REFUSED", refused)).expect("a script");
    std::fs::set_permissions(&old, std::fs::Permissions::from_mode(0o755)).expect("executable");
    let settings = Settings { compiler: old.into(), ..Settings::default() };
    let built = build_text(&["int f(int x) { return x; }"], &settings).expect("builds");
    assert!(!built.is_instrumented);
    assert!(built.notes[0].contains("unrecognized"), "{:?}", built.notes);
}

#[test]
fn own_versions_of_library_functions_are_kept() {
    let a = "void *malloc(unsigned long n) { (void)n; return 0; } int f(void) { return malloc(1) == 0; }";
    let b = "void *malloc(unsigned long); int g(void) { return malloc(1) == 0; }";
    let built = build_text(&[a, b], &Settings::default()).expect("builds");
    assert!(symbols(&built).iter().any(|n| n == "stairway_own_malloc"));
}

/// The runtime is linked with its own `--wrap`: a call of `memcpy` in it would come back to itself.
#[test]
fn the_runtime_calls_the_c_library_and_not_itself() {
    let wrapped = wrapped_names().expect("readable");
    let runtime = object::File::parse(RUNTIME).expect("an object");
    for name in runtime.symbols().filter(object::ObjectSymbol::is_undefined).filter_map(|s| s.name().ok()) {
        match name.strip_prefix("__real_") {
            Some(real) => assert!(wrapped.contains(real), "{real} is not wrapped"),
            None => assert!(!wrapped.contains(name), "{name} is wrapped; write REAL({name})"),
        }
    }
}
