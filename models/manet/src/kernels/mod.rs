//! Kernels of mobile ad hoc networks.

mod arrivals;
mod attempts;
mod failures;
mod geometries;
mod grids;
mod media;
mod motions;
mod neighbourhoods;
mod nodes;
mod presences;
mod routes;
mod teams;
mod walks;

pub use arrivals::arrival;
pub use attempts::attempt;
pub use failures::failure;
pub use geometries::geometry;
pub use grids::grid;
pub use media::medium;
pub use motions::motion;
pub use neighbourhoods::neighbourhood;
pub use nodes::node;
pub use presences::presence;
pub use routes::gpsr;
pub use teams::team;
pub use walks::walk;

/// Returns the modules with kernels, for those who print or compile them.
#[must_use]
pub fn sources() -> Vec<&'static imminent_core::ModuleSource> {
    vec![
        node::source(),
        motion::source(),
        grid::source(),
        medium::source(),
        neighbourhood::source(),
        failure::source(),
        attempt::source(),
        arrival::source(),
    ]
}
