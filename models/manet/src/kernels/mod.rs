//! Kernels of mobile ad hoc networks.

mod arrivals;
mod attempts;
mod geometries;
mod grids;
mod media;
mod motions;
mod nodes;
mod routes;

pub use arrivals::arrival;
pub use attempts::attempt;
pub use geometries::geometry;
pub use grids::grid;
pub use media::medium;
pub use motions::motion;
pub use nodes::node;
pub use routes::gpsr;
