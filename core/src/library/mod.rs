//! The device library: kernel modules that models are built from, written in the kernel language itself.

mod fixed_point;
mod grids;
mod messages;
mod random_numbers;

pub use fixed_point::fixed;
pub use grids::grid;
pub use messages::mail;
pub use random_numbers::random;
