//! Simulation on threads of the host.

use crate::count::{FlowCount, NodeCount, Statistics};
use crate::error::EngineError;
use crate::memory::affordable;
use crate::network::Network;
use crate::report::Report;
use crate::sequential;
use imminent_common::sharing::{Stopped, share};
use imminent_core::Progress;
use std::convert::Infallible;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::mpsc::channel;

/// Replications that threads of the host execute, each by the sequential program.
#[derive(Debug)]
pub(crate) struct OnHost {
    threads: usize,
    simulations: Vec<Simulation>,
    /// Statistics of simulations that have ended, unless they were handed over.
    results: Vec<Option<Statistics>>,
    /// Number of executed events.
    events: u64,
}

/// A replication of a network.
#[derive(Debug)]
struct Simulation {
    network: Arc<Network>,
    replication: u64,
    is_over: bool,
}

impl OnHost {
    /// Creates simulations of checked networks. With 0 threads, the host's number of processors decides.
    pub(crate) fn new(threads: usize, networks: &[(Network, Range<u64>)]) -> Self {
        let of = |(network, replications): &(Network, Range<u64>)| {
            let network = Arc::new(network.clone());
            let of = move |replication| Simulation { network: network.clone(), replication, is_over: false };
            replications.clone().map(of)
        };
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { processors() } else { threads };
        let threads = affordable(threads, networks.iter().map(|(network, _)| network));
        let simulations: Vec<_> = networks.iter().flat_map(of).collect();
        OnHost { threads, results: vec![None; simulations.len()], simulations, events: 0 }
    }

    /// Number of executed events.
    pub(crate) fn steps(&self) -> u64 {
        self.events
    }

    /// Runs all simulations that have not ended, and keeps their statistics. Those under way when the run is cancelled
    /// begin anew in the next.
    pub(crate) fn run(&mut self, mut progress: impl FnMut(Progress) -> ControlFlow<()>) -> Result<(), EngineError> {
        let mut kept = std::mem::take(&mut self.results);
        let ran = self.run_each(|report| match report {
            Report::Progress(at) => progress(at),
            Report::Ended { number, statistics } => {
                kept[number] = Some(statistics);
                ControlFlow::Continue(())
            }
        });
        self.results = kept;
        ran
    }

    /// Runs all simulations that have not ended, and hands over the statistics of each when it has.
    pub(crate) fn run_each(&mut self, mut watch: impl FnMut(Report) -> ControlFlow<()>) -> Result<(), EngineError> {
        let earlier = self.events;
        let left = self.simulations.iter_mut().enumerate().filter(|(_, simulation)| !simulation.is_over);
        let left: Vec<_> = left.collect();
        let (send, over) = channel();
        let mut look = |events| {
            over.try_iter().try_for_each(&mut watch)?;
            watch(Report::Progress(Progress { steps: earlier + events }))
        };
        let ran = share(
            left.into_iter(),
            self.threads,
            &mut look,
            || (),
            |(), (number, simulation), report| {
                let Simulation { network, replication, is_over } = simulation;
                let goes_on = |events| report(events).is_continue();
                if let Some(statistics) = sequential::simulate_while(network, *replication, goes_on) {
                    *is_over = true;
                    // The receiver outlives all threads.
                    let _ = send.send(Report::Ended { number, statistics });
                }
                Ok::<_, Infallible>(())
            },
        );
        // What ended after the last look, or after the request to stop, is a result too.
        let mut flow = ControlFlow::Continue(());
        for report in over.try_iter() {
            if watch(report).is_break() {
                flow = ControlFlow::Break(());
            }
        }
        match ran {
            Ok(shared) => self.events += shared.events,
            Err(Stopped::Cancelled { events }) => {
                self.events += events;
                flow = ControlFlow::Break(());
            }
            Err(Stopped::Failed(never)) => match never {},
        }
        match flow {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(EngineError::Cancelled { steps: self.events }),
        }
    }

    /// Returns the statistics of each simulation: zeros of those that have not ended.
    pub(crate) fn statistics(&self) -> Vec<Statistics> {
        let of = |(simulation, result): (&Simulation, &Option<Statistics>)| {
            let none = || Statistics {
                nodes: vec![NodeCount::default(); simulation.network.nodes as usize],
                flows: vec![FlowCount::default(); simulation.network.traffic.flows() as usize],
                ..Statistics::default()
            };
            result.clone().unwrap_or_else(none)
        };
        self.simulations.iter().zip(&self.results).map(of).collect()
    }
}
