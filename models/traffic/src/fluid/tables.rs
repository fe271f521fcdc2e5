//! The tables of a fluid, and what is done with them in a launch of each kernel.

use super::Number;
use super::kernels::fluids::{Flow, Passing, Queue as QueueRow, Terms, oldest};
use super::kernels::known::Known;
use super::kernels::ways::{Block, Branch, Crowd, Entry, Passage, Place, under_way};
use super::meters::Meters;
use super::plan::{Class, Plan};
use crate::fluid::FluidError;
use imminent_core::{ClockTable, Device, HistoryTable, Queue, Table};

/// All tables.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) clock: ClockTable,
    pub(super) queues: Table<QueueRow>,
    /// What arrives at queues.
    pub(super) entering: HistoryTable<Number>,
    pub(super) passing: HistoryTable<Passing>,
    pub(super) through: HistoryTable<Passage>,
    pub(super) classes: Vec<ClassTables>,
    /// Where something is measured.
    pub(super) meters: Option<Meters>,
}

/// Those of flows that go about as far.
#[derive(Debug)]
pub(super) struct ClassTables {
    pub(super) flows: Table<Flow>,
    pub(super) terms: Table<Terms>,
    pub(super) places: Table<Place>,
    pub(super) branches: Table<Branch>,
    pub(super) blocks: Table<Block>,
    pub(super) large: Table<Block>,
    pub(super) crowds: Table<Crowd>,
    pub(super) bundles: Table<Block>,
    pub(super) entries: Table<Entry>,
    /// What flows send, the same by their places, and sums of it.
    pub(super) sent: HistoryTable<Number>,
    pub(super) lined_up: HistoryTable<Number>,
    pub(super) of_blocks: HistoryTable<Number>,
    pub(super) of_large: HistoryTable<Number>,
    pub(super) of_crowds: HistoryTable<Number>,
    pub(super) known: HistoryTable<Known>,
    pub(super) passages: HistoryTable<Passage>,
    /// What comes to queues on branches, and sums of it.
    pub(super) arriving: HistoryTable<Number>,
    pub(super) of_bundles: HistoryTable<Number>,
    /// Whether less is remembered than all queues of some way can hold.
    pub(super) is_bounded: bool,
    /// When it was looked how old the oldest fluid is, in steps, and how old it was.
    oldest: (u64, u64),
}

impl Tables {
    /// An empty network.
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

    /// For how many steps the oldest of what comes from step `now` on can have been under way, and for how many it is remembered what was sent. The device is asked where
    /// `more` steps might need it: nothing grows older than by a step in a step, and nothing is older than the network.
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
