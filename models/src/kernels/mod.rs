//! The models' kernels, in the kernel language.

mod nodes;
mod steps;
mod sweep;

pub use nodes::station;
pub use steps::clustered;
pub use sweep::exact;
