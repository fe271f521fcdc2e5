//! Conversion of a launch to the dispatches that carry it out.

mod again;
mod scratch;

pub(crate) use again::Again;
pub(crate) use scratch::Scratch;

use crate::memory::{Memory, Segment, memory};
use crate::module::Pipeline;
use crate::runtime::{Runtime, RuntimeKernel};
use imminent_core::backend::Argument;
use imminent_core::{Error, Limit, Result};
use imminent_device::dispatch::{self, Destination, LaunchInputs, Launcher, ROWS_PER_GROUP, Signature, WorkOf, misfit};
use imminent_ir::Reductions;
use imminent_lowering::wgsl::{BufferRole, WgslSource};
use std::sync::Arc;

/// Most workgroups of a launch over a list; each iterates over several groups of the list. More would not use any
/// device better.
const MAX_LISTED: u32 = 1024;

/// Scratch memory of a result that a kernel cannot write in its place.
const RESULT: usize = 2;

/// One dispatch.
pub(crate) type Work = WorkOf<Runtime>;
/// Working memory for planning launches.
pub(crate) type Planner = dispatch::Planner<Runtime>;

impl Launcher for Runtime {
    type Memory = Memory;
    type KernelArgument = Segment;
    type Scratch = Scratch;

    fn most(&self) -> (u32, u64) {
        let limits = &self.context.limits;
        (limits.rows(), u64::from(limits.groups) * u64::from(limits.groups))
    }

    fn resident(&self, _code: &Arc<Pipeline>) -> u32 {
        MAX_LISTED
    }

    fn signature(source: &WgslSource) -> Signature<'_> {
        // The state and the launch block are bindings too.
        let arguments = source.bindings.len().saturating_sub(2);
        Signature { block: &source.launch, results: source.results, arguments }
    }

    fn place(memory: &Memory) -> Result<Segment> {
        let no_memory = || Error::invalid(memory.shape.name(), "it has no memory");
        memory.segments.first().cloned().ok_or_else(no_memory)
    }

    fn partials(&self, scratch: &mut Scratch, which: usize, words: u64) -> Result<Segment> {
        scratch.take(&self.context, which, words)
    }

    fn compilers(&self) -> usize {
        // A page has one thread.
        if cfg!(target_arch = "wasm32") { 1 } else { dispatch::cores() }
    }

    fn reduction(&self, results: Reductions, listed: bool) -> Result<Arc<Pipeline>> {
        self.kernel(RuntimeKernel::Reduce { results, listed })
    }

    fn store(&self) -> Result<Arc<Pipeline>> {
        self.kernel(RuntimeKernel::Store)
    }

    fn arguments(
        &self,
        source: &WgslSource,
        given: &LaunchInputs<'_, Memory, Segment>,
        places: &mut Vec<Segment>,
        block: &mut [u32],
    ) -> Result<()> {
        let piece = |binding: u32, piece: u32| match given.launch.args.get(binding as usize) {
            Some(Argument::Table { buffer, .. } | Argument::Tally { buffer }) => {
                memory(buffer).map(|memory| memory.segments.get(piece as usize))
            }
            _ => Ok(None),
        };
        let found = |role: BufferRole| -> Result<Option<&Segment>> {
            Ok(match role {
                BufferRole::Partials => given.partials,
                BufferRole::Table { binding, segment } => piece(binding, segment)?,
                BufferRole::Tally { binding } => piece(binding, 0)?,
                BufferRole::SubsetRows => given.listed.and_then(|listed| listed.rows.segments.first()),
                BufferRole::SubsetCount => given.listed.and_then(|listed| listed.count.segments.first()),
                _ => None,
            })
        };
        const FEWER: &str = "an argument has fewer pieces than its shader binds";
        for binding in &source.bindings {
            let segment = match binding.role {
                BufferRole::State | BufferRole::Launch => continue,
                BufferRole::Shared { buffer } => match source.shared.iter().find(|piece| piece.buffer == buffer) {
                    Some(piece) => found(piece.of)?.map(Segment::whole),
                    None => None,
                },
                role => found(role)?.cloned(),
            };
            match segment {
                Some(segment) => places.push(segment),
                None => return misfit(given.launch.name, FEWER),
            }
        }
        // The shared buffers come first but for the partial results.
        let shared = places.get(usize::from(given.partials.is_some())..).unwrap_or_default();
        for piece in &source.shared {
            let word = block.get_mut(piece.word as usize);
            match (found(piece.of)?, shared.get(piece.buffer as usize), word) {
                (Some(segment), Some(buffer), Some(word)) if segment.whole_id() == buffer.id => {
                    // No binding has 2^32 words.
                    *word = u32::try_from(segment.offset / 4).unwrap_or(u32::MAX);
                }
                _ => return misfit(given.launch.name, FEWER),
            }
        }
        Ok(())
    }

    /// A shared buffer cannot be bound for the result beside all of it for the tables.
    fn destination(&self, scratch: &mut Scratch, memory: &Memory) -> Result<Destination<Runtime>> {
        let place = Self::place(memory)?;
        if !place.is_shared() {
            return Ok((place, None));
        }
        let from = self.partials(scratch, RESULT, memory.shape.words())?;
        let places = vec![from.clone(), place.clone()];
        Ok((from, Some(each_word(self, RuntimeKernel::Copy, places, &place)?)))
    }
}

/// Copies a memory to another of the same shape with shaders, so the copy is ordered with the steps of a program.
pub(crate) fn copy(runtime: &Runtime, from: &Memory, to: &Memory) -> Result<Vec<Work>> {
    same_shape(from, to)?;
    let pairs = from.segments.iter().zip(&to.segments).filter(|(from, to)| from.id != to.id);
    pairs.map(|(from, to)| each_word(runtime, RuntimeKernel::Copy, vec![from.clone(), to.clone()], from)).collect()
}

/// Checks that a memory can be copied to another: memories of equal shape may be cut into segments at different
/// columns.
pub(crate) fn same_shape(from: &Memory, to: &Memory) -> Result<()> {
    from.shape.check_copy(&to.shape)?;
    let same = from.segments.len() == to.segments.len()
        && from.segments.iter().zip(&to.segments).all(|(from, to)| from.words == to.words);
    if same {
        return Ok(());
    }
    let reason = format!("a {} cannot be copied to it: its columns lie otherwise", from.shape.name());
    Err(Error::invalid(to.shape.name(), reason))
}

/// Sets a memory to zero with shaders.
pub(crate) fn clear(runtime: &Runtime, memory: &Memory) -> Result<Vec<Work>> {
    memory
        .segments
        .iter()
        .map(|segment| each_word(runtime, RuntimeKernel::Clear, vec![segment.clone()], segment))
        .collect()
}

fn each_word(runtime: &Runtime, kernel: RuntimeKernel, places: Vec<Segment>, segment: &Segment) -> Result<Work> {
    let words = segment.words.end - segment.words.start;
    let words = u32::try_from(words).map_err(|_| {
        Error::limit(Limit::Bytes { of: "a piece of a table".to_owned() }, words * 4, u64::from(u32::MAX) * 4)
    })?;
    Ok(Work {
        code: runtime.kernel(kernel)?,
        places,
        block: vec![words, 0, 0, 0, 0, 0, 0, 0],
        groups: words.div_ceil(ROWS_PER_GROUP),
        faulting: None,
    })
}
