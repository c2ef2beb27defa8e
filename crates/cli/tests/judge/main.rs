//! What the command says of small C files: undefined arithmetic, uninitialised values, leaks, failing allocations,
//! two implementations, functions without a contract, files.

mod garbage;
mod notes;
mod support;
mod undefined;
