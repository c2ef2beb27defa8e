//! What the command says of small C files: undefined arithmetic, uninitialised values, leaks, failing allocations,
//! two implementations, functions without a contract, files.

mod allocations;
mod files;
mod garbage;
mod limits;
mod notes;
mod same;
mod support;
mod threads;
mod undefined;
mod world;
