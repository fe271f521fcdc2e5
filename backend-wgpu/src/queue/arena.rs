//! Memory of the launch blocks of a batch.

use crate::device::Context;
use crate::memory::Segment;
use imminent_core::Result;

/// A buffer of launch blocks, filled on the host while a batch is gathered and uploaded once with it.
///
/// Bind groups name the whole buffer, and dispatches an offset into it, so a launch with the same tables needs no new
/// bind group.
#[derive(Debug)]
pub(super) struct Arena {
    segment: Segment,
    words: Vec<u32>,
    /// Words with which the buffer begins. Repeated launches have the same blocks in every batch, which need no upload.
    uploaded: Vec<u32>,
    alignment: u64,
    /// Number of the batch, from 1.
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

    /// Returns `true` if a block of this size fits behind the present ones.
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

    /// Returns `true` if a position belongs to the present batch: its block is there and can be used again.
    pub(super) fn is_present(&self, placed: Option<(u64, u32)>) -> bool {
        placed.is_some_and(|(batch, _)| batch == self.batch)
    }

    /// Places a block for which there is room, and returns its batch and its offset in bytes.
    pub(super) fn place(&mut self, block: &[u32], bytes: u64) -> (u64, u32) {
        let start = self.next();
        self.words.resize((start / 4) as usize, 0);
        self.words.extend_from_slice(block);
        self.words.resize(((start + bytes) / 4) as usize, 0);
        // An arena is far smaller than 4 GiB.
        (self.batch, start as u32)
    }

    /// Schedules the upload before the commands of the next submission.
    pub(super) fn upload(&mut self, queue: &wgpu::Queue) {
        if !self.uploaded.starts_with(&self.words) {
            queue.write_buffer(&self.segment.buffer, 0, bytemuck::cast_slice(&self.words));
            self.uploaded.clone_from(&self.words);
        }
    }

    /// Notes that the contents of the buffer are unknown.
    pub(super) fn lost(&mut self) {
        self.uploaded.clear();
    }

    /// Forgets the blocks of the batch that was submitted.
    pub(super) fn reset(&mut self) {
        self.words.clear();
        self.batch += 1;
    }
}
