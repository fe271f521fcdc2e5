//! Bundles: rows, tables, tallies and parameter blocks as one parameter.

mod histories;
mod launches;
mod nodes;
mod phases;

pub use histories::flows;
pub use launches::rows;
pub use nodes::network;
pub use phases::grouped;
