//! Memory of a device: its buffer, its room for lanes, the validity of its contents, and its last users.
//!
//! A device's accounts count the memory, and its pool keeps host memory for transfers. Nothing here puts work on a
//! queue: a queue is known by the numbers of its operations only.

mod accounts;
mod address;
mod piece;
mod room;
mod shared;
mod staging;
mod staging_pool;
mod uses;

pub use accounts::MemoryStatistics;
pub(crate) use address::ByAddress;
pub(crate) use piece::{Description, Memory};
pub(crate) use room::Room;
pub(crate) use shared::{Keeper, Shared};
pub use staging::{Plain, Staging};
pub(crate) use uses::{Clock, Mark, Numbered, Use};
