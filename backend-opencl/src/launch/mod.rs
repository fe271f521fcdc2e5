//! Translation of a launch into kernels.

mod scratch;

pub(crate) use scratch::Scratch;

use crate::device::MAX_ROWS;
use crate::memory::{Memory, WordBuffer};
use crate::module::{Pipeline, Source};
use crate::runtime::{Runtime, RuntimeKernel};
use imminent_core::backend::Node;
use imminent_core::{DeviceKind, Error, Limit, Result};
use imminent_device::dispatch::{self, Launcher, ROWS_PER_GROUP, STORE_WORDS, Signature, WorkOf};
use imminent_ir::Reductions;
use std::sync::Arc;

/// One call of a kernel.
pub(crate) type Work = WorkOf<Runtime>;
/// Working memory for planning launches.
pub(crate) type Planner = dispatch::Planner<Runtime>;

impl Launcher for Runtime {
    type Memory = Memory;
    type KernelArgument = Arc<WordBuffer>;
    type Scratch = Scratch;

    fn most(&self) -> (u32, u64) {
        (MAX_ROWS, u64::MAX)
    }

    fn resident(&self, _code: &Arc<Pipeline>) -> u32 {
        self.context.facts.resident_groups()
    }

    fn signature(source: &Source) -> Signature<'_> {
        let text = &source.text;
        // The state and the launch block are parameters too.
        Signature { block: &text.launch, results: text.results, arguments: text.parameters.len().saturating_sub(2) }
    }

    fn place(memory: &Memory) -> Result<Arc<WordBuffer>> {
        Ok(memory.buffer.clone())
    }

    fn partials(&self, scratch: &mut Scratch, which: usize, words: u64) -> Result<Arc<WordBuffer>> {
        scratch.take(&self.context, which, words)
    }

    fn compilers(&self) -> usize {
        // Drivers on the CPU share one compiler with one lock.
        if self.context.info.kind == DeviceKind::CpuDevice { 1 } else { dispatch::cores() }
    }

    fn compile_for(&self, node: &Node) -> Result<()> {
        let kernel = match node {
            Node::Copy { .. } => RuntimeKernel::Copy,
            Node::Clear(_) => RuntimeKernel::Clear,
            Node::Primitive(primitive) => return self.compile_primitive(primitive),
            Node::Launch(_) | Node::Repeat { .. } | Node::LoopUntil(_) => return Ok(()),
        };
        self.kernel(kernel).map(drop)
    }

    fn reduction(&self, results: Reductions, listed: bool) -> Result<Arc<Pipeline>> {
        self.kernel(RuntimeKernel::Reduce { results, listed })
    }

    fn store(&self) -> Result<Arc<Pipeline>> {
        self.kernel(RuntimeKernel::Store)
    }
}

/// Copies a memory to another of the same shape, by a kernel, so that a program can do it at its turn.
pub(crate) fn copy(runtime: &Runtime, from: &Memory, to: &Memory) -> Result<Vec<Work>> {
    from.shape.check_copy(&to.shape)?;
    if from.buffer.id == to.buffer.id {
        return Ok(Vec::new());
    }
    each_word(runtime, RuntimeKernel::Copy, from.shape.words(), vec![from.buffer.clone(), to.buffer.clone()])
}

/// Sets a memory to zero, by a kernel.
pub(crate) fn clear(runtime: &Runtime, memory: &Memory) -> Result<Vec<Work>> {
    each_word(runtime, RuntimeKernel::Clear, memory.shape.words(), vec![memory.buffer.clone()])
}

fn each_word(runtime: &Runtime, kernel: RuntimeKernel, words: u64, places: Vec<Arc<WordBuffer>>) -> Result<Vec<Work>> {
    let too_many = |_| {
        let most_words = u64::from(u32::MAX) * u64::from(ROWS_PER_GROUP);
        Error::limit(Limit::Bytes { of: "a table".to_owned() }, words.saturating_mul(4), most_words * 4)
    };
    let groups = u32::try_from(words.div_ceil(u64::from(ROWS_PER_GROUP))).map_err(too_many)?;
    let mut block = vec![0; STORE_WORDS as usize];
    (block[0], block[1]) = (words as u32, (words >> 32) as u32);
    Ok(vec![Work { code: runtime.kernel(kernel)?, places, block, groups, faulting: None }])
}
