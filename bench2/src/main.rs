#[path = "../../bench/src/findings.rs"] mod findings;
#[path = "../../bench/src/results.rs"] mod results;
mod embedded;
fn main() {
    let mut findings = findings::Findings::default();
    self::embedded::run(&mut findings);
    results::write("embedded", &findings).expect("written");
    for figure in &findings.figures { println!("{}", figure.to_json()); }
}
