//! The book in `docs/`, compiled and run as documentation tests.
//!
//! One item a page, so that a failing snippet names its page and line. `tests/book` compares the reports that
//! the book shows with real ones. docs/refinement-c.md needs `stairway-c`, and is compiled and compared
//! there.

macro_rules! pages {
    ($($name:ident: $path:literal,)*) => {$(
        #[doc = include_str!($path)]
        struct $name;
    )*};
}

pages! {
    Front: "../../../README.md",
    Contents: "../../../docs/README.md",
    Tutorial: "../../../docs/tutorial.md",
    FirstProperty: "../../../docs/first-property.md",
    Recipes: "../../../docs/recipes.md",
    Messages: "../../../docs/messages.md",
    Ci: "../../../docs/ci.md",
    Generators: "../../../docs/generators.md",
    Properties: "../../../docs/properties.md",
    Programs: "../../../docs/programs.md",
    Machines: "../../../docs/machines.md",
    MachineHandles: "../../../docs/machines-handles.md",
    MachineProperties: "../../../docs/machines-properties.md",
    MachineDrivers: "../../../docs/machines-drivers.md",
    MachineComposition: "../../../docs/machines-composition.md",
    MachineLimits: "../../../docs/machines-limits.md",
    Refinement: "../../../docs/refinement.md",
    C: "../../../docs/c.md",
    CReport: "../../../docs/c-report.md",
    Embedded: "../../../docs/embedded.md",
    Running: "../../../docs/running.md",
    HowItWorks: "../../../docs/how-it-works.md",
    ComingFrom: "../../../docs/coming-from.md",
    Campaigns: "../../../docs/campaigns.md",
    Finds: "../../../docs/finds.md",
    Glossary: "../../../docs/glossary.md",
}
