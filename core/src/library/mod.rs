//! The device library: kernel modules that models are built from, written in the kernel language itself.

mod random_numbers;
mod steps;

pub use random_numbers::random;
pub(crate) use steps::stepping;
