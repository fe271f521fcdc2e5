//! Translation of a launch into kernels.

mod again;
mod scratch;
mod work;

pub(crate) use again::{Again, Alone};
pub(crate) use scratch::Scratch;
pub(crate) use work::{Parameters, Work, address_words, start, upload_block};

use crate::driver::{Context, MOST_BLOCKS, MOST_POINTERS, MOST_ROWS, Stream};
use crate::memory::Memory;
use crate::module::{Compiled, CudaModule, Form, Kernel, Shared};
use imminent_core::backend::Launch;
use imminent_core::dispatch::{self, Bound, EXTENT_WORD, Listed, ROWS_PER_GROUP, ReduceLayout, identity_words};
use imminent_core::{Error, Result};
use std::sync::Arc;

/// Destination of the launches that make up a command: a stream, or a program.
pub(crate) trait Sink {
    /// Takes one launch.
    fn take(&mut self, work: Work<'_>) -> Result<()>;
}

/// Working memory for planning launches. Reused from launch to launch, so that none of them allocates.
#[derive(Debug)]
pub(crate) struct Planner {
    pub(crate) scratch: Scratch,
    block: Vec<u32>,
}

impl Planner {
    pub(crate) fn new(scratch: Scratch) -> Planner {
        Planner { scratch, block: Vec::with_capacity(256) }
    }

    /// Plans a launch: the kernel over its rows, then the further levels of its reduction.
    pub(crate) fn launch(
        &mut self,
        context: &Context,
        stream: &Arc<Stream>,
        launch: &Launch,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let kernel = kernel(launch)?;
        dispatch::check_rows(launch, MOST_ROWS)?;
        let blocks = dispatch::groups(launch, kernel.flat.shape, u64::from(MOST_BLOCKS))?;
        let listed: Option<Listed<'_, Memory>> = dispatch::listed(launch)?;
        let form = kernel.form(context, &dispatch::way::<Memory>(&kernel.flat, launch)?)?;
        let compiled = form.compiled(context, &kernel.flat)?;
        if !compiled.function.belongs_to(&context.primary) {
            return Err(Error::invalid("kernel module", "it was built for another device"));
        }
        let result: Option<(ReduceLayout, &Memory)> = dispatch::result(launch, compiled.source.reduce)?;
        let code = (kernel, form, compiled);
        let Some((layout, output)) = result else {
            return if blocks == 0 {
                dispatch::bind::<Memory>(&kernel.flat, launch, blocks, |_, _| Ok(()))
            } else {
                self.kernel(code, (stream, launch, blocks), (None, listed), sink)
            };
        };
        output.used_by(stream, true)?;
        if blocks == 0 {
            dispatch::bind::<Memory>(&kernel.flat, launch, blocks, |_, _| Ok(()))?;
            return store(context, output, &identity_words(layout.reduce, layout.scalar), sink);
        }
        let partials = if blocks == 1 {
            output.pointer()
        } else {
            self.scratch.take(context, 0, partial_bytes(blocks, layout))?
        };
        self.kernel(code, (stream, launch, blocks), (Some(partials), listed), sink)?;
        let listed = listed.map(|listed| (listed.count.pointer(), launch.rows));
        self.reduce(context, (layout, listed), (partials, blocks), output, sink)
    }

