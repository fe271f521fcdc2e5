//! Simulations on threads of the host.

mod calendar;
mod chunks;
mod look;
mod parts;
mod run;
mod sharing;
mod simulation;
mod sorting;

use crate::contract::Events;
use crate::error::{EngineError, Outcome};
use crate::simulation::Start;
use crate::state::State;
use imminent_core::{Error, Fault, Progress};
use look::Look;
use sharing::share;
use simulation::Simulation;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Number of modules of a simulation from which on they are divided among threads.
const LARGE: usize = 1 << 14;

/// Simulations on threads of the host. In each time window of a simulation its modules are executed one after another,
/// each by its events in their order.
#[derive(Debug)]
pub(crate) struct OnHost<E: Events> {
    threads: usize,
    simulations: Vec<Simulation<E>>,
    /// Number of time windows of all simulations.
    steps: u64,
    /// Fault of a handler: the states have been lost.
    fault: Option<Fault>,
}

impl<E: Events> OnHost<E> {
    /// Creates checked simulations, some of which continue from a saved state. With 0 threads, the host's number of
    /// processors decides.
    pub(crate) fn new(
        threads: usize,
        starts: Vec<Start<E>>,
        mut states: BTreeMap<usize, State<E>>,
        most: u32,
    ) -> Result<Self, EngineError> {
        let of = |(simulation, start): (usize, Start<E>)| {
            let begun = Simulation::new(start, simulation, most);
            match states.remove(&simulation) {
                Some(state) => begun.resumed(state).map_err(|error| EngineError::State { simulation, error }),
                None => Ok(begun),
            }
        };
        let simulations = starts.into_iter().enumerate().map(of).collect::<Result<_, _>>()?;
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { processors() } else { threads };
        Ok(OnHost { threads, simulations, steps: 0, fault: None })
    }

    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Number of simulations.
    pub(crate) fn len(&self) -> usize {
        self.simulations.len()
    }

    /// Runs all simulations to their ends.
    pub(crate) fn run(&mut self, progress: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Result<(), EngineError> {
        self.whole()?;
        let mut look = Look::new(progress, self.steps);
        let mut left: Vec<_> = self.simulations.iter_mut().filter(|simulation| !simulation.is_over()).collect();
        let mut fault = None;
        if left.len() < self.threads {
            let is_large = |simulation: &&mut Simulation<E>| simulation.modules.len() >= LARGE && simulation.sends();
            for simulation in left.extract_if(.., |simulation| is_large(simulation)) {
                let ran = simulation.run_in_parts(self.threads, &mut look);
                fault = fault.or(ran.fault);
            }
        }
        let shared = share(left, self.threads, &mut look);
        let (steps, is_cancelled) = look.end();
        self.steps = steps;
        self.fault = fault.or(shared).map(|fault| Fault::of_host("step", fault));
        self.whole()?;
        match is_cancelled {
            true => Err(EngineError::Cancelled { steps }),
            false => Ok(()),
        }
    }

    /// Returns an error after a fault.
    fn whole(&self) -> Result<(), EngineError> {
        self.fault.clone().map_or(Ok(()), |fault| Err(Error::Fault(fault).into()))
    }

    /// Returns the time of the next event of each simulation.
    pub(crate) fn reached(&self) -> Vec<u64> {
        self.simulations.iter().map(Simulation::next).collect()
    }

    /// Returns the states of simulations.
    pub(crate) fn states(
        &self,
        simulations: &mut dyn Iterator<Item = usize>,
    ) -> Result<Vec<Option<State<E>>>, EngineError> {
        self.whole()?;
        Ok(self.chosen(simulations).map(Simulation::state).collect())
    }

    /// Returns the outcomes of simulations.
    pub(crate) fn outcomes(
        &self,
        simulations: &mut dyn Iterator<Item = usize>,
    ) -> Result<Vec<Outcome<E>>, EngineError> {
        self.whole()?;
        Ok(self.chosen(simulations).map(Simulation::outcome).collect())
    }

    fn chosen(&self, numbers: &mut dyn Iterator<Item = usize>) -> impl Iterator<Item = &Simulation<E>> {
        numbers.filter_map(|number| self.simulations.get(number))
    }
}
