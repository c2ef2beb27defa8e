//! Users rely on machines: handles that only do what is possible, properties checked by the compiler
//! and again here, drivers as systems, pictures.

mod atm;
mod classes;
mod compiled;
mod composed;
mod drivers;
mod functions;
mod naming;
mod numbered;
mod pictures;
mod readings;
#[cfg(unix)]
mod real;
mod shapes;
mod tracked;

/// The pages on machines show what is really said.
#[test]
fn the_book_shows_what_is_said() {
    let page = [
        include_str!("../../../../docs/machines.md"),
        include_str!("../../../../docs/machines-handles.md"),
        include_str!("../../../../docs/machines-properties.md"),
        include_str!("../../../../docs/machines-drivers.md"),
        include_str!("../../../../docs/machines-composition.md"),
        include_str!("../../../../docs/machines-limits.md"),
    ]
    .concat();
    let said = [
        include_str!("../ui/machine_checks.stderr"),
        include_str!("../ui/machine_compose.stderr"),
        include_str!("../ui/machine_handles.stderr"),
        &atm::report_of_a_forgetful_bank().to_string(),
    ]
    .concat();
    let blocks = page.split("```text\n").skip(1).filter_map(|block| block.split_once("\n```"));
    for line in blocks.flat_map(|(block, _)| block.lines()).filter(|line| line.trim() != "|") {
        assert!(said.contains(line), "the page shows a line that nobody says: {line}");
    }
}