    fn kernel(
        &mut self,
        (kernel, form, compiled): (&Arc<Kernel>, &Form, &Compiled),
        (stream, launch, blocks): (&Arc<Stream>, &Launch, u32),
        (partials, listed): (Option<u64>, Option<Listed<'_, Memory>>),
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let source = &compiled.source;
        let mut pointers = [0; MOST_POINTERS];
        let mut count = 0;
        let mut push = |pointer: u64| match pointers.get_mut(count) {
            Some(place) => {
                *place = pointer;
                count += 1;
                Ok(())
            }
            None => dispatch::misfit(launch.name, "it has more arguments than can be passed"),
        };
        if let Some(partials) = partials {
            push(partials)?;
        }
        if let Some(Listed { rows, count }) = listed {
            for memory in [rows, count] {
                memory.used_by(stream, false)?;
                push(memory.pointer())?;
            }
        }
        let mut shortest = u32::MAX;
        dispatch::begin(&mut self.block, &source.launch, launch.rows, launch.width);
        dispatch::bind::<Memory>(&kernel.flat, launch, blocks, |position, bound| {
            shortest = dispatch::own_rows(&kernel.flat, position, bound).map_or(shortest, |rows| rows.min(shortest));
            dispatch::describe(&mut self.block, &source.launch, position, bound);
            match bound {
                Bound::Memory(memory) => {
                    memory.used_by(stream, false)?;
                    push(memory.pointer())
                }
                Bound::Params(_) => Ok(()),
            }
        })?;
        if let (Some(_), Some(extent)) = (listed, self.block.get_mut(EXTENT_WORD as usize)) {
            *extent = shortest;
        }
        if count + 2 != source.parameters.len() {
            return dispatch::misfit(launch.name, "its generated code takes another number of arguments than it has");
        }
        let blocks = dispatch::launched(blocks, listed.is_some(), compiled.resident);
        sink.take(Work {
            function: &compiled.function,
            blocks,
            threads: source.workgroup_size,
            block: &mut self.block,
            block_in_memory: form.block_in_memory(),
            pointers: &pointers[..count],
            faulting: (!kernel.flat.sites.is_empty()).then_some(kernel),
        })
    }

    /// Plans the levels above the kernel's own: from `count` partial results to one, 256 to 1 at a time. Over a list,
    /// only the device knows their number; the address of its count and an upper bound are given. A level with a single
    /// result passes it on.
    fn reduce(
        &mut self,
        context: &Context,
        (layout, listed): (ReduceLayout, Option<(u64, u32)>),
        (mut input, mut count): (u64, u32),
        output: &Memory,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let mut level = 0;
        while count > 1 {
            let blocks = count.div_ceil(ROWS_PER_GROUP);
            level += 1;
            let target = match blocks {
                1 => output.pointer(),
                _ => self.scratch.take(context, level % 2, partial_bytes(blocks, layout))?,
            };
            let kernel = context.shared.get(context, levels(layout, listed.is_some()))?;
            self.block.clear();
            self.block.resize((kernel.words as usize).max(8), 0);
            self.block[0] = count;
            if let Some((_, most)) = listed {
                (self.block[0], self.block[EXTENT_WORD as usize]) = (most, level as u32);
            }
            let pointers = [input, target, listed.map_or(0, |(count, _)| count)];
            sink.take(Work {
                function: &kernel.function,
                blocks: dispatch::launched(blocks, listed.is_some(), kernel.resident),
                threads: kernel.threads,
                block: &mut self.block,
                block_in_memory: false,
                pointers: &pointers[..if listed.is_some() { 3 } else { 2 }],
                faulting: None,
            })?;
            (input, count) = (target, blocks);
        }
        Ok(())
    }
}

/// Returns the kernel of the levels above the first.
fn levels(layout: ReduceLayout, listed: bool) -> Shared {
    Shared::Reduce { reduce: layout.reduce, scalar: layout.scalar, listed }
}

fn partial_bytes(blocks: u32, layout: ReduceLayout) -> u64 {
    u64::from(blocks) * u64::from(layout.words) * 4
}

/// Returns the kernel that a launch names.
fn kernel(launch: &Launch) -> Result<&Arc<Kernel>> {
    let module: Option<&CudaModule> = launch.module.get();
    let foreign = || Error::invalid("kernel module", "it was built by another backend than cuda");
    module.ok_or_else(foreign)?.kernel(launch.kernel)
}

/// Compiles the kernels of a launch and checks its arguments, without launching it.
pub(crate) fn prepare(context: &Context, launch: &Launch) -> Result<()> {
    let kernel = kernel(launch)?;
    let blocks = dispatch::groups(launch, kernel.flat.shape, u64::from(MOST_BLOCKS))?;
    let listed = dispatch::listed::<Memory>(launch)?.is_some();
    let way = dispatch::way::<Memory>(&kernel.flat, launch)?;
    dispatch::bind::<Memory>(&kernel.flat, launch, blocks, |_, _| Ok(()))?;
    if let Some(layout) = kernel.form(context, &way)?.compiled(context, &kernel.flat)?.source.reduce {
        context.shared.get(context, levels(layout, listed))?;
    }
    Ok(())
}

/// Writes a few words to the start of a memory.
fn store(context: &Context, output: &Memory, words: &[u32], sink: &mut dyn Sink) -> Result<()> {
    let kernel = context.shared.get(context, Shared::Store)?;
    let mut block = [0; 12];
    for (place, word) in block[8..].iter_mut().zip(words) {
        *place = *word;
    }
    block[0] = u32::try_from(words.len()).unwrap_or(0).min(4);
    sink.take(Work {
        function: &kernel.function,
        blocks: 1,
        threads: kernel.threads,
        block: &mut block,
        block_in_memory: false,
        pointers: &[output.pointer()],
        faulting: None,
    })
}

/// Copies a memory to another of the same shape, by a kernel, so that a program can do it at its turn.
pub(crate) fn copy(context: &Context, from: &Memory, to: &Memory, sink: &mut dyn Sink) -> Result<()> {
    from.shape.check_copy(&to.shape)?;
    if from.pointer() == to.pointer() {
        return Ok(());
    }
    each_word(context, Shared::Copy, from.shape.words(), &[from.pointer(), to.pointer()], sink)
}

/// Sets a memory to zero, by a kernel.
pub(crate) fn clear(context: &Context, memory: &Memory, sink: &mut dyn Sink) -> Result<()> {
    each_word(context, Shared::Clear, memory.shape.words(), &[memory.pointer()], sink)
}

/// Number of blocks of the kernels on whole buffers: enough to fill any device. Each thread loops over further words.
const ENOUGH_BLOCKS: u64 = 4096;

fn each_word(context: &Context, shared: Shared, words: u64, pointers: &[u64], sink: &mut dyn Sink) -> Result<()> {
    let kernel = context.shared.get(context, shared)?;
    let blocks = words.div_ceil(4 * u64::from(kernel.threads)).clamp(1, ENOUGH_BLOCKS);
    sink.take(Work {
        function: &kernel.function,
        blocks: u32::try_from(blocks).unwrap_or(1),
        threads: kernel.threads,
        block: &mut [words as u32, 0, (words >> 32) as u32, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        block_in_memory: false,
        pointers,
        faulting: None,
    })
}
