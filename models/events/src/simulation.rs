//! Simulations before their first event and after their last.

use super::contract::Events;
use super::event_types::{First, Scheduled};
use super::kernels::order::tie;
use super::lookahead::Lookahead;
use super::start_error::{MAX_CARRIED, StartError};
use imminent_core::Data;
use std::sync::Arc;

/// Simulation before its first event.
#[derive(Debug)]
pub struct Start<E: Events> {
    /// Parameters of the simulation. If simulations share them, the device also stores them once.
    pub point: Arc<E::Point>,
    /// Modules of the simulation.
    pub modules: Vec<E::Module>,
    /// Initial events. Events of one time at one module are executed in this order.
    pub events: Vec<First<E>>,
    /// Lookahead: least delay of events that modules send to each other. For all modules: `5.into()`, in ticks.
    pub lookahead: Lookahead,
    /// End of the simulation, in ticks: events at this time or later are not executed.
    pub end: u64,
}

/// Simulation that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct End<M> {
    /// Modules of the simulation.
    pub modules: Vec<M>,
    /// Number of executed events.
    pub handled: u64,
    /// Number of events still pending.
    pub waiting: u64,
}

/// Bounds of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    /// Number of modules.
    pub(super) modules: u32,
    /// Lookahead: least delay of sent events, in ticks.
    pub(super) lookahead: u64,
    /// End of the simulation, in ticks.
    pub(super) end: u64,
}

impl<E: Events> Clone for Start<E> {
    fn clone(&self) -> Self {
        let Start { point, modules, events, lookahead, end } = self;
        Start {
            point: Arc::clone(point),
            modules: modules.clone(),
            events: events.clone(),
            lookahead: lookahead.clone(),
            end: *end,
        }
    }
}

impl<E: Events> Start<E> {
    pub(super) fn bounds(&self) -> Bounds {
        Bounds { modules: self.modules.len() as u32, lookahead: self.lookahead.least(), end: self.end }
    }

    /// Checks that the simulation can start; `simulation` is its number.
    pub(super) fn check(&self, simulation: usize) -> Result<(), StartError> {
        let bytes = 4 * u64::from(E::Payload::WORDS);
        if bytes > MAX_CARRIED {
            return Err(StartError::PayloadTooLarge { bytes });
        }
        let modules = self.modules.len();
        if modules == 0 {
            return Err(StartError::NoModules { simulation });
        }
        if modules > 1 << 24 {
            return Err(StartError::TooManyModules);
        }
        self.lookahead.check(simulation, modules)?;
        match self.events.iter().find(|event| event.module as usize >= modules) {
            Some(&First { module, .. }) => Err(StartError::NoSuchModule { simulation, module, modules }),
            None => Ok(()),
        }
    }

    /// Returns the kind of each module's first event; the greatest number if it has none. All modules must exist.
    pub(super) fn first_kinds(&self) -> Vec<u32> {
        let mut first = vec![(u64::MAX, u32::MAX); self.modules.len()];
        for event in &self.events {
            let known = &mut first[event.module as usize];
            if event.time < known.0 {
                *known = (event.time, E::first(event, 0).kind);
            }
        }
        first.into_iter().map(|(_, kind)| kind).collect()
    }

    /// Returns the initial events, each with its rank among those of the same time, and the number of events at each
    /// module. All modules must exist.
    pub(super) fn agenda(&self) -> (Vec<Scheduled<E>>, Vec<u64>) {
        let mut numbers = vec![0_u64; self.modules.len()];
        let events = self.events.iter().map(|event| {
            let number = &mut numbers[event.module as usize];
            *number += 1;
            E::first(event, tie(event.module, *number - 1))
        });
        (events.collect(), numbers)
    }
}
