//! Translation of a launch into kernels.

mod scratch;
mod work;

pub(crate) use scratch::Scratch;
pub(crate) use work::{Parameters, address_words, start, upload_block};

use crate::device::{MAX_BLOCKS, MAX_ROWS};
use crate::driver::Stream;
use crate::memory::{Memory, memory};
use crate::module::{Pipeline, Source};
use crate::runtime::{Runtime, RuntimeKernel};
use imminent_core::Result;
use imminent_core::backend::{Launch, Node};
use imminent_device::dispatch::{self, Launcher, STORE_WORDS, Signature, WorkOf};
use imminent_ir::Reductions;
use std::sync::Arc;

/// One call of a kernel.
pub(crate) type Work = WorkOf<Runtime>;
/// Working memory for planning launches.
pub(crate) type Planner = dispatch::Planner<Runtime>;

impl Launcher for Runtime {
    type Memory = Memory;
    /// An address on the device.
    type KernelArgument = u64;
    type Scratch = Scratch;

    fn most(&self) -> (u32, u64) {
        (MAX_ROWS, u64::from(MAX_BLOCKS))
    }

    fn resident(&self, code: &Arc<Pipeline>) -> u32 {
        code.resident
    }

    fn signature(source: &Source) -> Signature<'_> {
        let text = &source.text;
        // The state and the launch block are parameters too.
        Signature { block: &text.launch, results: text.results, arguments: text.parameters.len().saturating_sub(2) }
    }

    fn owns(&self, code: &Arc<Pipeline>) -> bool {
        code.function.belongs_to(&self.context.primary)
    }

    fn place(memory: &Memory) -> Result<u64> {
        Ok(memory.pointer())
    }

    fn partials(&self, scratch: &mut Scratch, which: usize, words: u64) -> Result<u64> {
        scratch.take(&self.context, which, words * 4)
    }

    fn compilers(&self) -> usize {
        self.context.compiler.at_once()
    }

    fn compile_for(&self, node: &Node) -> Result<()> {
        let kernel = match node {
            Node::Copy { .. } => RuntimeKernel::Copy,
            Node::Clear(_) => RuntimeKernel::Clear,
            Node::LoopUntil(one) => {
                return one.steps.iter().try_for_each(|step| self.control(step.tests.len()).map(drop));
            }
            Node::Primitive(primitive) => return self.compile_primitive(primitive),
            Node::Launch(_) | Node::Repeat { .. } => return Ok(()),
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

/// Records that a launch on a stream uses its memories. It overwrites its whole result.
pub(crate) fn used_by(launch: &Launch, stream: &Arc<Stream>) -> Result<()> {
    if let Some(result) = &launch.result {
        memory(result)?.used_by(stream, true)?;
    }
    launch.buffers().try_for_each(|buffer| memory(buffer)?.used_by(stream, false))
}

/// Copies a memory to another of the same shape, by a kernel, so that a program can do it at its turn.
pub(crate) fn copy(runtime: &Runtime, from: &Memory, to: &Memory) -> Result<Vec<Work>> {
    from.shape.check_copy(&to.shape)?;
    if from.pointer() == to.pointer() {
        return Ok(Vec::new());
    }
    each_word(runtime, RuntimeKernel::Copy, from.shape.words(), vec![from.pointer(), to.pointer()])
}

/// Sets a memory to zero, by a kernel.
pub(crate) fn clear(runtime: &Runtime, memory: &Memory) -> Result<Vec<Work>> {
    each_word(runtime, RuntimeKernel::Clear, memory.shape.words(), vec![memory.pointer()])
}

/// Number of blocks of the kernels on whole buffers: enough to fill any device. Each thread loops over further words.
const FILLING_BLOCKS: u64 = 4096;

fn each_word(runtime: &Runtime, kernel: RuntimeKernel, words: u64, places: Vec<u64>) -> Result<Vec<Work>> {
    let code = runtime.kernel(kernel)?;
    let blocks = words.div_ceil(4 * u64::from(code.threads)).clamp(1, FILLING_BLOCKS);
    let mut block = vec![0; STORE_WORDS as usize];
    (block[0], block[2]) = (words as u32, (words >> 32) as u32);
    Ok(vec![Work { code, places, block, groups: u32::try_from(blocks).unwrap_or(1), faulting: None }])
}
