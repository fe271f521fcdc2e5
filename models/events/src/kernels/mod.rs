//! The kernels that all event models share.

mod keys;
mod lists;
mod searching;

pub use keys::order;
pub use lists::list;
pub use searching::search;
