//! Place of a server that goes from queue to queue.

/// Place of a server that goes from queue to queue.
#[derive(Debug, Clone)]
pub(super) struct Poll {
    /// Number of the queue in the order of visits, where the server is or to which it goes.
    pub(super) place: usize,
    /// Time at which it comes there; `None` once it is there.
    pub(super) comes: Option<u64>,
    /// Number of entries into the line when it came.
    pub(super) gate: u64,
    /// Number of services since it came.
    pub(super) served: u32,
}

impl Poll {
    /// Returns the place at the start: the server comes to the first queue.
    pub(super) const fn new() -> Self {
        Self { place: 0, comes: Some(0), gate: 0, served: 0 }
    }
}
