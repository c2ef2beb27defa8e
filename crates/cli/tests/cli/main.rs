//! The command as a user runs it: C files in a folder, exit codes, reports, programs that fail on their own.

mod exits;
mod programs;
mod refine;
mod reports;
mod support;
