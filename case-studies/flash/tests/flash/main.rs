//! The file system beside its specifications.

mod c_store;
mod crash;
mod index;
mod readme;
mod readpage;
