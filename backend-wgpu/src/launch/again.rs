//! Dispatches that are encoded again and again.

use super::Work;

/// A dispatch, and what was made for it when it was encoded last.
#[derive(Debug)]
pub(crate) struct Again {
    pub(crate) work: Work,
    /// Its bind group, with the number of the buffer of launch blocks that this names.
    pub(crate) group: Option<(u64, wgpu::BindGroup)>,
    /// Where its launch block lies, in which batch of blocks. A block that names fault slots is another each time.
    pub(crate) placed: Option<(u64, u32)>,
    /// Tells it from all others.
    pub(crate) number: u64,
}

impl Again {
    pub(crate) fn new(work: Work, number: u64) -> Again {
        Again { work, group: None, placed: None, number }
    }
}
