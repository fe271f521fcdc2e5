//! Paths as ranges of a list of links, and their changes.

use std::sync::Arc;

/// Path of packets: a range of [`Paths::links`](super::Paths::links).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Path {
    pub(in super::super) start: u32,
    pub(in super::super) end: u32,
}

/// Path there, and path back; `None` while there is none, because links are down.
pub(in super::super) type Ways = [Option<Path>; 2];

/// Current paths that change at a time.
#[derive(Debug)]
pub(in super::super) struct Change {
    /// Time of the change, in picoseconds.
    pub(in super::super) time: u64,
    /// Indices among the current paths, and the paths from then on.
    pub(in super::super) paths: Arc<[(u32, Ways)]>,
}
