//! Which worker has which runs.

use super::direct::Tally;
use crate::runs::RunSet;
use std::collections::BTreeSet;

/// The most runs that a worker is given at a time: what it has to know of them takes some tens of megabytes.
const MOST_AT_ONCE: u64 = 1 << 18;

/// Runs, and who carries them out.
#[derive(Debug)]
pub(super) struct Pool {
    /// The numbers of the runs that nobody has.
    waiting: RunSet,
    hands: Vec<Hand>,
    /// `true` if all workers are about as fast.
    alike: bool,
}

/// Runs of a worker.
#[derive(Debug, Default)]
struct Hand {
    /// Runs that it was given and has not reported.
    held: BTreeSet<u64>,
    /// Number of runs that it was given last.
    given: usize,
    /// The share of them that it says is done.
    share: f64,
    state: State,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The worker never had any runs.
    #[default]
    Fresh,
    Idle,
    Busy,
    Lost,
}

impl Pool {
    /// Runs that nobody has yet, for these workers, of whom some may be lost.
    pub(super) fn new(waiting: RunSet, workers: &[Tally]) -> Self {
        let state = |worker: &Tally| if worker.lost.is_some() { State::Lost } else { State::Fresh };
        let hands = workers.iter().map(|worker| Hand { state: state(worker), ..Hand::default() }).collect();
        let mut kinds = workers.iter().filter(|worker| worker.lost.is_none()).map(|worker| worker.who.kind());
        let first = kinds.next();
        Self { waiting, hands, alike: kinds.all(|kind| Some(kind) == first) }
    }

    /// Gives runs to a worker that is free. Workers of one kind share all equally at first; after that, and otherwise,
    /// there is less and less at a time, so that all end at about the same time. What one gets lies evenly among what
    /// there is, for neighbours take about as long as each other. Where that would be more than [`MOST_AT_ONCE`], it
    /// gets so many neighbours: there will be more to share.
    pub(super) fn take(&mut self, worker: usize) -> Vec<u64> {
        let fresh = self.hands.iter().filter(|hand| hand.state == State::Fresh).count();
        let working = self.hands.iter().filter(|hand| hand.state != State::Lost).count().max(1);
        let Some(hand) = self.hands.get_mut(worker) else { return vec![] };
        if self.waiting.is_empty() || !matches!(hand.state, State::Fresh | State::Idle) {
            return vec![];
        }
        let parts = if self.alike && hand.state == State::Fresh { fresh } else { 2 * working };
        let count = self.waiting.len().div_ceil(parts as u64);
        let taken = match count > MOST_AT_ONCE {
            true => self.waiting.take_first(MOST_AT_ONCE),
            false => self.waiting.take_spaced(count),
        };
        *hand = Hand { held: taken.iter().copied().collect(), given: taken.len(), share: 0.0, state: State::Busy };
        taken
    }

    /// Notes that a worker has reported a run; returns `false` if the worker does not have that run.
    pub(super) fn report(&mut self, worker: usize, run: u64) -> bool {
        self.hands.get_mut(worker).is_some_and(|hand| hand.held.remove(&run))
    }

    /// Notes how far a worker says it is.
    pub(super) fn progress(&mut self, worker: usize, share: f64) {
        if let Some(hand) = self.hands.get_mut(worker) {
            hand.share = share.clamp(0.0, 1.0);
        }
    }

    /// Notes that a worker is free; gives how many runs it left out.
    pub(super) fn idle(&mut self, worker: usize) -> usize {
        let Some(hand) = self.hands.get_mut(worker) else { return 0 };
        hand.state = State::Idle;
        let left = hand.held.len();
        self.take_back(worker);
        left
    }

    /// Notes that a worker is gone. What it had waits for others.
    pub(super) fn lose(&mut self, worker: usize) {
        if let Some(hand) = self.hands.get_mut(worker) {
            hand.state = State::Lost;
        }
        self.take_back(worker);
    }

    fn take_back(&mut self, worker: usize) {
        if let Some(hand) = self.hands.get_mut(worker) {
            (hand.given, hand.share) = (0, 0.0);
            for run in std::mem::take(&mut hand.held) {
                self.waiting.insert(run);
            }
        }
    }

    /// Returns `true` if any worker is at work.
    pub(super) fn is_busy(&self) -> bool {
        self.hands.iter().any(|hand| hand.state == State::Busy)
    }

    /// Returns `true` if there are runs that no worker has.
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Returns the number of runs under way, counted by their progress.
    pub(super) fn under_way(&self) -> f64 {
        let of = |hand: &Hand| {
            let reported = (hand.given - hand.held.len().min(hand.given)) as f64;
            (hand.share * hand.given as f64 - reported).max(0.0)
        };
        self.hands.iter().map(of).sum()
    }
}
