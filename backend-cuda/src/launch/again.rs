//! Launches that are put on a stream repeatedly.

use super::{Sink, Work};
use crate::driver::Stream;
use crate::memory::memory;
use crate::module::{Function, Kernel};
use imminent_core::Result;
use imminent_core::backend::{Buffer, Launch};
use std::sync::Arc;

/// One launch of one compiled kernel; it owns everything that [`Work`] borrows.
#[derive(Debug)]
pub(crate) struct Again {
    function: Arc<Function>,
    blocks: u32,
    threads: u32,
    block: Vec<u32>,
    pointers: Vec<u64>,
    faulting: Option<Arc<Kernel>>,
    /// Memories that the pointers name.
    memories: Vec<Buffer>,
}

impl Again {
    /// Puts the launch on a stream.
    pub(crate) fn start(&mut self, stream: &Arc<Stream>, sink: &mut dyn Sink) -> Result<()> {
        for buffer in &self.memories {
            memory(buffer)?.used_by(stream, false)?;
        }
        sink.take(Work {
            function: &self.function,
            blocks: self.blocks,
            threads: self.threads,
            block: &mut self.block,
            block_in_memory: false,
            pointers: &self.pointers,
            faulting: self.faulting.as_ref(),
        })
    }
}

/// Keeps the plan of a launch, if that is a single call whose parameters are passed by value. Further calls use memory
/// that other launches use too.
#[derive(Debug)]
pub(crate) struct Alone<'l> {
    launch: &'l Launch,
    calls: usize,
    kept: Option<Again>,
}

impl<'l> Alone<'l> {
    pub(crate) fn new(launch: &'l Launch) -> Alone<'l> {
        Alone { launch, calls: 0, kept: None }
    }

    /// Returns the call, if it was the only one.
    pub(crate) fn into_kept(self) -> Option<Again> {
        self.kept.filter(|_| self.calls == 1)
    }
}

impl Sink for Alone<'_> {
    fn take(&mut self, work: Work<'_>) -> Result<()> {
        self.calls += 1;
        if !work.block_in_memory {
            self.kept = Some(Again {
                function: work.function.clone(),
                blocks: work.blocks,
                threads: work.threads,
                block: work.block.to_vec(),
                pointers: work.pointers.to_vec(),
                faulting: work.faulting.cloned(),
                memories: self.launch.buffers().cloned().collect(),
            });
        }
        Ok(())
    }
}
