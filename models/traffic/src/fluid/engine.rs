//! The fluid equations on a device, in numbers of one precision.

use super::kernels::fluids::{Look, Passing, Queue, look, pass, send};
use super::kernels::paths::{Net, add, assemble, enter, line_up, travel};
use super::meters::Meters;
use super::plan::Plan;
use super::tables::{ClassTables, Tables};
use super::wide;
use crate::fluid::{FlowState, FluidError, Means, Memory, QueueState, Rules};
use crate::{StepSize, Traffic};
use imminent_core::{ClockTable, Device, Error, HistoryTable, Program, ProgramBuilder, Table};

pub(in crate::fluid) use shared::SharedQueues;

/// Engine of one precision.
#[derive(Debug)]
pub(in crate::fluid) struct Engine {
    device: Device,
    tables: Tables,
    net: Net,
    /// For each flow in ascending order: its number, its class, and its row there.
    order: Vec<(u32, u32, u32)>,
    links: Vec<u32>,
    /// Program with the given number of launches of each kernel.
    program: Option<(u32, Program)>,
    /// Program with one launch of each kernel, to be submitted without waiting.
    one: Option<Program>,
    launches: u64,
    /// Number of times that measuring began.
    measured: u32,
}

impl Engine {
    /// Creates an empty network.
    pub(in crate::fluid) fn new(
        device: &Device,
        traffic: &Traffic,
        size: StepSize,
        rules: Rules,
        memory: Memory,
    ) -> Result<Self, FluidError> {
        let plan = Plan::new(traffic, size, rules, memory)?;
        plan.check_memory(device)?;
        let tables = Tables::new(device, &plan)?;
        let Plan { net, classes, links, .. } = plan;
        let rows = (0..)
            .zip(&classes)
            .flat_map(|(number, class)| (0..).zip(&class.numbers).map(move |(row, &flow)| (flow, number, row)));
        let mut order: Vec<_> = rows.collect();
        order.sort_unstable();
        Ok(Engine {
            device: device.clone(),
            tables,
            net,
            order,
            links,
            program: None,
            one: None,
            launches: 0,
            measured: 0,
        })
    }

    pub(in crate::fluid) fn lookahead(&self) -> u32 {
        self.net.steps
    }

    pub(in crate::fluid) fn steps(&self) -> u64 {
        self.launches * u64::from(self.net.steps)
    }

    /// Starts new sums at 0, to which launches add.
    pub(in crate::fluid) fn measure(&mut self) -> Result<(), FluidError> {
        let meters = Meters::new(&self.device, &self.tables, self.steps())?;
        self.tables.meters = Some(meters);
        (self.program, self.one) = (None, None);
        self.measured += 1;
        Ok(())
    }

    pub(in crate::fluid) fn means(&self) -> Result<Option<Means>, FluidError> {
        let now = self.steps();
        let meters = self.tables.meters.as_ref().filter(|meters| meters.since() < now);
        Ok(meters.map(|meters| meters.means(now, &self.links, &self.order)).transpose()?)
    }

    pub(in crate::fluid) fn branches(&self) -> usize {
        self.tables.classes.iter().map(|class| class.branches.len()).sum()
    }

    pub(in crate::fluid) fn advance(&mut self, launches: u32) -> Result<(), FluidError> {
        self.remembers(launches)?;
        let program = match &mut self.program {
            Some((count, program)) if *count == launches => program,
            other => {
                let program = record(&self.device, &mut self.tables, &self.net, launches)?;
                &mut other.insert((launches, program)).1
            }
        };
        program.run()?;
        self.launches += u64::from(launches);
        Ok(())
    }

    /// Checks that the histories cover all lookups of the given number of launches.
    fn remembers(&mut self, launches: u32) -> Result<(), FluidError> {
        let (now, more) = (self.steps(), u64::from(launches) * u64::from(self.net.steps));
        let queue = self.device.queue();
        for class in &mut self.tables.classes {
            let [age, kept] = class.ages((now, more), (&queue, &self.tables.through, &self.tables.clock))?;
            if age + more > kept {
                let [age, kept, more] = [age, kept, more].map(|steps| steps as f64 * wide(self.net.step));
                return Err(FluidError::TooLate { age, more, kept });
            }
        }
        Ok(())
    }

