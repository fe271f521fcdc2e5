//! The models' kernels, in the kernel language.

pub mod general;
mod laws;
mod nodes;
mod relaxation;
mod steps;
mod sweep;

pub use laws::{law, law_rows};
pub use nodes::station;
pub use relaxation::tiles;
pub use steps::clustered;
pub use sweep::exact;
