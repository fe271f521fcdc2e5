//! Translation of a launch into kernels.

mod scratch;

pub(crate) use scratch::Scratch;

use crate::device::{Context, MOST_ROWS};
use crate::memory::{Memory, WordBuffer};
use crate::module::{Form, Kernel, OpenClModule, Pipeline, Shared};
use imminent_core::backend::Launch;
use imminent_core::dispatch::{self, Bound, EXTENT_WORD, Listed, ROWS_PER_GROUP, ReduceLayout, identity_words};
use imminent_core::{Error, Result};
use std::sync::Arc;

/// One call of a kernel, not yet tied to a state buffer.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) pipeline: Arc<Pipeline>,
    /// Buffer for every parameter except the state and the launch block, in order.
    pub(crate) buffers: Vec<Arc<WordBuffer>>,
    /// Launch block. Word 1 is the first fault slot, which is filled in later.
    pub(crate) block: Vec<u32>,
    /// Number of work-groups.
    pub(crate) groups: u32,
    /// Kernel whose faults the call can raise.
    pub(crate) faulting: Option<Arc<Kernel>>,
}

/// Working memory for planning launches. Reused from launch to launch, so that few of them allocate.
#[derive(Debug, Default)]
pub(crate) struct Planner {
    pub(crate) scratch: Scratch,
    /// Works planned last.
    works: Vec<Work>,
    /// Empty lists of works that have been executed.
    spare: Vec<(Vec<Arc<WordBuffer>>, Vec<u32>)>,
}

/// Largest number of lists kept: a launch has few levels of reduction.
const MOST_SPARE: usize = 8;

impl Planner {
    /// Plans a launch: the kernel over its rows, then the further levels of its reduction.
    pub(crate) fn plan(&mut self, context: &Context, launch: &Launch) -> Result<Vec<Work>> {
        self.works.clear();
        self.launch(context, launch)?;
        Ok(std::mem::take(&mut self.works))
    }

    /// Takes back the result of [`Planner::plan`], once it has been executed.
    pub(crate) fn take_back(&mut self, mut works: Vec<Work>) {
        for Work { mut buffers, mut block, .. } in works.drain(..).take(MOST_SPARE - self.spare.len().min(MOST_SPARE)) {
            buffers.clear();
            block.clear();
            self.spare.push((buffers, block));
        }
        self.works = works;
    }

    fn launch(&mut self, context: &Context, launch: &Launch) -> Result<()> {
        let module: &OpenClModule = launch
            .module
            .get()
            .ok_or_else(|| Error::invalid("kernel module", "it was built by another backend than opencl"))?;
        let kernel = module.kernel(launch.kernel)?;
        dispatch::check_rows(launch, MOST_ROWS)?;
        let groups = dispatch::groups(launch, kernel.flat.shape, u64::MAX)?;
        let listed: Option<Listed<'_, Memory>> = dispatch::listed(launch)?;
        let form = kernel.form(context, &dispatch::way::<Memory>(&kernel.flat, launch)?)?;
        let result = dispatch::result(launch, form.source.reduce)?;
        let result = result.map(|(layout, memory): (ReduceLayout, &Memory)| (layout, &memory.buffer));
        if groups == 0 {
            dispatch::bind::<Memory>(&kernel.flat, launch, groups, |_, _| Ok(()))?;
            if let Some((layout, output)) = result {
                self.works.push(store(context, output.clone(), identity_words(layout.reduce, layout.scalar))?);
            }
            return Ok(());
        }
        let Some((layout, output)) = result else {
            return self.kernel(context, (kernel, form), (launch, groups), (None, listed));
        };
        let partials = if groups == 1 { output.clone() } else { self.scratch.take(context, 0, groups, layout)? };
        self.kernel(context, (kernel, form), (launch, groups), (Some(&partials), listed))?;
        let listed = listed.map(|listed| (&listed.count.buffer, launch.rows));
        self.reduce(context, (layout, listed), (partials, groups), output)
    }

