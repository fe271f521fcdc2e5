//! The kernels that all event models share.

mod keys;
mod lists;

pub use keys::order;
pub use lists::list;
