//! The machine over small C programs: right ones pass, wrong ones end as what they are.

mod bad;
mod calls;
mod comparisons;
mod frames;
mod limits;
mod measure;
mod right;
mod support;
