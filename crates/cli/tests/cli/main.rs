//! The command as a user runs it: C files in a folder, exit codes, reports, programs that fail on their own.

mod bad_input;
mod budgets;
mod campaigns;
mod deaths;
mod embedded;
mod exits;
mod feed;
mod feedback;
mod lines;
mod options;
mod programs;
mod refine;
mod reports;
mod signals;
mod specs;
mod support;
mod way_in;
