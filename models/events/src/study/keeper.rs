//! Checkpoints of runs that are executed side by side.

use crate::{Engine, Events, State, StateError};
use imminent_core::clock::Instant;
use imminent_study::checkpoint::{CheckpointError, Checkpoints, Saved};
use imminent_study::laboratory::Run;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Divisor of the time: at most this part of it is spent on saving states.
const SHARE_OF_KEEPING: u32 = 50;

/// Writer of checkpoints of runs that are executed side by side, until they are finished.
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

    /// Returns the states from which runs can resume, by the places of the runs.
    pub(super) fn states<E: Events>(&self) -> BTreeMap<usize, State<E>> {
        let state = |(place, run): (usize, &Run)| {
            Some((place, self.checkpoints.state(run.number, |bytes| State::from_bytes(bytes))?))
        };
        self.runs.iter().enumerate().filter_map(state).collect()
    }

    /// Records that a run cannot resume from its state.
    pub(super) fn reject(&self, place: usize, error: StateError) {
        if let Some(run) = self.runs.get(place) {
            self.checkpoints.reject(run.number, error);
        }
    }

    /// Returns the interval at which to check whether states are due to be saved.
    pub(super) fn every(&self) -> Duration {
        self.every
    }

    /// Saves the states of unfinished runs if that is due.
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
            Err(error) => self.checkpoints.note(CheckpointError::Device(error.into())),
        }
        self.every = self.checkpoints.every().max(SHARE_OF_KEEPING * began.elapsed());
        self.last = Instant::now();
    }

    /// Removes the checkpoint file, since all runs have finished.
    pub(super) fn through(self) {
        self.checkpoints.remove(&self.path);
    }
}
