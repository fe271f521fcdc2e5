//! Conversion of a launch to the dispatches that carry it out.

mod again;
mod scratch;

pub(crate) use again::Again;
pub(crate) use scratch::Scratch;

use crate::device::Context;
use crate::memory::{Memory, Segment};
use crate::module::{Kernel, Pipeline, Shared, Variant, Way, WgpuModule};
use imminent_core::backend::Launch;
use imminent_core::dispatch::{self, Bound, Listed};
use imminent_core::{Error, Result};
use imminent_ir::launch::{EXTENT_WORD, ROWS_PER_GROUP, ReduceLayout, identity_words};
use imminent_lowering::wgsl::BufferRole;
use std::sync::Arc;

/// Most workgroups of a launch over a list; each iterates over several groups of the list. More would not use any
/// device better.
const MOST_LISTED: u32 = 1024;

/// One dispatch, not yet assigned a state buffer and a place for its launch block.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) pipeline: Arc<Pipeline>,
    /// Buffers of all bindings of the pipeline except the state and the launch block, in order.
    pub(crate) buffers: Vec<Segment>,
    /// The launch block. Word 1 is the first fault slot, which is filled in later.
    pub(crate) block: Vec<u32>,
    /// Number of workgroups.
    pub(crate) groups: u32,
    /// Kernel whose faults the dispatch can raise.
    pub(crate) faulting: Option<Arc<Kernel>>,
}

/// Plans a launch: the kernel over its rows, then the further levels of its reduction.
pub(crate) fn plan(context: &Context, launch: &Launch, scratch: &mut Scratch) -> Result<Vec<Work>> {
    let module: &WgpuModule = launch
        .module
        .get()
        .ok_or_else(|| Error::invalid("kernel module", "it was built by another backend than wgpu"))?;
    let kernel = module.kernel(launch.kernel)?;
    dispatch::check_rows(launch, context.limits.rows())?;
    let most = u64::from(context.limits.groups) * u64::from(context.limits.groups);
    let groups = dispatch::groups(launch, kernel.flat.shape, most)?;
    let listed: Option<Listed<'_, Memory>> = dispatch::listed(launch)?;
    let mut bound = Vec::with_capacity(launch.args.len());
    dispatch::bind::<Memory>(&kernel.flat, launch, groups, |_, argument| {
        bound.push(argument);
        Ok(())
    })?;
    let segments: Vec<Vec<u32>> = match bound.iter().any(|b| matches!(b, Bound::Memory(m) if !m.starts.is_empty())) {
        true => bound.iter().map(|b| if let Bound::Memory(m) = b { m.starts.clone() } else { Vec::new() }).collect(),
        false => Vec::new(),
    };
    let variant = kernel.variant(context, &Way { segments, of: dispatch::way::<Memory>(&kernel.flat, launch)? })?;
    let result = match dispatch::result(launch, variant.source.reduce)? {
        Some((layout, memory)) => Some((layout, first_segment(memory, launch)?)),
        None => None,
    };
    let mut works = Vec::with_capacity(1);
    match result {
        None if groups == 0 => {}
        None => works.push(kernel_work(kernel, &variant, &bound, (launch, groups), (None, listed))?),
        Some((layout, output)) if groups == 0 => {
            works.push(store(context, output, identity_words(layout.reduce, layout.scalar))?)
        }
        Some((layout, output)) => {
            let partials = if groups == 1 { output.clone() } else { scratch.take(context, 0, groups, layout)? };
            let given = (Some(&partials), listed);
            works.push(kernel_work(kernel, &variant, &bound, (launch, groups), given)?);
            let listed = match listed {
                Some(listed) => Some((first_segment(listed.count, launch)?, launch.rows)),
                None => None,
            };
            reduce(context, scratch, (layout, listed), (partials, groups), output, &mut works)?;
        }
    }
    Ok(works)
}

/// Returns the segment that holds the first column.
fn first_segment(memory: &Memory, launch: &Launch) -> Result<Segment> {
    match memory.segments.first() {
        Some(segment) => Ok(segment.clone()),
        None => dispatch::misfit(launch.name, "an argument has no memory"),
    }
}

