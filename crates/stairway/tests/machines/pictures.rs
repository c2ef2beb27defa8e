//! Pictures show states, operations, guards, what was taken and what went wrong.

use super::atm;
use super::tracked::pages;

#[test]
fn dot_and_mermaid_name_everything() {
    let dot = atm::atm::picture().dot();
    assert!(dot.contains("start -> Ready;"), "{dot}");
    assert!(dot.contains("CardInserted -> Session [label=\"check_pin / Correct\"];"), "{dot}");
    let mermaid = pages::picture().mermaid();
    assert!(mermaid.contains("Read --> Writing: turn [faults == 0] | tear [faults != 0]"), "{mermaid}");
}

#[test]
fn coverage_and_counterexamples_are_drawn() {
    let report = stairway::machine::formula_report("picture", &atm::pin_phase_ends::FORMULA);
    let picture = atm::atm::picture().coverage(&report);
    assert!(picture.dot().contains("times"), "{}", picture.dot());
    let path = atm::atm::picture().path(&["CardInserted", "Session", "Session"]);
    assert!(path.dot().contains("Session -> Session [label=\"dispense\\nstep 3\", color"), "{}", path.dot());
    let svg = picture.path(&["CardInserted"]).svg();
    assert!(svg.starts_with("<svg") && svg.contains("CardInserted") && svg.contains("#c0392b"), "{svg}");
    assert!(!svg.contains("\n\n"), "a blank line would end it in documentation");
    if let Some(folder) = std::env::var_os("WRITE_PICTURES") {
        let folder = std::path::Path::new(&folder);
        std::fs::write(folder.join("atm.svg"), &svg).expect("a picture can be written");
        std::fs::write(folder.join("pages.svg"), pages::picture().svg()).expect("a picture can be written");
        std::fs::write(folder.join("lift.svg"), super::shapes::lift::picture().svg())
            .expect("a picture can be written");
    }
}
