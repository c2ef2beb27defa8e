//! Bindings as a person reads them, and everything that is refused.

use crate::expand::{bindings, expand};
use crate::inspect::CompiledFiles;
use crate::request::BindingRequest;
use proc_macro2::TokenStream;
use quote::quote;

const C: &str = r#"
#include <stdint.h>
typedef struct { int32_t x, y; } point;
struct bits { unsigned low : 4; };
struct opaque;
enum colour { RED, GREEN = 5 };
static int own(int x) { return x; }
int clash_a(int x) { return own(x); }
int clash_b(int x) { return x; }
uint32_t total(const uint32_t *values, uint32_t n, const char *name) { return n ? values[0] : name[0]; }
point *point_new(enum colour colour);
point *point_new(enum colour colour) { (void)colour; return 0; }
void point_free(point *p) { (void)p; }
void point_move(point *p, point by) { p->x += by.x; }
int point_area(const point *p, double scale) { return p->x * p->y * (int)scale; }
int bits_of(struct bits b) { return b.low; }
int print(const char *format, ...) { return format[0]; }
void missing(struct opaque *of, int at);
void calls(struct opaque *of) { missing(of, 1); }
"#;

fn inspected(text: &str) -> Result<CompiledFiles, String> {
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join("a.c"), text).expect("there is room");
    CompiledFiles::new(folder.path(), &["a.c".to_string()], &[])
}