/// Returns a segment of an argument.
fn segment<'b>(bound: &'b [Bound<'_, Memory>], binding: u32, segment: u32) -> Option<&'b Segment> {
    match bound.get(binding as usize)? {
        Bound::Memory(memory) => memory.segments.get(segment as usize),
        Bound::Params(_) => None,
    }
}

fn kernel_work(
    kernel: &Arc<Kernel>,
    variant: &Variant,
    bound: &[Bound<'_, Memory>],
    (launch, groups): (&Launch, u32),
    (partials, listed): (Option<&Segment>, Option<Listed<'_, Memory>>),
) -> Result<Work> {
    let source = &variant.source;
    let mut buffers = Vec::with_capacity(source.bindings.len());
    for binding in &source.bindings {
        let segment = match binding.role {
            BufferRole::State | BufferRole::Launch => continue,
            BufferRole::Partials => partials,
            BufferRole::Table { binding, segment } => self::segment(bound, binding, segment),
            BufferRole::Tally { binding } => segment(bound, binding, 0),
            BufferRole::SubsetRows => listed.and_then(|listed| listed.rows.segments.first()),
            BufferRole::SubsetCount => listed.and_then(|listed| listed.count.segments.first()),
            BufferRole::Input | BufferRole::Output => None,
        };
        match segment {
            Some(segment) => buffers.push(segment.clone()),
            None => return dispatch::misfit(launch.name, "an argument has fewer pieces than its shader binds"),
        }
    }
    let own = bound.iter().enumerate().filter_map(|(at, bound)| dispatch::own_rows(&kernel.flat, at, *bound));
    let extent = if listed.is_some() { own.min().unwrap_or(u32::MAX) } else { launch.width };
    let mut block = Vec::new();
    dispatch::begin(&mut block, &source.launch, launch.rows, extent);
    for (position, bound) in bound.iter().enumerate() {
        dispatch::describe(&mut block, &source.launch, position, *bound);
    }
    Ok(Work {
        pipeline: variant.pipeline.clone(),
        buffers,
        block,
        groups: dispatch::launched(groups, listed.is_some(), MOST_LISTED),
        faulting: (!kernel.flat.sites.is_empty()).then(|| kernel.clone()),
    })
}

/// Plans the further levels of a reduction: each reduces 256 partial results to one, until one is left. Over a list
/// only the device knows their number; a level that has one left passes it on.
fn reduce(
    context: &Context,
    scratch: &mut Scratch,
    (layout, listed): (ReduceLayout, Option<(Segment, u32)>),
    (mut input, mut count): (Segment, u32),
    output: Segment,
    works: &mut Vec<Work>,
) -> Result<()> {
    let mut level = 0;
    while count > 1 {
        let groups = count.div_ceil(ROWS_PER_GROUP);
        level += 1;
        let target = if groups == 1 { output.clone() } else { scratch.take(context, level % 2, groups, layout)? };
        let mut buffers = vec![input, target.clone()];
        let mut block = vec![count, 0, 0, 0, 0, 0, 0, 0];
        if let Some((count, most)) = &listed {
            buffers.push(count.clone());
            (block[0], block[EXTENT_WORD as usize]) = (*most, level as u32);
        }
        let shared = Shared::Reduce { reduce: layout.reduce, scalar: layout.scalar, listed: listed.is_some() };
        let dispatched = dispatch::launched(groups, listed.is_some(), MOST_LISTED);
        let pipeline = context.shared.get(context, shared)?;
        works.push(Work { pipeline, buffers, block, groups: dispatched, faulting: None });
        (input, count) = (target, groups);
    }
    Ok(())
}

/// Writes a few words to the start of a buffer.
fn store(context: &Context, output: Segment, words: Vec<u32>) -> Result<Work> {
    let mut block = vec![u32::try_from(words.len()).unwrap_or(0), 0, 0, 0, 0, 0, 0, 0];
    block.extend(words);
    let pipeline = context.shared.get(context, Shared::Store)?;
    Ok(Work { pipeline, buffers: vec![output], block, groups: 1, faulting: None })
}

/// Copies a memory to another of the same shape with shaders, so the copy is ordered with the steps of a program.
pub(crate) fn copy(context: &Context, from: &Memory, to: &Memory) -> Result<Vec<Work>> {
    same_shape(from, to)?;
    let pairs = from.segments.iter().zip(&to.segments).filter(|(from, to)| from.id != to.id);
    pairs.map(|(from, to)| each_word(context, Shared::Copy, vec![from.clone(), to.clone()], from)).collect()
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
pub(crate) fn clear(context: &Context, memory: &Memory) -> Result<Vec<Work>> {
    memory.segments.iter().map(|segment| each_word(context, Shared::Clear, vec![segment.clone()], segment)).collect()
}

fn each_word(context: &Context, shader: Shared, buffers: Vec<Segment>, segment: &Segment) -> Result<Work> {
    let words = u32::try_from(segment.words.end - segment.words.start).map_err(|_| Error::Limit {
        what: "words of a piece of a table".to_owned(),
        requested: segment.words.end - segment.words.start,
        limit: u64::from(u32::MAX),
    })?;
    let pipeline = context.shared.get(context, shader)?;
    Ok(Work {
        pipeline,
        buffers,
        block: vec![words, 0, 0, 0, 0, 0, 0, 0],
        groups: words.div_ceil(ROWS_PER_GROUP),
        faulting: None,
    })
}
