//! Simulation on threads of the host.

use crate::count::NodeCount;
use crate::error::EngineError;
use crate::network::Network;
use crate::sequential;
use imminent_core::Progress;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Time between two reports of progress.
const PAUSE: Duration = Duration::from_millis(20);

/// Replications that threads of the host execute, each by the sequential program.
#[derive(Debug)]
pub(crate) struct OnHost {
    threads: usize,
    simulations: Vec<Simulation>,
    /// Number of executed events.
    events: u64,
}

/// A replication of a network.
#[derive(Debug)]
struct Simulation {
    network: Network,
    replication: u64,
    /// Statistics of its nodes, if it has ended.
    counts: Option<Vec<NodeCount>>,
}

impl OnHost {
    /// Creates simulations of checked networks. With 0 threads, the host's number of processors decides.
    pub(crate) fn new(threads: usize, networks: &[(Network, std::ops::Range<u64>)]) -> Self {
        let of = |(network, replications): &(Network, std::ops::Range<u64>)| {
            let of = |replication| Simulation { network: network.clone(), replication, counts: None };
            replications.clone().map(of).collect::<Vec<_>>()
        };
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { processors() } else { threads };
        OnHost { threads, simulations: networks.iter().flat_map(of).collect(), events: 0 }
    }

    /// Number of executed events of simulations that have ended.
    pub(crate) fn steps(&self) -> u64 {
        self.events
    }

    /// Runs all simulations that have not ended. Those under way when the run is cancelled begin anew in the next.
    pub(crate) fn run(&mut self, mut progress: impl FnMut(Progress) -> ControlFlow<()>) -> Result<(), EngineError> {
        let OnHost { threads, simulations, events } = self;
        let left: Vec<_> = (0..simulations.len()).filter(|&number| simulations[number].counts.is_none()).collect();
        let (next, stop, executed) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicU64::new(*events));
        let (sender, receiver) = channel();
        let mut ended = vec![];
        std::thread::scope(|scope| {
            for _ in 0..left.len().min(*threads) {
                let (sender, all, left) = (sender.clone(), &*simulations, &left);
                let (next, stop, executed) = (&next, &stop, &executed);
                scope.spawn(move || {
                    while let Some(&number) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let Simulation { network, replication, .. } = &all[number];
                        let goes_on = |events| {
                            executed.fetch_add(events, Ordering::Relaxed);
                            !stop.load(Ordering::Relaxed)
                        };
                        let Some(counts) = sequential::simulate_while(network, *replication, goes_on) else { return };
                        // The calling thread listens until all others have ended.
                        let _ = sender.send((number, counts));
                    }
                });
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(PAUSE) {
                    Ok(one) => ended.push(one),
                    Err(RecvTimeoutError::Timeout) => {
                        if progress(Progress { steps: executed.load(Ordering::Relaxed) }).is_break() {
                            stop.store(true, Ordering::Relaxed);
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        });
        *events = executed.into_inner();
        for (number, counts) in ended {
            simulations[number].counts = Some(counts);
        }
        match simulations.iter().all(|simulation| simulation.counts.is_some()) {
            true => Ok(()),
            false => Err(EngineError::Cancelled { steps: *events }),
        }
    }

    /// Returns the statistics of the nodes of each simulation: zeros of those that have not ended.
    pub(crate) fn counts(&self) -> Vec<Vec<NodeCount>> {
        let of = |simulation: &Simulation| match &simulation.counts {
            Some(counts) => counts.clone(),
            None => vec![NodeCount::default(); simulation.network.nodes as usize],
        };
        self.simulations.iter().map(of).collect()
    }
}
