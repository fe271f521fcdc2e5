//! Sums over time on a device, and the means computed from them.

use super::kernels::fluids::{Passing, Queue};
use super::kernels::meters::{FlowMeter, QueueMeter, Sum, meter_flow, meter_queue};
use super::kernels::paths::Net;
use super::tables::{ClassTables, Tables};
use super::wide;
use crate::fluid::states::{FlowMeans, Means, QueueMeans};
use imminent_core::{ClockTable, Device, HistoryTable, ProgramBuilder, Result, Table};

/// Sums of all queues and flows, from some step on.
#[derive(Debug)]
pub(super) struct Meters {
    queues: Table<QueueMeter>,
    /// Tables of the classes.
    flows: Vec<Table<FlowMeter>>,
    since: u64,
}

const NOTHING: Sum = Sum { sum: 0.0, rest: 0.0 };

impl Meters {
    /// Creates empty sums at a step.
    pub(super) fn new(device: &Device, tables: &Tables, since: u64) -> Result<Self> {
        let of_queue = |queue| QueueMeter {
            queue,
            idle: 0,
            greatest: 0.0,
            length: NOTHING,
            used: NOTHING,
            arrivals: NOTHING,
            losses: NOTHING,
        };
        let of_flow = |flow| FlowMeter { flow, steps: 0, rate: NOTHING, window: NOTHING, round_trip: NOTHING };
        let queues: Vec<_> = (0..tables.queues.len() as u32).map(of_queue).collect();
        let of_class = |class: &ClassTables| {
            let flows: Vec<_> = (0..class.flows.len() as u32).map(of_flow).collect();
            Table::from_rows(device, &flows)
        };
        let flows = tables.classes.iter().map(of_class).collect::<Result<_>>()?;
        Ok(Self { queues: Table::from_rows(device, &queues)?, flows, since })
    }

    /// Step at which measuring began.
    pub(super) fn since(&self) -> u64 {
        self.since
    }

    /// Records the kernels that add the steps of a launch, after its last kernel and before the clock advances.
    pub(super) fn record(
        &mut self,
        on: &mut ProgramBuilder,
        classes: &[ClassTables],
        (passing, queues, clock): (&HistoryTable<Passing>, &Table<Queue>, &ClockTable),
        net: &Net,
    ) -> Result<()> {
        on.launch::<meter_queue>((&mut self.queues, passing, queues, clock, net))?;
        for (meters, class) in self.flows.iter_mut().zip(classes) {
            on.launch::<meter_flow>((meters, &class.sent, &class.known, &class.flows, &class.terms, clock, net))?;
        }
        Ok(())
    }

    /// Computes the means up to step `now`: queues by row, and flows by the given classes and rows.
    pub(super) fn means(&self, now: u64, links: &[u32], order: &[(u32, u32, u32)]) -> Result<Means> {
        let steps = now - self.since;
        let over = |sum: Sum, steps: u64| (wide(sum.sum) - wide(sum.rest)) / steps as f64;
        let queue = |(&link, row): (&u32, QueueMeter)| QueueMeans {
            link,
            length: over(row.length, steps),
            greatest: wide(row.greatest),
            idle: f64::from(row.idle) / steps as f64,
            used: over(row.used, steps),
            arrivals: over(row.arrivals, steps),
            losses: over(row.losses, steps),
        };
        let classes: Vec<_> = self.flows.iter().map(Table::read).collect::<Result<_>>()?;
        let flow = |&(flow, class, row): &(u32, u32, u32)| {
            let row = classes.get(class as usize)?.get(row as usize)?;
            let on = u64::from(row.steps);
            let while_on = |sum: Sum| (on > 0).then(|| over(sum, on));
            Some(FlowMeans {
                flow,
                on: on as f64 / steps as f64,
                rate: over(row.rate, steps),
                window: while_on(row.window).filter(|window| *window > 0.0),
                round_trip: while_on(row.round_trip),
            })
        };
        let (queues, flows) = (links.iter().zip(self.queues.read()?).map(queue), order.iter().filter_map(flow));
        Ok(Means { steps, queues: queues.collect(), flows: flows.collect() })
    }
}
