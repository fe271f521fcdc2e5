//! Keeping runs under way.

use crate::checkpoint::{CheckpointError, Checkpoints, Saved};
use crate::laboratory::Run;
use imminent_events::{Engine, Events, State, StateError};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// No more of the time than one part in this many goes into keeping.
const SHARE_OF_KEEPING: u32 = 50;

/// Keeper of the states of runs that are carried out side by side, until they are finished.
#[derive(Debug)]
pub(super) struct Keeper<'a> {
    checkpoints: &'a Checkpoints,
    path: PathBuf,
    runs: &'a [Run],
    last: Instant,
    every: Duration,
}

impl<'a> Keeper<'a> {
    pub(super) fn new(checkpoints: &'a Checkpoints, runs: &'a [Run]) -> Self {
        let path = checkpoints.file(runs.first().map_or(0, |run| run.number));
        Self { checkpoints, path, runs, last: Instant::now(), every: checkpoints.every() }
    }

    /// The states from which runs can go on, by their places.
    pub(super) fn states<E: Events>(&self) -> BTreeMap<usize, State<E>> {
        let state = |(place, run): (usize, &Run)| {
            Some((place, self.checkpoints.state(run.number, |bytes| State::from_bytes(bytes))?))
        };
        self.runs.iter().enumerate().filter_map(state).collect()
    }

    /// Says that a run cannot go on from its state.
    pub(super) fn reject(&self, place: usize, error: StateError) {
        if let Some(run) = self.runs.get(place) {
            self.checkpoints.reject(run.number, error);
        }
    }

    /// Returns the interval at which to check whether states are due to be saved.
    pub(super) fn every(&self) -> Duration {
        self.every
    }

    /// Keeps the states if it is time, of those that are not over.
    pub(super) fn keep_if_due<E: Events>(&mut self, engine: &mut Engine<E>, over: &[bool]) {
        if self.last.elapsed() >= self.every {
            self.keep(engine, over);
        }
    }

    pub(super) fn keep<E: Events>(&mut self, engine: &mut Engine<E>, over: &[bool]) {
        let began = Instant::now();
        let going = || over.iter().enumerate().filter(|(_, over)| !**over).map(|(place, _)| place);
        match engine.states(going()) {
            Ok(states) => {
                let saved = |(place, state): (usize, Option<State<E>>)| {
                    let (run, state) = (self.runs.get(place)?.number, state?);
                    Some(Saved { run, events: state.handled(), state: state.to_bytes() })
                };
                let saved: Vec<_> = going().zip(states).filter_map(saved).collect();
                self.checkpoints.write(&self.path, &saved);
            }
            Err(error) => self.checkpoints.note(CheckpointError::Device(error)),
        }
        self.every = self.checkpoints.every().max(SHARE_OF_KEEPING * began.elapsed());
        self.last = Instant::now();
    }

    /// All runs are through.
    pub(super) fn through(self) {
        self.checkpoints.remove(&self.path);
    }
}
