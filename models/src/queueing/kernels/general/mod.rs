//! The kernels of the general engine: stations of several servers, disciplines, capacities, classes and laws, and sources.

mod clusters;
mod facilities;
mod lines;
mod outlooks;
mod server_rows;
mod stepping;

pub use clusters::clustering;
pub use facilities::facility;
pub use lines::line;
pub use outlooks::outlook;
pub use server_rows::servers;
pub use stepping::steps;