    /// Plans the kernel over its rows. The buffers are in the order of its parameters: partial results, the list, the
    /// bindings.
    fn kernel(
        &mut self,
        context: &Context,
        (kernel, form): (&Arc<Kernel>, &Form),
        (launch, groups): (&Launch, u32),
        (partials, listed): (Option<&Arc<WordBuffer>>, Option<Listed<'_, Memory>>),
    ) -> Result<()> {
        let pipeline = form.pipeline(context, &kernel.flat)?;
        let layout = &form.source.launch;
        let (mut buffers, mut block) = self.spare.pop().unwrap_or_default();
        buffers.extend(partials.cloned());
        buffers.extend(listed.into_iter().flat_map(|list| [list.rows.buffer.clone(), list.count.buffer.clone()]));
        let mut shortest = u32::MAX;
        dispatch::begin(&mut block, layout, launch.rows, launch.width);
        dispatch::bind::<Memory>(&kernel.flat, launch, groups, |position, bound| {
            shortest = dispatch::own_rows(&kernel.flat, position, bound).map_or(shortest, |rows| rows.min(shortest));
            dispatch::describe(&mut block, layout, position, bound);
            if let Bound::Memory(memory) = bound {
                buffers.push(memory.buffer.clone());
            }
            Ok(())
        })?;
        if let (Some(_), Some(extent)) = (listed, block.get_mut(EXTENT_WORD as usize)) {
            *extent = shortest;
        }
        let faulting = (!kernel.flat.sites.is_empty()).then(|| kernel.clone());
        let groups = dispatch::launched(groups, listed.is_some(), context.facts.resident_groups());
        self.works.push(Work { pipeline: pipeline.clone(), buffers, block, groups, faulting });
        Ok(())
    }

    /// Plans the levels above the kernel's own: from the partial results to one, 256 to 1 at a time. Over a list, only
    /// the device knows their number. A level with a single result passes it on.
    fn reduce(
        &mut self,
        context: &Context,
        (layout, listed): (ReduceLayout, Option<(&Arc<WordBuffer>, u32)>),
        (mut input, mut count): (Arc<WordBuffer>, u32),
        output: &Arc<WordBuffer>,
    ) -> Result<()> {
        let mut level = 0;
        while count > 1 {
            let groups = count.div_ceil(ROWS_PER_GROUP);
            level += 1;
            let target = match groups {
                1 => output.clone(),
                _ => self.scratch.take(context, level % 2, groups, layout)?,
            };
            let (mut buffers, mut block) = self.spare.pop().unwrap_or_default();
            buffers.extend([input, target.clone()]);
            block.extend([count, 0, 0, 0, 0, 0, 0, 0]);
            if let Some((count, most)) = listed {
                buffers.push(count.clone());
                (block[0], block[EXTENT_WORD as usize]) = (most, level as u32);
            }
            let shared = Shared::Reduce { reduce: layout.reduce, scalar: layout.scalar, listed: listed.is_some() };
            let pipeline = shared.pipeline(context)?;
            let launched = dispatch::launched(groups, listed.is_some(), context.facts.resident_groups());
            self.works.push(Work { pipeline, buffers, block, groups: launched, faulting: None });
            (input, count) = (target, groups);
        }
        Ok(())
    }
}

/// Writes a few words to the start of a buffer.
fn store(context: &Context, output: Arc<WordBuffer>, words: Vec<u32>) -> Result<Work> {
    let mut block = vec![u32::try_from(words.len()).unwrap_or(0), 0, 0, 0, 0, 0, 0, 0];
    block.extend(words);
    block.resize(12, 0);
    let pipeline = Shared::Store.pipeline(context)?;
    Ok(Work { pipeline, buffers: vec![output], block, groups: 1, faulting: None })
}

/// Copies a memory to another of the same shape, by a kernel, so that a program can do it at its turn.
pub(crate) fn copy(context: &Context, from: &Memory, to: &Memory) -> Result<Option<Work>> {
    from.shape.check_copy(&to.shape)?;
    if from.buffer.id == to.buffer.id {
        return Ok(None);
    }
    each_word(context, Shared::Copy, from.shape.words(), vec![from.buffer.clone(), to.buffer.clone()]).map(Some)
}

/// Sets a memory to zero, by a kernel.
pub(crate) fn clear(context: &Context, memory: &Memory) -> Result<Work> {
    each_word(context, Shared::Clear, memory.shape.words(), vec![memory.buffer.clone()])
}

fn each_word(context: &Context, kernel: Shared, words: u64, buffers: Vec<Arc<WordBuffer>>) -> Result<Work> {
    let too_many = |_| Error::Limit {
        what: "words of a table".to_owned(),
        requested: words,
        limit: u64::from(u32::MAX) * u64::from(ROWS_PER_GROUP),
    };
    let groups = u32::try_from(words.div_ceil(u64::from(ROWS_PER_GROUP))).map_err(too_many)?;
    let pipeline = kernel.pipeline(context)?;
    let block = vec![words as u32, (words >> 32) as u32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    Ok(Work { pipeline, buffers, block, groups, faulting: None })
}
