//! Kernels and modules as the `#[kernels]` macro emits them.

pub use crate::bind::{Bundle, BundleField, Kernel};
pub use crate::source::{KernelSource, ModuleSource, OutsideConst};
