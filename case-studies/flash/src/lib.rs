//! A small flash file system after the BilbyFs of "Climbing the Stairway to Verification".
//!
//! [`readpage`](page::readpage) reads one page of a file from a store of objects. The store is anything that
//! has objects ([`store::Objects`]): a mock, or the file system ([`files::Files`]), which keeps objects in a
//! log on flash and finds them by a red-black tree ([`tree::Tree`]). Mistakes can be planted in both; without
//! any, all specifications in `tests/` hold.

pub mod files;
pub mod page;
pub mod store;
pub mod tree;
