//! A simulation before its first event and after its last.

use super::contract::{Events, Scheduled};
use super::kernels::order::tie;
use imminent_core::Data;
use std::sync::Arc;
use thiserror::Error;

/// A simulation, as it starts.
#[derive(Debug)]
pub struct Start<E: Events> {
    /// Parameters of the simulation. Simulations that share them have them once on the device, too.
    pub point: Arc<E::Point>,
    /// Its modules.
    pub modules: Vec<E::Module>,
    /// What is scheduled from the beginning. Of events of one time at one module those happen first that come first here.
    pub events: Vec<First<E>>,
    /// The least delay of events that a module sends to others, in ticks; 0 if none is ever sent. The greater it is, the more happens at a time.
    pub lookahead: u64,
    /// What would happen at this time or later, in ticks, does not.
    pub end: u64,
}

/// An event that is scheduled from the beginning.
#[derive(Debug)]
pub struct First<E: Events> {
    /// When it happens, in ticks.
    pub time: u64,
    /// At which module.
    pub module: u32,
    /// What happens.
    pub kind: E::Kind,
    /// What it carries.
    pub payload: E::Payload,
}

/// A simulation that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct End<M> {
    /// Its modules.
    pub modules: Vec<M>,
    /// How many events happened.
    pub handled: u64,
    /// How many were still to come.
    pub waiting: u64,
}

/// Why a simulation cannot start.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    /// It has no modules.
    #[error("simulation {simulation} has no modules: nothing can happen in it")]
    NoModules {
        /// Its number among those that run together.
        simulation: usize,
    },
    /// An event is scheduled at a module that there is not.
    #[error("simulation {simulation} starts with an event at module {module}, and it has {modules}")]
    NoSuchModule {
        /// Its number among those that run together.
        simulation: usize,
        /// The module's number.
        module: u32,
        /// How many there are.
        modules: usize,
    },
    /// There are more modules than rows of a table, or than 24 bits number within a simulation.
    #[error("the simulations have more modules than can be numbered (2^32, and 2^24 in each): run fewer at a time")]
    TooManyModules,
    /// What events carry is more than all devices can hand over by value.
    #[error(
        "what an event carries takes {bytes} bytes, and {} is what every device can hand over: keep the rest in the states of modules, which may have lanes",
        MOST_CARRIED
    )]
    PayloadTooLarge {
        /// What it takes.
        bytes: u64,
    },
    /// Handlers are to schedule more than there can be room for.
    #[error(
        "handlers are to schedule up to {most} events each time they are called, and {} is what there can be room for: state fewer",
        MOST
    )]
    TooManyPromised {
        /// What was stated.
        most: u32,
    },
}

/// No handler may schedule more events than this each time it is called: there has to be room for them at each module.
pub const MOST: u32 = 1 << 16;

/// No event may carry more bytes than this: handlers have what it carries by value, for which compilers of devices need longer and longer, until they fail.
pub const MOST_CARRIED: u64 = 1024;

/// What a simulation's modules have to know of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// Number of modules.
    pub(super) modules: u32,
    /// The least delay of what is sent, in ticks.
    pub(super) lookahead: u64,
    /// The end, in ticks.
    pub(super) end: u64,
}

impl<E: Events> Clone for Start<E> {
    fn clone(&self) -> Self {
        let Start { point, modules, events, lookahead, end } = self;
        Start {
            point: Arc::clone(point),
            modules: modules.clone(),
            events: events.clone(),
            lookahead: *lookahead,
            end: *end,
        }
    }
}

impl<E: Events> Clone for First<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Events> Copy for First<E> {}

impl<E: Events> Start<E> {
    pub(super) fn terms(&self) -> Terms {
        Terms { modules: self.modules.len() as u32, lookahead: self.lookahead, end: self.end }
    }

    /// Whether it can start as the simulation of that number.
    pub(super) fn check(&self, simulation: usize) -> Result<(), StartError> {
        let bytes = 4 * u64::from(E::Payload::WORDS);
        if bytes > MOST_CARRIED {
            return Err(StartError::PayloadTooLarge { bytes });
        }
        let modules = self.modules.len();
        if modules == 0 {
            return Err(StartError::NoModules { simulation });
        }
        if modules > 1 << 24 {
            return Err(StartError::TooManyModules);
        }
        match self.events.iter().find(|event| event.module as usize >= modules) {
            Some(&First { module, .. }) => Err(StartError::NoSuchModule { simulation, module, modules }),
            None => Ok(()),
        }
    }

    /// The kind of each module's first event; the greatest number where there is none. The modules are there.
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

    /// The events from the beginning, each with its place among those of the same time, and how many there are at each module. The modules are there.
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
