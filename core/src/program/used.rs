//! Memories that the steps of a program use.

use super::step::{Step, collect};
use crate::error::Result;
use crate::memory::Memory;
use std::sync::Arc;

/// Memories, each once.
#[derive(Debug)]
pub(super) struct Used {
    pub(super) touched: Vec<Arc<Memory>>,
    written: Vec<Arc<Memory>>,
}

impl Used {
    /// Collects the memories that some steps use.
    pub(super) fn by(steps: &[Step]) -> Self {
        let (mut written, mut touched) = (Vec::new(), Vec::new());
        collect(steps, &mut written, &mut touched);
        for memories in [&mut written, &mut touched] {
            memories.sort_unstable_by_key(|memory| Arc::as_ptr(memory) as usize);
            memories.dedup_by(|a, b| Arc::ptr_eq(a, b));
        }
        Used { touched, written }
    }

    /// Checks that all memory that is read is valid.
    pub(super) fn check(&self) -> Result<()> {
        self.touched.iter().try_for_each(|memory| memory.check())
    }

    /// Returns each memory, with `true` if it may be written.
    pub(super) fn each(&self) -> impl Iterator<Item = (&Arc<Memory>, bool)> + Clone {
        let read = self.touched.iter().map(|memory| (memory, false));
        read.chain(self.written.iter().map(|memory| (memory, true)))
    }
}
