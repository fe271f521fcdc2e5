//! Tables of a fluid, and the arguments of each kernel's launch.

use super::Number;
use super::kernels::fluids::{Flow, Passing, Queue as QueueRow, Terms, oldest};
use super::kernels::known::Known;
use super::kernels::paths::{Block, Branch, Crowd, Entry, FlowSlot, Passage, under_way};
use super::meters::Meters;
use super::plan::{Class, Plan};
use crate::fluid::FluidError;
use imminent_core::{ClockTable, Device, HistoryTable, Queue, Table};

/// All tables.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) clock: ClockTable,
    pub(super) queues: Table<QueueRow>,
    /// Arrivals at queues.
    pub(super) entering: HistoryTable<Number>,
    pub(super) passing: HistoryTable<Passing>,
    pub(super) through: HistoryTable<Passage>,
    pub(super) classes: Vec<ClassTables>,
    /// Meters, if measuring began.
    pub(super) meters: Option<Meters>,
}

/// Tables of flows with paths of similar length.
#[derive(Debug)]
pub(super) struct ClassTables {
    pub(super) flows: Table<Flow>,
    pub(super) terms: Table<Terms>,
    pub(super) places: Table<FlowSlot>,
    pub(super) branches: Table<Branch>,
    pub(super) blocks: Table<Block>,
    pub(super) large: Table<Block>,
    pub(super) crowds: Table<Crowd>,
    pub(super) bundles: Table<Block>,
    pub(super) entries: Table<Entry>,
    /// Sending rates of flows, by row and by position, and sums of them.
    pub(super) sent: HistoryTable<Number>,
    pub(super) lined_up: HistoryTable<Number>,
    pub(super) of_blocks: HistoryTable<Number>,
    pub(super) of_large: HistoryTable<Number>,
    pub(super) of_crowds: HistoryTable<Number>,
    pub(super) known: HistoryTable<Known>,
    pub(super) passages: HistoryTable<Passage>,
    /// Arrivals of branches at queues, and sums of them.
    pub(super) arriving: HistoryTable<Number>,
    pub(super) of_bundles: HistoryTable<Number>,
    /// `true` if the history is shorter than the longest queueing delay on some path.
    pub(super) is_bounded: bool,
    /// Step of the last check for the oldest fluid, and its age then, in steps.
    oldest: (u64, u64),
}

impl Tables {
    /// Creates the tables of an empty network.
    pub(super) fn new(device: &Device, plan: &Plan) -> Result<Self, FluidError> {
        let classes: Result<Vec<_>, _> =
            plan.classes.iter().map(|class| ClassTables::new(device, plan, class)).collect();
        Ok(Tables {
            clock: ClockTable::new(device, plan.first)?,
            queues: Table::from_rows(device, &plan.queues)?,
            entering: HistoryTable::new(device, plan.queues.len(), plan.now)?,
            passing: HistoryTable::new(device, plan.queues.len(), plan.now)?,
            through: HistoryTable::new(device, plan.queues.len(), plan.through)?,
            classes: classes?,
            meters: None,
        })
    }
}

impl ClassTables {
    fn new(device: &Device, plan: &Plan, class: &Class) -> Result<Self, FluidError> {
        Ok(ClassTables {
            flows: Table::from_rows(device, &class.flows)?,
            terms: Table::from_rows(device, &class.terms.rows)?,
            places: Table::from_rows(device, &class.places)?,
            branches: Table::from_rows(device, &class.branches)?,
            blocks: Table::from_rows(device, &class.blocks)?,
            large: Table::from_rows(device, &class.large)?,
            crowds: Table::from_rows(device, &class.crowds)?,
            bundles: Table::from_rows(device, &class.bundles)?,
            entries: Table::from_rows(device, &class.entries)?,
            sent: HistoryTable::new(device, class.flows.len(), class.sent)?,
            lined_up: HistoryTable::new(device, class.places.len(), plan.now)?,
            of_blocks: HistoryTable::new(device, class.blocks.len(), plan.now)?,
            of_large: HistoryTable::new(device, class.large.len(), plan.now)?,
            of_crowds: HistoryTable::new(device, class.crowds.len(), class.sent)?,
            known: HistoryTable::new(device, class.flows.len(), class.known)?,
            passages: HistoryTable::new(device, class.branches.len(), plan.passages)?,
            arriving: HistoryTable::new(device, class.branches.len(), plan.now)?,
            of_bundles: HistoryTable::new(device, class.bundles.len(), plan.now)?,
            is_bounded: class.is_bounded,
            oldest: (0, 0),
        })
    }

    /// Returns a bound for the age of the oldest fluid that arrives from step `now` on, and the history length, in
    /// steps. The device is asked only if `more` steps might exceed the history: an age grows by at most one per step,
    /// and is at most the age of the network.
    pub(super) fn ages(
        &mut self,
        (now, more): (u64, u64),
        (queue, through, clock): (&Queue, &HistoryTable<Passage>, &ClockTable),
    ) -> Result<[u64; 2], FluidError> {
        let kept = u64::from(self.sent.reach().past);
        if !self.is_bounded || now + more <= kept {
            return Ok([0, u64::MAX]);
        }
        let (at, age) = self.oldest;
        if age + (now - at) + more > kept {
            let at_receivers = queue.launch::<oldest>((&self.flows, &self.passages, through, clock))?;
            let at_queues = queue.launch::<under_way>((&self.branches, &self.passages, through, clock))?;
            self.oldest = (now, u64::from(at_receivers.read()?.max(at_queues.read()?)));
        }
        let (at, age) = self.oldest;
        Ok([age + (now - at), kept])
    }
}
