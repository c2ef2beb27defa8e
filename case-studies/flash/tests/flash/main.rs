//! The file system beside its specifications.

mod crash;
mod index;
mod readme;
mod readpage;
