//! The models' kernels, in the kernel language.

mod boundaries;
mod bounds;
mod endings;
pub mod general;
mod laws;
mod nodes;
mod servers;
mod serving;
mod steps;
mod tori;

pub use boundaries::boundary;
pub use bounds::relaxation;
pub use endings::ending;
pub use laws::{law, law_rows};
pub use nodes::station;
pub use servers::server;
pub use serving::tiles;
pub use steps::clustered;
pub use tori::torus;

/// Returns the modules with kernels of simple networks, such as a torus.
#[must_use]
pub fn of_simple() -> Vec<&'static imminent_core::ModuleSource> {
    vec![
        boundary::source(),
        ending::source(),
        relaxation::source(),
        tiles::source(),
        torus::source(),
        clustered::source(),
    ]
}

/// Returns all modules with kernels, for those who print or compile them.
#[must_use]
pub fn sources() -> Vec<&'static imminent_core::ModuleSource> {
    let general = [
        general::beginning::source(),
        general::steps::source(),
        general::enclosed::source(),
        general::clustering::source(),
        general::conclusion::source(),
    ];
    [&of_simple()[..], &general].concat()
}
