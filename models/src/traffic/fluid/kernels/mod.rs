//! The fluid equations as kernels.

mod equations;
mod passages;

pub use equations::fluids;
pub use passages::ways;
