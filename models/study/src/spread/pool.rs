//! Assignment of runs to workers.

use super::tally::Tally;
use crate::runs::RunSet;
use std::collections::BTreeSet;

/// Largest number of runs that a worker gets at a time. Their data take some tens of megabytes.
const MAX_AT_ONCE: u64 = 1 << 18;

/// Runs, and the workers that execute them.
#[derive(Debug)]
pub(super) struct Pool {
    /// Numbers of the runs that no worker has.
    waiting: RunSet,
    assignments: Vec<Assignment>,
    /// `true` if all workers are about as fast.
    alike: bool,
}

/// Runs of one worker.
#[derive(Debug, Default)]
struct Assignment {
    /// Runs that the worker got and has not reported.
    held: BTreeSet<u64>,
    /// Number of runs that the worker got last.
    given: usize,
    /// Finished share of those runs, as the worker reports it.
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
    /// Creates a pool of waiting runs for these workers, some of which may be lost.
    pub(super) fn new(waiting: RunSet, workers: &[Tally]) -> Self {
        let state = |worker: &Tally| if worker.lost.is_some() { State::Lost } else { State::Fresh };
        let assignments =
            workers.iter().map(|worker| Assignment { state: state(worker), ..Assignment::default() }).collect();
        let mut kinds = workers.iter().filter(|worker| worker.lost.is_none()).map(|worker| worker.identity.kind());
        let first = kinds.next();
        Self { waiting, assignments, alike: kinds.all(|kind| Some(kind) == first) }
    }

    /// Gives runs to a free worker. Workers of one kind get equal parts at first. Later parts, and those of unlike
    /// workers, become smaller, so all workers end at about the same time. A part is spread evenly over the waiting
    /// runs, since neighbours take about equally long. A part has at most [`MAX_AT_ONCE`] runs, which are neighbours
    /// then.
    pub(super) fn take(&mut self, worker: usize) -> Vec<u64> {
        let fresh = self.assignments.iter().filter(|assignment| assignment.state == State::Fresh).count();
        let working = self.assignments.iter().filter(|assignment| assignment.state != State::Lost).count().max(1);
        let Some(assignment) = self.assignments.get_mut(worker) else { return vec![] };
        if self.waiting.is_empty() || !matches!(assignment.state, State::Fresh | State::Idle) {
            return vec![];
        }
        let parts = if self.alike && assignment.state == State::Fresh { fresh } else { 2 * working };
        let count = self.waiting.len().div_ceil(parts as u64);
        let taken = match count > MAX_AT_ONCE {
            true => self.waiting.take_first(MAX_AT_ONCE),
            false => self.waiting.take_spaced(count),
        };
        *assignment =
            Assignment { held: taken.iter().copied().collect(), given: taken.len(), share: 0.0, state: State::Busy };
        taken
    }

    /// Records that a worker has reported a run. Returns `false` if the worker does not have that run.
    pub(super) fn report(&mut self, worker: usize, run: u64) -> bool {
        self.assignments.get_mut(worker).is_some_and(|assignment| assignment.held.remove(&run))
    }

    /// Records the progress that a worker reports.
    pub(super) fn progress(&mut self, worker: usize, share: f64) {
        if let Some(assignment) = self.assignments.get_mut(worker) {
            assignment.share = share.clamp(0.0, 1.0);
        }
    }

    /// Records that a worker is free. Returns the number of runs that it left out.
    pub(super) fn idle(&mut self, worker: usize) -> usize {
        let Some(assignment) = self.assignments.get_mut(worker) else { return 0 };
        assignment.state = State::Idle;
        let left = assignment.held.len();
        self.take_back(worker);
        left
    }

    /// Records that a worker is lost. Its runs wait for other workers.
    pub(super) fn lose(&mut self, worker: usize) {
        if let Some(assignment) = self.assignments.get_mut(worker) {
            assignment.state = State::Lost;
        }
        self.take_back(worker);
    }

    fn take_back(&mut self, worker: usize) {
        if let Some(assignment) = self.assignments.get_mut(worker) {
            (assignment.given, assignment.share) = (0, 0.0);
            for run in std::mem::take(&mut assignment.held) {
                self.waiting.insert(run);
            }
        }
    }

    /// Returns `true` if any worker is at work.
    pub(super) fn is_busy(&self) -> bool {
        self.assignments.iter().any(|assignment| assignment.state == State::Busy)
    }

    /// Returns `true` if there are runs that no worker has.
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Returns the number of runs under way, counted by their progress.
    pub(super) fn under_way(&self) -> f64 {
        let of = |assignment: &Assignment| {
            let reported = (assignment.given - assignment.held.len().min(assignment.given)) as f64;
            (assignment.share * assignment.given as f64 - reported).max(0.0)
        };
        self.assignments.iter().map(of).sum()
    }
}
