//! Dispatches that are encoded repeatedly.

use super::Work;

/// A dispatch with the state from its last encoding.
#[derive(Debug)]
pub(crate) struct Again {
    pub(crate) work: Work,
    /// Bind group of the dispatch, with the identifier of its buffer of launch blocks.
    pub(crate) group: Option<(u64, wgpu::BindGroup)>,
    /// Batch that holds the launch block, and offset in it. A block that names fault slots differs each time.
    pub(crate) placed: Option<(u64, u32)>,
    /// Unique identifier of the dispatch.
    pub(crate) number: u64,
}

impl Again {
    pub(crate) fn new(work: Work, number: u64) -> Again {
        Again { work, group: None, placed: None, number }
    }
}
