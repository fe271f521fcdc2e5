//! Kernels of the general engine: stations of several servers, disciplines, capacities, classes and laws, and sources.

mod beginnings;
mod clusters;
mod enclosures;
mod endings;
mod facilities;
mod lines;
mod server_rows;
mod stepping;
mod turns;

pub use beginnings::beginning;
pub use clusters::clustering;
pub use enclosures::enclosed;
pub use endings::conclusion;
pub use facilities::facility;
pub use lines::line;
pub use server_rows::servers;
pub use stepping::steps;
pub use turns::departures;
