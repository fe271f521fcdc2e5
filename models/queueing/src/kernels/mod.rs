//! The models' kernels, in the kernel language.

mod boundaries;
mod bounds;
mod desks;
pub mod general;
mod laws;
mod nodes;
mod serving;
mod steps;

pub use boundaries::boundary;
pub use bounds::relaxation;
pub use desks::desk;
pub use laws::{law, law_rows};
pub use nodes::station;
pub use serving::tiles;
pub use steps::clustered;
