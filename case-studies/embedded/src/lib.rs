//! A case study in C; everything of it is in `c/`, and its tests build and run that, on this machine and on
//! emulated boards.

pub mod board;
pub mod sections;

/// Where the C sources of FreeRTOS are.
pub const FREERTOS_KERNEL: &str = env!("FREERTOS_KERNEL");
