//! The kernels that all event models share.

mod keys;
mod messages;

pub use keys::order;
pub use messages::delivery;
