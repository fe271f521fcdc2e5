//! Runs of mobile ad hoc networks, many at once.

use super::network;
use crate::memory::{MOST_WEIGHT, weight};
use crate::{Engine, EngineError, Loss, Network, Report, Summary};
use imminent_common::output::Sketch;
use imminent_core::Device;
use imminent_core::clock::Instant;
use imminent_study::laboratory::{Failed, Fault, Finished, Laboratory, Run, Update};
use imminent_study::{Base, BatchSize, Runs};
use std::iter::Peekable;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Number of runs in the first batch that a device executes together.
const FIRST_TOGETHER: usize = 16;

/// Largest number of runs of a batch.
const MAX_TOGETHER: usize = 1 << 14;

/// Laboratory that executes runs of mobile ad hoc networks.
#[derive(Debug)]
pub struct Manets {
    base: Arc<Base>,
    device: Device,
    /// Largest number of runs of the next batch.
    together: BatchSize,
}

/// Runs that are simulated together, with their networks.
type Batch = Vec<(Run, Network)>;

impl Manets {
    /// Creates a laboratory that executes runs on a device.
    #[must_use]
    pub fn new(base: &Arc<Base>, device: &Device) -> Self {
        Manets {
            base: Arc::clone(base),
            device: device.clone(),
            together: BatchSize::new(FIRST_TOGETHER, MAX_TOGETHER),
        }
    }

    /// Takes the next runs, at least one. Impossible runs fail.
    ///
    /// Runs that threads of the host execute apart end one after the other, so a batch takes many of them. Other runs
    /// of a batch all end with its last one.
    fn batch(
        &self,
        left: &mut Peekable<impl Iterator<Item = Run>>,
        observer: &mut dyn FnMut(Update) -> ControlFlow<()>,
    ) -> ControlFlow<(), Batch> {
        let (mut batch, mut all, mut are_apart) = (vec![], 0, None);
        while let Some(run) = left.peek()
            && all < MOST_WEIGHT
        {
            match network(&self.base, &run.point, run.seed) {
                Ok(network) => {
                    let is_apart = Engine::is_apart(&self.device, &network);
                    let most = if is_apart { MAX_TOGETHER } else { self.together.now() };
                    let weight = weight(is_apart, &network);
                    let is_full = batch.len() >= most || (all > 0 && all + weight > MOST_WEIGHT);
                    if *are_apart.get_or_insert(is_apart) != is_apart || is_full {
                        break;
                    }
                    all += weight;
                    batch.push((run.clone(), network));
                }
                Err(error) => observer(Update::Failed(Failed { run: run.number, why: error.to_string() }))?,
            }
            left.next();
        }
        ControlFlow::Continue(batch)
    }

    /// Simulates a batch, after `done` of `all` runs. Breaks if the observer interrupted it.
    fn carry_out(
        &self,
        batch: &Batch,
        [mut done, all]: [usize; 2],
        observer: &mut dyn FnMut(Update) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Fault> {
        let networks: Vec<_> = batch.iter().map(|(_, network)| (network.clone(), 0..1)).collect();
        let ran = Engine::new(&self.device, &networks)?.run_each(|report| match report {
            Report::Progress(_) => observer(Update::Progress { share: done as f64 / all as f64 }),
            Report::Ended { number, statistics } => {
                done += 1;
                observer(Update::Finished(finished(
                    batch[number].0.number,
                    &Summary::of(&statistics.nodes),
                    &statistics.delays,
                )))
            }
        });
        match ran {
            Ok(()) => Ok(ControlFlow::Continue(())),
            Err(EngineError::Cancelled { .. }) => Ok(ControlFlow::Break(())),
            Err(error) => Err(error.into()),
        }
    }
}

/// Returns the measures of a run.
fn finished(run: u64, summary: &Summary, delays: &Sketch) -> Finished {
    let attempts = summary.total.sent + summary.total.busy;
    let lost = |loss: Loss| summary.total.lost[loss as usize] as f64 / summary.created() as f64;
    let delay = |share| delays.quantile(share).map_or(f64::NAN, |micros| micros / 1e6);
    let values = [
        summary.delivery_ratio(),
        summary.mean_delay(),
        delay(0.5),
        delay(0.95),
        delay(0.99),
        summary.mean_hops(),
        lost(Loss::Unreachable),
        lost(Loss::Link),
        lost(Loss::Queue),
        summary.total.sent as f64,
        summary.total.busy as f64 / attempts as f64,
        lost(Loss::NoRoute),
        summary.control() as f64,
        summary.total.control_bytes as f64,
        summary.routing_load(),
    ];
    let values = values.map(|value| Some(value).filter(|value| value.is_finite())).to_vec();
    Finished { run, events: summary.created() + attempts + summary.total.sent, values }
}

impl Laboratory for Manets {
    fn run(&mut self, runs: &Runs<'_>, observer: &mut dyn FnMut(Update) -> ControlFlow<()>) -> Result<(), Fault> {
        let (mut left, mut done, all) = (runs.iter().peekable(), 0, runs.len().max(1));
        while left.peek().is_some() {
            let ControlFlow::Continue(batch) = self.batch(&mut left, observer) else { return Ok(()) };
            let began = Instant::now();
            if self.carry_out(&batch, [done, all], observer)?.is_break() {
                return Ok(());
            }
            done += batch.len();
            self.together.done_since(began);
        }
        Ok(())
    }
}
