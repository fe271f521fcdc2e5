//! A launch of a program, ready to be started any number of times.

use crate::device::Context;
use crate::driver::Stream;
use crate::launch::{self, Parameters, Work};
use crate::memory::{DeviceBuffer, PinnedPool};
use crate::module::Pipeline;
use imminent_core::Result;
use std::sync::Arc;

/// A launch whose parameters are all known.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) code: Arc<Pipeline>,
    /// Number of blocks.
    pub(super) groups: u32,
    /// Launch block, or the address of `block_memory`.
    block: Vec<u32>,
    pub(super) block_memory: Option<DeviceBuffer>,
    places: Vec<u64>,
}

impl Prepared {
    /// Prepares a call whose launch block is complete.
    pub(super) fn new(
        context: &Context,
        stream: &Arc<Stream>,
        staging: &mut PinnedPool,
        Work { code, places, mut block, groups, .. }: Work,
    ) -> Result<Prepared> {
        let mut block_memory = None;
        if code.block_in_memory {
            let buffer = launch::upload_block(context, stream, staging, &block)?;
            block = launch::address_words(buffer.pointer()).to_vec();
            block_memory = Some(buffer);
        }
        Ok(Prepared { code, groups, block, block_memory, places })
    }

    /// Prepares a loop that is one launch, with its words of arguments and its largest number of steps.
    pub(super) fn of_loop(code: Arc<Pipeline>, groups: u32, arguments: Vec<u32>, max_steps: u64) -> Prepared {
        Prepared { code, groups, block: arguments, block_memory: None, places: vec![max_steps] }
    }

    /// Returns the launch block and the addresses; `None` if the block is in memory.
    pub(super) fn arguments(&self) -> Option<(&[u32], &[u64])> {
        self.block_memory.is_none().then_some((&self.block, &self.places))
    }

    /// Returns the values for the driver. They live as long as this and the address of the state buffer.
    pub(super) fn parameters(&self, state: &u64) -> Parameters {
        Parameters::new(state, &self.block, &self.places)
    }

    /// Returns the values for a control operation that controls a WHILE node; `node` is the node's handle, and the
    /// role.
    pub(super) fn parameters_of_control(&self, state: &u64, node: &[u64; 2]) -> Parameters {
        Parameters::new(state, &self.block, node)
    }
}
