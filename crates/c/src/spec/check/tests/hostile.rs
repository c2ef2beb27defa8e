//! Specs that mean harm: large, deep, cyclic.

use super::*;

#[test]
fn the_deepest_tree_that_is_read_is_checked() {
    let n = crate::spec::parser::MAX_NESTING as usize - 5;
    let chain = crate::spec::parser::MAX_HEIGHT as usize - 5;
    let texts = [
        format!("requires {}true;", "!".repeat(n)),
        format!("requires x == x{};", " + 1i32".repeat(chain)),
        format!("requires true{};", " && true".repeat(chain)),
        format!("requires {}x{} == x;", "(x + ".repeat(n), ")".repeat(n)),
        format!("requires {}x{} == x;", "if (true) { ".repeat(n / 2), " } else { x }".repeat(n / 2)),
        format!("requires {}x{} == x;", "match x { y => { ".repeat(n / 2), " } }".repeat(n / 2)),
        format!("requires {}x{} == {{ a: 1 }};", "{ a: ".repeat(n), " }".repeat(n)),
        format!("requires default<{}u8{}> == default<u8>;", "cn_list<".repeat(n), ">".repeat(n)),
    ];
    for text in texts {
        let _ = outcome(&[(of("f"), &text)]);
    }
    let unchanged = format!("ensures {}x{};", "{ ".repeat(n), " }unchanged".repeat(n));
    let _ = outcome(&[(of("f"), &unchanged)]);
    let pattern = format!("{}_{}", "Cons { Tail: ".repeat(n / 2), " }".repeat(n / 2));
    let text = format!("requires match (snoc(Nil {{}}, 1)) {{ {pattern} => {{ true }} _ => {{ false }} }};");
    good(&[(of("f"), &text)]);
}

#[test]
fn long_specs_are_checked_in_time() {
    let n = 5_000;
    let takes: String = (0..n).map(|k| format!("take X{k} = RW<int>(array_shift<int>(a, {k})); ")).collect();
    let uses: String = (0..n).map(|k| format!("*(a + {k}) == X{k}; ")).collect();
    let unknown: String = (0..n).map(|k| format!("Y{k} == 1; ")).collect();
    let (_, messages) = outcome(&[(of("f"), &format!("requires {takes} {uses} {unknown}"))]);
    assert_eq!(messages.len(), 100);
    let datatypes: String =
        (0..n).map(|k| format!("datatype D{k} {{ C{k} {{ datatype D{} d }} }} ", k + 1)).collect();
    let (specs, messages) = outcome(&[(Place::Top, &format!("{datatypes} datatype D{n} {{ End {{}} }}"))]);
    assert_eq!((specs.datatypes.len(), messages.len()), (n + 1, 0));
    let statements: Vec<(Place, String)> = (0..2_000)
        .map(|k| {
            (
                Place::Statement { function: "f".to_string(), site: Site(k + 10) },
                "assert(x == 1i32);".to_string(),
            )
        })
        .collect();
    let mut all: Vec<(Place, &str)> =
        statements.iter().map(|(place, text)| (place.clone(), text.as_str())).collect();
    let requires = format!("requires {takes}");
    all.push((of("f"), &requires));
    let (specs, messages) = outcome(&all);
    assert_eq!((specs.statements.len(), messages.len()), (2_000, 0));
}

#[test]
fn long_chains_of_synonyms_do_not_overflow() {
    let n = 20_000;
    let text: String = (0..n).map(|k| format!("type_synonym t{k} = t{} ", k + 1)).collect();
    let _ =
        outcome(&[(Place::Top, &format!("{text} type_synonym t{n} = u32 function (t0) f0() {{ 1u32 }}"))]);
}

#[test]
fn types_do_not_grow_without_end() {
    let n = 3_000;
    let doubled: String = (0..n).map(|k| format!("let y{} = {{ a: y{k}, b: y{k} }}; ", k + 1)).collect();
    let (_, messages) = outcome(&[(of("f"), &format!("requires let y0 = x; {doubled} y{n} == y{n};"))]);
    assert!(messages[0].contains("more than 1000 parts"), "{}", messages.join("\n"));
    let nested: String = (0..n).map(|k| format!("let y{} = Some([y{k}]); ", k + 1)).collect();
    let (_, messages) = outcome(&[(of("f"), &format!("requires let y0 = x; {nested} y{n} == y{n};"))]);
    assert!(messages[0].contains("more than 1000 parts"));
    let synonyms: String = (0..n).map(|k| format!("type_synonym t{} = {{t{k} a, t{k} b}} ", k + 1)).collect();
    let (_, messages) =
        outcome(&[(Place::Top, &format!("type_synonym t0 = u8 {synonyms} function (t{n}) z() {{ 1 }}"))]);
    assert!(messages[0].contains("more than 1000 parts"));
}

#[test]
fn patterns_that_explode_are_refused() {
    let n = 24;
    let fields: Vec<String> = (0..n).map(|k| format!("boolean_ b{k}")).collect();
    let fields = fields.join(", ").replace("boolean_", "datatype Bit");
    let arms: String = (0..n)
        .map(|k| format!("Wide {{ b{k}: Zero {{}}, b{}: One {{}} }} => {{ true }} ", (k + 1) % n))
        .collect();
    let text = format!(
        "datatype Bit {{ Zero {{}}, One {{}} }} datatype Wide_ {{ Wide {{ {fields} }} }}
        function (boolean) w(datatype Wide_ x) {{ match x {{ {arms} }} }}"
    );
    let (_, messages) = outcome(&[(Place::Top, &text)]);
    assert_eq!(messages.len(), 1, "{}", messages.join("\n"));
}
