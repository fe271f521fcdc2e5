//! Assignment of memory to tables at a point of a program.

use crate::backend::Buffer;
use crate::memory::Memory;
use std::sync::Arc;

/// Buffers of swapped tables, where these are not their own.
#[derive(Clone, Debug, Default)]
pub(super) struct Assignment {
    moved: Vec<(Arc<Memory>, Buffer)>,
}

impl Assignment {
    /// Returns the buffer that a table has here.
    pub(super) fn buffer(&self, memory: &Arc<Memory>) -> Buffer {
        let moved = self.moved.iter().find(|(of, _)| Arc::ptr_eq(of, memory));
        moved.map_or_else(|| memory.buffer(), |(_, buffer)| buffer.clone())
    }

    /// Swaps two tables.
    pub(super) fn swap(&mut self, a: &Arc<Memory>, b: &Arc<Memory>) {
        let (of_a, of_b) = (self.buffer(a), self.buffer(b));
        self.set(a, of_b);
        self.set(b, of_a);
    }

    fn set(&mut self, memory: &Arc<Memory>, buffer: Buffer) {
        self.moved.retain(|(of, _)| !Arc::ptr_eq(of, memory));
        if !memory.buffer().is(&buffer) {
            self.moved.push((memory.clone(), buffer));
        }
    }

    /// Returns `true` if every table has the same buffer as in another assignment.
    pub(super) fn is(&self, other: &Assignment) -> bool {
        let same = |(memory, buffer): &(Arc<Memory>, Buffer)| other.buffer(memory).is(buffer);
        self.moved.iter().all(same) && other.moved.iter().all(|(memory, buffer)| self.buffer(memory).is(buffer))
    }

    /// Makes the assignment permanent: every table keeps the buffer that it has here.
    pub(super) fn settle(&self) {
        for (memory, buffer) in &self.moved {
            memory.exchange(buffer.clone());
        }
    }
}