    /// Returns the flows by number.
    pub(in crate::fluid) fn flows(&self) -> Result<Vec<FlowState>, FluidError> {
        let Self { device, tables, net, .. } = self;
        let seen = |class: &ClassTables| {
            let mut looks = Table::<Look>::zeroed(device, class.flows.len())?;
            device.queue().launch::<look>((
                &mut looks,
                &class.flows,
                &class.terms,
                &class.known,
                &tables.clock,
                net,
            ))?;
            looks.read()
        };
        let classes = tables.classes.iter().map(seen).collect::<imminent_core::Result<Vec<_>>>()?;
        let row = |&(flow, class, row): &(u32, u32, u32)| {
            let row = classes.get(class as usize)?.get(row as usize)?;
            let [window, round_trip, losses] = [row.window, row.round_trip, row.losses].map(wide);
            Some(FlowState { flow, window, round_trip, losses })
        };
        Ok(self.order.iter().filter_map(row).collect())
    }

    pub(in crate::fluid) fn queues(&self) -> Result<Vec<QueueState>, FluidError> {
        let queues = self.tables.queues.read()?;
        Ok(self
            .links
            .iter()
            .zip(queues)
            .map(|(&link, row)| {
                let [length, loss, arrivals] = [row.length, row.loss, row.arrivals].map(wide);
                QueueState { link, length, loss, arrivals }
            })
            .collect())
    }
}

/// Records one launch of each kernel. `then` adds work that reads the queues and what passes them, before the clock
/// advances.
fn launch_all(
    on: &mut ProgramBuilder,
    tables: &mut Tables,
    net: &Net,
    then: impl FnOnce(&mut ProgramBuilder, &HistoryTable<Passing>, &Table<Queue>, &ClockTable) -> Result<(), Error>,
) -> Result<(), Error> {
    let Tables { clock, queues, entering, passing, through, classes, meters } = tables;
    for class in &mut *classes {
        let ClassTables { flows, terms, places, branches, blocks, large, crowds, bundles, entries, .. } = class;
        let ClassTables { sent, lined_up, of_blocks, of_large, of_crowds, known, .. } = class;
        let ClassTables { passages, arriving, of_bundles, .. } = class;
        on.launch::<send>((flows, &*terms, &mut *sent, known, &*passages, &*through, &*clock, net))?;
        on.launch::<line_up>((&*places, &mut *lined_up, &*sent, &*clock, net))?;
        on.launch::<add>((&*blocks, &mut *of_blocks, &*lined_up, &*clock, net))?;
        on.launch::<add>((&*large, &mut *of_large, &*of_blocks, &*clock, net))?;
        on.launch::<assemble>((&*crowds, &mut *of_crowds, &*lined_up, &*of_blocks, &*of_large, &*clock, net))?;
        let of_branches = (&*branches, passages, &mut *arriving, &*through, &*sent, &*of_crowds, &*clock, net);
        on.launch::<travel>(of_branches)?;
        on.launch::<add>((&*bundles, &mut *of_bundles, &*arriving, &*clock, net))?;
        on.launch::<enter>((&*entries, &mut *entering, &*of_bundles, &*clock, net))?;
    }
    on.launch::<pass>((&mut *queues, &mut *passing, through, entering, &*clock, net))?;
    if let Some(meters) = meters {
        meters.record(on, classes, (passing, queues, clock), net)?;
    }
    then(on, passing, queues, clock)?;
    on.advance(clock, net.steps)
}

fn record(device: &Device, tables: &mut Tables, net: &Net, launches: u32) -> Result<Program, Error> {
    Program::record(device, |program| {
        program.repeat(launches, |step| launch_all(step, tables, net, |_, _, _, _| Ok(())))
    })
}

#[path = "engine/shared.rs"]
mod shared;
