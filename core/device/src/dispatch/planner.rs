//! Plans of launches: the kernel over its rows, then the further levels of its reduction.

use super::bind::{bind, misfit, own_rows, result, variant};
use super::block::{begin, describe};
use super::extent::{Listed, check_rows, groups, launched, listed};
use super::module::{Compiler, Form, Kernel, KernelModule};
use super::{EXTENT_WORD, LAUNCH_WORDS, LaunchLayout, ROWS_PER_GROUP};
use crate::fault_slots::{FaultSlots, WordMemory};
use imminent_core::backend::{Argument, DeviceMemory, Launch, Node};
use imminent_core::{Error, Result};
use imminent_ir::{MAX_RESULTS, Reductions};
use std::fmt;
use std::sync::Arc;

/// A device that launches lowered kernels.
pub trait Launcher: Sized + Compiler<Source: Send + Sync + 'static, Code: Clone + Send + Sync + 'static> {
    /// Memory of tables, tallies and results.
    type Memory: DeviceMemory;
    /// Device memory as an argument of a kernel.
    type KernelArgument: Clone;
    /// Memory for partial results.
    type Scratch;

    /// Returns the largest numbers of rows and of groups of a launch.
    fn most(&self) -> (u32, u64);

    /// Returns the number of groups of a kernel that fill the device.
    fn resident(&self, code: &Self::Code) -> u32;

    /// Returns what a kernel takes and returns.
    fn signature(source: &Self::Source) -> Signature<'_>;

    /// Returns `true` if the code was compiled for this device.
    fn owns(&self, _code: &Self::Code) -> bool {
        true
    }

    /// Returns the memory's first words as an argument.
    ///
    /// # Errors
    /// [`Error::Invalid`] for memory that cannot be one.
    fn place(memory: &Self::Memory) -> Result<Self::KernelArgument>;

    /// Returns the destination of a launch's result, and a call that moves the result from there to the memory
    /// afterwards, if kernels cannot write to the memory itself.
    ///
    /// # Errors
    /// As for [`Launcher::place`] and [`Launcher::partials`].
    fn destination(&self, _scratch: &mut Self::Scratch, memory: &Self::Memory) -> Result<Destination<Self>> {
        Ok((Self::place(memory)?, None))
    }

    /// Returns scratch memory 0 or 1, with room for `words` words.
    ///
    /// # Errors
    /// [`Error::Limit`], [`Error::OutOfMemory`].
    fn partials(&self, scratch: &mut Self::Scratch, which: usize, words: u64) -> Result<Self::KernelArgument>;

    /// Returns the number of threads that may compile kernels at the same time: 1 where one is as fast as several, and
    /// up to [`cores`](super::cores) elsewhere.
    fn compilers(&self) -> usize {
        1
    }

    /// Compiles the kernels of the runtime that a node which is no launch needs, if they are known before it is
    /// planned.
    ///
    /// # Errors
    /// Errors of the compiler.
    fn compile_for(&self, _node: &Node) -> Result<()> {
        Ok(())
    }

    /// Returns the kernel of a further level of a reduction: arguments are the input, the output, and the count of the
    /// list if the launch was `listed`.
    ///
    /// # Errors
    /// Errors of the compiler.
    fn reduction(&self, results: Reductions, listed: bool) -> Result<Self::Code>;

    /// Returns the kernel that stores results: it writes words of its launch block ([`STORE_WORDS`] long) to its one
    /// argument, from word 8 on and as many as word 0 says.
    ///
    /// # Errors
    /// Errors of the compiler.
    fn store(&self) -> Result<Self::Code>;

