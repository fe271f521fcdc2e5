//! Simulation on threads of the host.

use crate::count::NodeCount;
use crate::error::EngineError;
use crate::network::Network;
use crate::sequential;
use imminent_common::sharing::{Stopped, share};
use imminent_core::Progress;
use std::convert::Infallible;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

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
    network: Arc<Network>,
    replication: u64,
    /// Statistics of its nodes, if it has ended.
    counts: Option<Vec<NodeCount>>,
}

impl OnHost {
    /// Creates simulations of checked networks. With 0 threads, the host's number of processors decides.
    pub(crate) fn new(threads: usize, networks: &[(Network, Range<u64>)]) -> Self {
        let of = |(network, replications): &(Network, Range<u64>)| {
            let network = Arc::new(network.clone());
            let of = move |replication| Simulation { network: network.clone(), replication, counts: None };
            replications.clone().map(of)
        };
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { processors() } else { threads };
        OnHost { threads, simulations: networks.iter().flat_map(of).collect(), events: 0 }
    }

    /// Number of executed events.
    pub(crate) fn steps(&self) -> u64 {
        self.events
    }

    /// Runs all simulations that have not ended. Those under way when the run is cancelled begin anew in the next.
    pub(crate) fn run(&mut self, mut progress: impl FnMut(Progress) -> ControlFlow<()>) -> Result<(), EngineError> {
        let earlier = self.events;
        let left: Vec<_> = self.simulations.iter_mut().filter(|simulation| simulation.counts.is_none()).collect();
        let mut look = |events| progress(Progress { steps: earlier + events });
        let ran = share(
            left.into_iter(),
            self.threads,
            &mut look,
            || (),
            |(), simulation, report| {
                let Simulation { network, replication, counts } = simulation;
                *counts = sequential::simulate_while(network, *replication, |events| report(events).is_continue());
                Ok::<_, Infallible>(())
            },
        );
        match ran {
            Ok(shared) => {
                self.events += shared.events;
                Ok(())
            }
            Err(Stopped::Cancelled { events }) => {
                self.events += events;
                Err(EngineError::Cancelled { steps: self.events })
            }
            Err(Stopped::Failed(never)) => match never {},
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