fn bound(items: TokenStream) -> syn::Result<TokenStream> {
    let wanted: BindingRequest = syn::parse2(quote! { [stairway_c] ["a.c"] [] #items })?;
    bindings(&wanted, &inspected(C).expect("it compiles"))
}

fn said(items: TokenStream) -> String {
    bound(items).expect_err("it is wrong").to_string()
}

#[test]
fn bindings_can_be_read() {
    let tokens = bound(quote! {
        bind "total", "calls" { total(values[n]); }
        bind "point_*" { new -> owned free; }
    });
    let tokens = tokens.expect("it is right");
    let shown = prettyplease::unparse(&syn::parse2(tokens).expect("these are items"));
    insta::assert_snapshot!(shown);
}

/// `size_t` is `unsigned long` to the compiler, as `uint64_t` is, but nobody indexes with a `u64`.
#[test]
fn sizes_of_c_are_sizes_of_rust() {
    let text = r#"
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
typedef size_t count;
struct part { size_t at; uint64_t id; count n; };
ssize_t find(const size_t *at, count n, ptrdiff_t step, unsigned long id) { return at[n] + step + id; }
uintptr_t grow(struct part *part, size_t *room) { part->n += *room; return (uintptr_t)part; }
"#;
    let wanted: BindingRequest = syn::parse2(quote! { [stairway_c] ["a.c"] [] bind; }).expect("it is right");
    let tokens = bindings(&wanted, &inspected(text).expect("it compiles")).expect("it is right");
    insta::assert_snapshot!(prettyplease::unparse(&syn::parse2(tokens).expect("these are items")));
}

#[test]
fn what_c_does_not_have_is_refused() {
    let all = [
        said(quote! { bind "points_*"; }),
        said(quote! { bind "clash_*", "own" { a(x[y]); } }),
        said(quote! { bind "total" { total(value[n]); } }),
        said(quote! { bind "total" { total(n[n]); } }),
        said(quote! { bind "total" { total(values[name]); } }),
        said(quote! { bind "total" { total(out values); } }),
        said(quote! { bind "calls" { calls(out of); } }),
        said(quote! { bind "total" { totals(values[n]); } }),
        said(quote! { bind { print(format[n]); } }),
        said(quote! { bind { bits_of(out b); } }),
        said(quote! { bind { point_new -> owned destroy; } }),
        said(quote! { bind { point_new -> owned point_area; } }),
        said(quote! { bind { total -> owned point_free; } }),
        said(quote! { bind { point_new -> text; } }),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn names_that_would_be_the_same_are_refused() {
    let text = "int a_get(void) { return 1; }\nint b_get(void) { return 2; }\n";
    let items = quote! { [stairway_c] ["a.c"] [] bind "a_*", "b_*"; };
    let wanted: BindingRequest = syn::parse2(items).expect("it is right");
    let error = bindings(&wanted, &inspected(text).expect("it compiles")).expect_err("it is wrong");
    assert_eq!(error.to_string(), "`a_get` and `b_get` would both be called `get`");
}

#[test]
fn c_that_cannot_be_read_is_refused() {
    let error = inspected("int f(void) { return x; }\n").err().unwrap_or_default();
    assert!(
        error.starts_with("the C files do not compile\na.c: In function")
            && error.contains("a.c:1:22: error:"),
        "{error}"
    );
    let error = CompiledFiles::new(std::path::Path::new("/nowhere"), &["gone.c".to_string()], &[]).err();
    assert_eq!(error.as_deref(), Some("there is no file gone.c in /nowhere"));
    let error = expand(quote! { [stairway_c] [concat!("a", ".c")] [] bind; }).expect_err("it is wrong");
    assert_eq!(error.to_string(), "with `bind`, files are string literals: C is read while Rust compiles");
    let wanted: BindingRequest = syn::parse2(quote! { [stairway_c] ["a.c"] [] bind; }).expect("it is right");
    let nothing = inspected("static int f(void) { return 1; }\nint x;\n").expect("it compiles");
    let error = bindings(&wanted, &nothing).expect_err("it is wrong");
    assert_eq!(error.to_string(), "the files define no function that others can call");
}

#[test]
fn without_bind_c_is_not_looked_at() {
    let tokens = expand(quote! { [stairway_c] [concat!("a", ".c")] [] fn f(); }).expect("it is right");
    assert!(tokens.to_string().contains("@ items"), "{tokens}");
}

#[test]
fn forms_of_the_macro() {
    let said = |text: &str| {
        let tokens: TokenStream = format!("[stairway_c] {text}").parse().expect("these are tokens");
        match syn::parse2::<crate::module::Module>(tokens) {
            Ok(module) => module.expand().to_string(),
            Err(error) => format!("error: {error}"),
        }
    };
    let forms = [
        r#"mod c = "a.c";"#,
        r#"pub(crate) mod c = "a.c", "b.c";"#,
        r#"mod c { files: "a.c"; flags: "-DX=1", "-Iinclude",; bind; }"#,
        r#"/// Words.
           mod c { files: concat!("a", ".c"),; fn flags(x: i32); }"#,
        r#"mod c { flags: "-DX"; files: "a.c"; }"#,
        r#"mod c { files: ["a.c"]; bind; }"#,
        r#"mod c { files: "a.c"; flags: ["-DX"]; bind; }"#,
        r#"mod c { files: "a.c"; flags: -DX; bind; }"#,
        r#"mod c { files: "a.c"; flags: "-DX" "-DY"; bind; }"#,
        r#"mod c { files: "a.c"; flags:; bind; }"#,
        r#"mod c { files: "a.c" }"#,
        r#"mod c { files: 'a'; }"#,
        r#"mod c { bind; }"#,
        r#"mod c;"#,
        r#"mod c = a.c;"#,
        r#"c = "a.c";"#,
        r#"mod c = "a.c"; mod d = "b.c";"#,
    ];
    let all: Vec<String> = forms.iter().map(|form| format!("{form}\n    {}", said(form))).collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn what_is_no_declaration_is_named() {
    let said = |items: TokenStream| bound(items).expect_err("it is wrong").to_string();
    let later = "`files` and then `flags` stand at the beginning, once each";
    assert_eq!(said(quote! { bind; flags: "-DX"; }), later);
    assert_eq!(said(quote! { files: "b.c"; bind; }), later);
    assert_eq!(said(quote! { bind; int f(int x); }), "expected `bind`, `struct`, `enum`, `fn` or `mock fn`");
}