    /// Appends the arguments of a kernel, in the order of its parameters: by default partial results, the list, its
    /// count, and the memories of the launch's arguments. Completes the launch block, if it says where these lie.
    ///
    /// # Errors
    /// [`Error::Launch`] if they do not fit the kernel's code.
    fn arguments(
        &self,
        _source: &Self::Source,
        given: &LaunchInputs<'_, Self::Memory, Self::KernelArgument>,
        places: &mut Vec<Self::KernelArgument>,
        _block: &mut [u32],
    ) -> Result<()> {
        places.extend(given.partials.cloned());
        if let Some(Listed { rows, count }) = given.listed {
            places.extend([Self::place(rows)?, Self::place(count)?]);
        }
        for argument in &given.launch.args {
            match argument {
                Argument::Table { buffer, .. } | Argument::Tally { buffer } => {
                    places.push(Self::place(Self::Memory::of(buffer)?)?);
                }
                Argument::Params { .. } => {}
            }
        }
        Ok(())
    }
}

/// Destination of a result, and the call that moves it from there.
pub type Destination<L> = (<L as Launcher>::KernelArgument, Option<WorkOf<L>>);

/// Arguments and result of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'s> {
    /// Launch block.
    pub block: &'s LaunchLayout,
    /// Results of the kernel, if it returns a value.
    pub results: Option<Reductions>,
    /// Number of arguments beside the state and the launch block.
    pub arguments: usize,
}

/// Origin of a kernel's arguments.
#[derive(Debug)]
pub struct LaunchInputs<'g, M, P> {
    /// The launch.
    pub launch: &'g Launch,
    /// Destination of the value that each group returns.
    pub partials: Option<&'g P>,
    /// List of the rows, if only these run.
    pub listed: Option<Listed<'g, M>>,
}

/// One call of a kernel. Fault slots and turn are still missing from its launch block.
#[derive(Debug)]
pub struct Work<S, C, P> {
    /// Code to run.
    pub code: C,
    /// Arguments beside the state and the launch block, in the order of the kernel's parameters.
    pub places: Vec<P>,
    /// Launch block. Word 1 is the first fault slot.
    pub block: Vec<u32>,
    /// Number of groups.
    pub groups: u32,
    /// Kernel whose faults the call can raise.
    pub faulting: Option<Arc<Kernel<S, C>>>,
}

impl<S, C, P> Work<S, C, P> {
    /// Returns `true` if the call finds free fault slots, or needs none. Otherwise the slots in use must be looked at
    /// first.
    ///
    /// # Errors
    /// [`Error::Limit`] for a kernel with more sites than there are slots.
    pub fn finds_slots<M: WordMemory>(&self, slots: &FaultSlots<M, Kernel<S, C>>) -> Result<bool> {
        self.faulting.as_ref().map_or(Ok(true), |kernel| slots.has_room(kernel))
    }

    /// Takes fault slots for the call, the given operation of its queue, and completes the launch block by them. The
    /// caller has checked that there is room.
    pub fn take_slots<M: WordMemory>(&mut self, slots: &mut FaultSlots<M, Kernel<S, C>>, operation: Option<u64>) {
        if let (Some(kernel), Some(word)) = (&self.faulting, self.block.get_mut(FAULT_WORD)) {
            *word = slots.claim(kernel, operation);
        }
    }
}

/// Word of a launch block with the first fault slot.
const FAULT_WORD: usize = 1;

/// Calls on a device of type `L`.
pub type WorkOf<L> = Work<<L as Compiler>::Source, <L as Compiler>::Code, <L as Launcher>::KernelArgument>;

/// Working memory for planning launches. Reused from launch to launch, so that few of them allocate.
pub struct Planner<L: Launcher> {
    /// Memory for partial results.
    pub scratch: L::Scratch,
    works: Vec<WorkOf<L>>,
    /// Empty lists of works that have been executed.
    spare: Vec<(Vec<L::KernelArgument>, Vec<u32>)>,
}

impl<L: Launcher> fmt::Debug for Planner<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Planner").finish_non_exhaustive()
    }
}

/// Largest number of lists kept: a launch has few levels of reduction.
const MAX_SPARE: usize = 8;
/// Words of the launch block of the kernel that stores results: the head, and the words of as many results as a kernel
/// may have.
pub const STORE_WORDS: u32 = LAUNCH_WORDS + 2 * MAX_RESULTS as u32;

/// A kernel with its form and its code.
type Called<'k, L> = (
    &'k Arc<Kernel<<L as Compiler>::Source, <L as Compiler>::Code>>,
    &'k Form<<L as Compiler>::Source, <L as Compiler>::Code>,
    &'k <L as Compiler>::Code,
);

