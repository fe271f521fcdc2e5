//! Kernel modules over lists of types.

mod averages;
mod limits;
mod values;

pub use averages::means;
pub use values::numbers;
