//! Where the launch blocks of a batch lie.

use crate::device::Context;
use crate::memory::Segment;
use imminent_core::Result;

/// A buffer of launch blocks, filled on the host while a batch is gathered and uploaded once with it.
///
/// Bind groups name the buffer as a whole and dispatches an offset into it, so that a launch with the same tables needs
/// no new bind group.
#[derive(Debug)]
pub(super) struct Arena {
    segment: Segment,
    words: Vec<u32>,
    /// What the buffer begins with. Launches that come again have the same blocks in batch after batch.
    uploaded: Vec<u32>,
    alignment: u64,
    /// The number of the batch, from 1.
    batch: u64,
}

/// Bytes of an arena, unless one block needs more.
const BYTES: u64 = 128 << 10;

impl Arena {
    pub(super) fn new(context: &Context) -> Result<Arena> {
        let segment = Segment::new(context, "launch blocks", 0..BYTES / 4)?;
        Ok(Arena {
            segment,
            words: Vec::new(),
            uploaded: Vec::new(),
            alignment: context.limits.launch_alignment,
            batch: 1,
        })
    }

    pub(super) fn segment(&self) -> &Segment {
        &self.segment
    }

    fn next(&self) -> u64 {
        (self.words.len() as u64 * 4).next_multiple_of(self.alignment)
    }

    /// Whether a block of so many bytes fits behind those that are there.
    pub(super) fn has_room(&self, bytes: u64) -> bool {
        self.next() + bytes <= self.segment.buffer.size()
    }

    /// Makes an empty arena large enough for a block.
    pub(super) fn grow(&mut self, context: &Context, bytes: u64) -> Result<()> {
        if self.words.is_empty() && bytes > self.segment.buffer.size() {
            self.segment = Segment::new(context, "launch blocks", 0..bytes.next_power_of_two() / 4)?;
            self.uploaded.clear();
        }
        Ok(())
    }

    /// Whether a place is one of the present batch: its block is there and can be used again.
    pub(super) fn is_present(&self, placed: Option<(u64, u32)>) -> bool {
        placed.is_some_and(|(batch, _)| batch == self.batch)
    }

    /// Places a block, which has room, and gives its batch and its offset in bytes.
    pub(super) fn place(&mut self, block: &[u32], bytes: u64) -> (u64, u32) {
        let start = self.next();
        self.words.resize((start / 4) as usize, 0);
        self.words.extend_from_slice(block);
        self.words.resize(((start + bytes) / 4) as usize, 0);
        // An arena is far smaller than 4 GiB.
        (self.batch, start as u32)
    }

    /// Puts the upload before the commands of the next submission.
    pub(super) fn upload(&mut self, queue: &wgpu::Queue) {
        if !self.uploaded.starts_with(&self.words) {
            queue.write_buffer(&self.segment.buffer, 0, bytemuck::cast_slice(&self.words));
            self.uploaded.clone_from(&self.words);
        }
    }

    /// Notes that nobody knows what the buffer holds.
    pub(super) fn lost(&mut self) {
        self.uploaded.clear();
    }

    /// Forgets the blocks of the batch that was submitted.
    pub(super) fn reset(&mut self) {
        self.words.clear();
        self.batch += 1;
    }
}
