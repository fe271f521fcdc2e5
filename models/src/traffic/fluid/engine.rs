//! The fluid equations on a device.

use super::kernels::fluids::{
    Bundle, Entry, Flow, Hop, Known, Leaving, Net, Passing, Queue, gather, leave, pass, send,
};
use super::plan::Plan;
use super::{FluidError, Rules};
use crate::traffic::{StepSize, Traffic};
use imminent_core::{ClockTable, Device, HistoryTable, Program, Reach, Table};

pub(in crate::traffic) use shared::Meetings;

/// The fluid part of some traffic, simulated on a device: all flows, then all queues, then all hops, as many steps at a time as the shortest link is
/// long (section 4.1 of the paper).
///
/// Determinism: `Reproducible`. Numbers are `f32`; what rounding takes from windows and queues is kept beside them.
#[derive(Debug)]
pub struct Engine {
    device: Device,
    tables: Tables,
    net: Net,
    numbers: Vec<u32>,
    links: Vec<u32>,
    /// So many launches of each kernel.
    program: Option<(u32, Program)>,
    launches: u64,
}

#[derive(Debug)]
struct Tables {
    clock: ClockTable,
    flows: Table<Flow>,
    hops: Table<Hop>,
    queues: Table<Queue>,
    bundles: Table<Bundle>,
    entries: Table<Entry>,
    sent: HistoryTable<f32>,
    known: HistoryTable<Known>,
    left: HistoryTable<Leaving>,
    sums: HistoryTable<f32>,
    passing: HistoryTable<Passing>,
}

/// A fluid flow after some step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlowState {
    /// Its number.
    pub flow: u32,
    /// Window of a session, in packets; 0 for UDP, and for a flow that is off.
    pub window: f32,
    /// Round-trip time, in seconds.
    pub round_trip: f32,
    /// What a session sees lost, in packets per second.
    pub losses: f32,
}

/// The queue of a link after some step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueueState {
    /// The link's number.
    pub link: u32,
    /// Length, in bytes.
    pub length: f32,
    /// The share of what arrives that is lost.
    pub loss: f32,
    /// What arrives, in bytes per second.
    pub arrivals: f32,
}

impl Engine {
    /// An empty network on a device.
    ///
    /// # Errors
    /// [`FluidError::TooSlow`] for queues that take too long for their histories; errors of the device, such as out of memory.
    pub fn new(device: &Device, traffic: &Traffic, size: StepSize, rules: Rules) -> Result<Self, FluidError> {
        let plan = Plan::new(traffic, size, rules)?;
        let now = Reach { past: 0, ahead: plan.net.steps };
        let tables = Tables {
            clock: ClockTable::new(device, plan.first)?,
            sent: HistoryTable::new(device, plan.flows.len(), now)?,
            known: HistoryTable::new(device, plan.flows.len(), plan.known)?,
            left: HistoryTable::new(device, plan.hops.len(), plan.left)?,
            sums: HistoryTable::new(device, plan.bundles.len(), now)?,
            passing: HistoryTable::new(device, plan.queues.len(), now)?,
            flows: Table::from_rows(device, &plan.flows)?,
            hops: Table::from_rows(device, &plan.hops)?,
            queues: Table::from_rows(device, &plan.queues)?,
            bundles: Table::from_rows(device, &plan.bundles)?,
            entries: Table::from_rows(device, &plan.entries)?,
        };
        let Plan { net, numbers, links, .. } = plan;
        Ok(Engine { device: device.clone(), tables, net, numbers, links, program: None, launches: 0 })
    }

    /// Steps that one launch makes.
    #[must_use]
    pub fn lookahead(&self) -> u32 {
        self.net.steps
    }

    /// Steps that were made.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.launches * u64::from(self.net.steps)
    }

    /// Goes on by so many launches, each of [`Engine::lookahead`] steps.
    ///
    /// # Errors
    /// Errors of the device; a fault where the clock has come to its end.
    pub fn advance(&mut self, launches: u32) -> Result<(), FluidError> {
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

    /// Every flow, as it is now.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn flows(&self) -> Result<Vec<FlowState>, FluidError> {
        let flows = self.tables.flows.read()?;
        Ok(self
            .numbers
            .iter()
            .zip(flows)
            .map(|(&flow, row)| FlowState { flow, window: row.window, round_trip: row.round_trip, losses: row.losses })
            .collect())
    }

    /// Every queue that a flow enters, as it is now.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn queues(&self) -> Result<Vec<QueueState>, FluidError> {
        let queues = self.tables.queues.read()?;
        Ok(self
            .links
            .iter()
            .zip(queues)
            .map(|(&link, row)| QueueState { link, length: row.length, loss: row.loss, arrivals: row.arrivals })
            .collect())
    }
}

/// One launch of each kernel, on a queue or into a program; and whatever else there is to do as soon as queues have come to their step.
macro_rules! launch_all {
    ($on:expr, $tables:expr, $net:expr $(, |$seen:pat_param| $then:expr)?) => {{
        let (on, net) = ($on, $net);
        let Tables { clock, flows, hops, queues, bundles, entries, sent, known, left, sums, passing } = $tables;
        on.launch::<send>((&mut *flows, &mut *sent, &mut *known, &*left, &*clock, net))?;
        on.launch::<gather>((&*bundles, &mut *sums, &*entries, &*sent, &*left, &*clock, net))?;
        on.launch::<pass>((&mut *queues, &mut *passing, &*sums, &*clock, net))?;
        $(
            let $seen = (&*passing, &*queues, &*clock, net);
            $then;
        )?
        on.launch::<leave>((&mut *hops, &mut *left, &*sent, &*passing, &*queues, &*clock, net))?;
        on.advance(&mut *clock, net.steps)
    }};
}

fn record(device: &Device, tables: &mut Tables, net: &Net, launches: u32) -> Result<Program, FluidError> {
    Ok(Program::record(device, |program| program.repeat(launches, |step| launch_all!(step, tables, net)))?)
}

mod shared;