impl<L: Launcher> Planner<L> {
    /// Creates a planner that takes memory for partial results from `scratch`.
    pub const fn new(scratch: L::Scratch) -> Planner<L> {
        Planner { scratch, works: Vec::new(), spare: Vec::new() }
    }

    /// Plans a launch. Compiles its kernels if they were not launched before.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a module or memory of another backend, [`Error::Launch`], [`Error::Limit`]; errors of the
    /// device.
    pub fn plan(&mut self, device: &L, launch: &Launch) -> Result<Vec<WorkOf<L>>> {
        self.works.clear();
        self.launch(device, launch)?;
        Ok(std::mem::take(&mut self.works))
    }

    /// Takes back the result of [`Planner::plan`], once it has been executed.
    pub fn take_back(&mut self, mut works: Vec<WorkOf<L>>) {
        let room = MAX_SPARE.saturating_sub(self.spare.len());
        for Work { mut places, mut block, .. } in works.drain(..).take(room) {
            places.clear();
            block.clear();
            self.spare.push((places, block));
        }
        self.works = works;
    }

    /// Plans a launch that will be put on its queue repeatedly: its call, if it is a single one. Further calls use
    /// memory that other launches use too.
    ///
    /// # Errors
    /// As for [`Planner::plan`].
    pub fn plan_alone(&mut self, device: &L, launch: &Launch) -> Result<Option<WorkOf<L>>> {
        let mut works = self.plan(device, launch)?;
        let alone = if works.len() == 1 { works.pop() } else { None };
        self.take_back(works);
        Ok(alone)
    }

    fn launch(&mut self, device: &L, launch: &Launch) -> Result<()> {
        let module: Option<&KernelModule<L::Source, L::Code>> = launch.module.get();
        let Some(module) = module else {
            let reason = format!("it was built by another backend than {}", L::Memory::BACKEND);
            return Err(Error::invalid("kernel module", reason));
        };
        let kernel = module.kernel(launch.kernel)?;
        // The extent is checked before a form is lowered or compiled, which may take seconds.
        let (most_rows, most_groups) = device.most();
        check_rows(launch, most_rows)?;
        let groups = groups(launch, kernel.flat.shape, most_groups)?;
        let listed: Option<Listed<'_, L::Memory>> = listed(launch)?;
        let form = kernel.form(device, &variant::<L::Memory>(&kernel.flat, launch)?)?;
        let output: Option<(Reductions, &L::Memory)> = result(launch, L::signature(&form.source).results)?;
        if groups == 0 {
            // Nothing runs, but the arguments are checked as those of any launch. The result has to be stored:
            // its memory may still hold the value of an earlier launch.
            bind::<L::Memory>(&kernel.flat, launch, groups, |_, _| Ok(()))?;
            return match output {
                Some((results, output)) => self.store(device, results, L::place(output)?),
                None => Ok(()),
            };
        }
        let code = form.code(device, &kernel.flat)?;
        // The handle of a module may come from another device of the same backend.
        if !device.owns(code) {
            return Err(Error::invalid("kernel module", "it was built for another device"));
        }
        let called = (kernel, form, code);
        let Some((results, output)) = output else {
            return self.kernel(device, called, groups, &LaunchInputs { launch, partials: None, listed });
        };
        let (output, moved) = device.destination(&mut self.scratch, output)?;
        let partials = match groups {
            // The value of a single group is the result, and no further level runs.
            1 => output.clone(),
            // Room for the groups of all rows, also over a list: there fewer groups are launched, and each writes the
            // values of several.
            _ => device.partials(&mut self.scratch, 0, u64::from(groups) * u64::from(results.words()))?,
        };
        self.kernel(device, called, groups, &LaunchInputs { launch, partials: Some(&partials), listed })?;
        let count = match listed {
            Some(listed) => Some((L::place(listed.count)?, launch.rows)),
            None => None,
        };
        self.reduce(device, (results, count), (partials, groups), output)?;
        self.works.extend(moved);
        Ok(())
    }

