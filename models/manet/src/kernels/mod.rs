//! Kernels of mobile ad hoc networks.

mod geometries;
mod grids;
mod motions;
mod nodes;
mod routes;

pub use geometries::geometry;
pub use grids::grid;
pub use motions::motion;
pub use nodes::node;
pub use routes::gpsr;
