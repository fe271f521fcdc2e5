//! The kernels that all event models share.

mod keys;

pub use keys::order;