    /// Plans the kernel over its rows.
    fn kernel(
        &mut self,
        device: &L,
        (kernel, form, code): Called<'_, L>,
        groups: u32,
        given: &LaunchInputs<'_, L::Memory, L::KernelArgument>,
    ) -> Result<()> {
        let (launch, is_listed) = (given.launch, given.listed.is_some());
        let Signature { block: layout, arguments, .. } = L::signature(&form.source);
        let (mut places, mut block) = self.spare.pop().unwrap_or_default();
        // Rows of the shortest table of own rows. `bind` refuses tables that are shorter than the launch; what a list
        // holds is known to the device alone.
        let mut shortest = u32::MAX;
        begin(&mut block, layout, launch.rows, launch.width);
        bind::<L::Memory>(&kernel.flat, launch, groups, |position, bound| {
            shortest = own_rows(&kernel.flat, position, bound).map_or(shortest, |rows| rows.min(shortest));
            describe(&mut block, layout, position, bound);
            Ok(())
        })?;
        // A list may hold any number: the kernel skips rows that not every table of own rows has.
        if let (true, Some(extent)) = (is_listed, block.get_mut(EXTENT_WORD as usize)) {
            *extent = shortest;
        }
        // A kernel with too few arguments would read whatever lies at the missing one's place.
        device.arguments(&form.source, given, &mut places, &mut block)?;
        if places.len() != arguments {
            return misfit(launch.name, "its generated code takes another number of arguments than it has");
        }
        let groups = launched(groups, is_listed, device.resident(code));
        // A kernel without sites takes no fault slots, so a queue of such launches never has to wait for room.
        let faulting = (!kernel.flat.sites.is_empty()).then(|| kernel.clone());
        self.works.push(Work { code: code.clone(), places, block, groups, faulting });
        Ok(())
    }

    /// Plans the levels above the kernel's own: from `count` partial results to one, 256 to 1 at a time. Over a list,
    /// only the device knows their number, and an upper bound is given. A level with a single result passes it on.
    fn reduce(
        &mut self,
        device: &L,
        (results, listed): (Reductions, Option<(L::KernelArgument, u32)>),
        (mut input, mut count): (L::KernelArgument, u32),
        output: L::KernelArgument,
    ) -> Result<()> {
        // Each level reads what the one below it wrote, so they write to two memories by turns. The kernel's own values
        // are in memory 0.
        let mut level = 0;
        while count > 1 {
            let groups = count.div_ceil(ROWS_PER_GROUP);
            level += 1;
            let words = u64::from(groups) * u64::from(results.words());
            let target = match groups {
                1 => output.clone(),
                _ => device.partials(&mut self.scratch, level as usize % 2, words)?,
            };
            // The tree is that of the number of rows alone, not of groups that a device has: sums of floats have the
            // same bits on every device that rounds correctly.
            let (mut places, mut block) = self.spare.pop().unwrap_or_default();
            places.extend([input, target.clone()]);
            block.resize(LAUNCH_WORDS as usize, 0);
            block[0] = count;
            if let Some((count, most)) = &listed {
                places.push(count.clone());
                (block[0], block[EXTENT_WORD as usize]) = (*most, level);
            }
            let code = device.reduction(results, listed.is_some())?;
            let groups_launched = launched(groups, listed.is_some(), device.resident(&code));
            self.works.push(Work { code, places, block, groups: groups_launched, faulting: None });
            (input, count) = (target, groups);
        }
        Ok(())
    }

    /// Plans a store of the identities, the results of a launch without rows.
    fn store(&mut self, device: &L, results: Reductions, output: L::KernelArgument) -> Result<()> {
        let words = results.identity();
        let mut block = vec![0; STORE_WORDS as usize];
        block[0] = words.len() as u32;
        for (place, word) in block[LAUNCH_WORDS as usize..].iter_mut().zip(words) {
            *place = word;
        }
        let code = device.store()?;
        self.works.push(Work { code, places: vec![output], block, groups: 1, faulting: None });
        Ok(())
    }
}
