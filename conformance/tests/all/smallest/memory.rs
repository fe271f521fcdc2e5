//! Memory of the device.

use imminent_core::Result;
use imminent_core::backend::{Allocation, Buffer, DeviceMemory, Ragged, Shape, Span};
use imminent_core::ir::Scalar;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// Words of a table, tally or result, in the canonical layout.
pub(super) struct Memory {
    shape: Shape,
    /// Positions of the lanes of a ragged table.
    room: Option<Ragged>,
    words: Mutex<Vec<u32>>,
    allocated: Arc<AtomicU64>,
}

impl DeviceMemory for Memory {
    const BACKEND: &'static str = "interpreter";

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn starts(&self) -> &[u32] {
        self.room.as_ref().map_or(&[], Ragged::starts)
    }
}

impl Memory {
    pub(super) fn allocate(allocation: &Allocation, allocated: &Arc<AtomicU64>) -> Buffer {
        let room = match allocation {
            Allocation::Ragged { room, .. } => Some(room.clone()),
            _ => None,
        };
        Buffer::new(Memory::new(Shape::of(allocation), room, allocated))
    }

    fn new(shape: Shape, room: Option<Ragged>, allocated: &Arc<AtomicU64>) -> Memory {
        allocated.fetch_add(shape.bytes(), Ordering::Relaxed);
        let words = Mutex::new(vec![0; shape.words() as usize]);
        Memory { shape, room, words, allocated: Arc::clone(allocated) }
    }

    /// Creates a table with the same rows and more lanes. Columns of lanes are the last ones, lane by lane.
    pub(super) fn grown(&self, lanes: u32) -> Result<Buffer> {
        let grown = Memory::new(self.shape.grown(lanes)?, None, &self.allocated);
        let words = self.words();
        grown.words()[..words.len()].copy_from_slice(&words);
        Ok(Buffer::new(grown))
    }

    pub(super) fn words(&self) -> MutexGuard<'_, Vec<u32>> {
        self.words.lock().unwrap()
    }

    pub(super) fn room(&self) -> Option<&Ragged> {
        self.room.as_ref()
    }

    pub(super) fn write(&self, span: &Span, bytes: &[u8]) -> Result<()> {
        let range = self.shape.words_of(span)?;
        let words = &mut self.words()[range.start as usize..range.end as usize];
        let given = bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        words.iter_mut().zip(given).for_each(|(word, given)| *word = given);
        Ok(())
    }

    pub(super) fn read(&self, span: &Span, bytes: &mut [u8]) -> Result<()> {
        let range = self.shape.words_of(span)?;
        let words = &self.words()[range.start as usize..range.end as usize];
        bytes.chunks_exact_mut(4).zip(words).for_each(|(to, word)| to.copy_from_slice(&word.to_le_bytes()));
        Ok(())
    }

    pub(super) fn copy_from(&self, other: &Memory) -> Result<()> {
        other.shape.check_copy(&self.shape)?;
        let words = other.words().clone();
        self.words().copy_from_slice(&words);
        Ok(())
    }

    /// Returns the bits of a scalar.
    pub(super) fn get(&self, lane: Option<u32>, row: u32, word: u32, scalar: Scalar) -> Result<u64> {
        let at = self.shape.words_of(&Span::column(lane, word, scalar, row..row + 1))?;
        let words = self.words();
        Ok(at.rev().fold(0, |bits, at| bits << 32 | u64::from(words[at as usize])))
    }

    pub(super) fn set(&self, lane: Option<u32>, row: u32, word: u32, scalar: Scalar, bits: u64) -> Result<()> {
        let at = self.shape.words_of(&Span::column(lane, word, scalar, row..row + 1))?;
        let mut words = self.words();
        at.enumerate().for_each(|(part, at)| words[at as usize] = (bits >> (32 * part)) as u32);
        Ok(())
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.allocated.fetch_sub(self.shape.bytes(), Ordering::Relaxed);
    }
}
