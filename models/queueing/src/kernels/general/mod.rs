//! Kernels of the general engine: stations of several servers, disciplines, capacities, classes and laws, and sources.

mod clusters;
mod enclosures;
mod facilities;
mod lines;
mod server_rows;
mod stepping;
mod turns;

pub use clusters::clustering;
pub use enclosures::enclosed;
pub use facilities::facility;
pub use lines::line;
pub use server_rows::servers;
pub use stepping::steps;
pub use turns::departures;
