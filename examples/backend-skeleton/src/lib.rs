//! A backend to copy: the README has the steps.
//!
//! The device is a part of this process. Its memory (`memory.rs`) is an array of words, its queue (`queue.rs`) works at
//! once, and its launches (`launch.rs`) are those of the IR's interpreter. [`Skeleton`] is the object that ties them
//! together. Replace them one by one by those of your device.

mod backend;
mod launch;
mod memory;
mod queue;

pub use backend::Skeleton;

/// Name of the backend: the value of `--backend`.
pub const NAME: &str = "skeleton";
