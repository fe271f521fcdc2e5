//! Statistics of a node, and their sums and differences.

use std::ops::AddAssign;

/// Statistics of a node before the horizon, as exact integers; times are ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NodeStatistics {
    /// Number of services started before the horizon. For a source, number of emissions begun.
    pub served: u64,
    /// Number of services that ended at the horizon or before and whose token was not blocked at the horizon. For a
    /// source, number of tokens emitted; a source has none of the other numbers.
    pub completed: u64,
    /// Time spent serving before the horizon: the sum of `min(departure, horizon) - start`.
    pub busy: u64,
    /// Sum of `departure - arrival` over the completed services.
    pub sojourn_sum: u64,
    /// Sum of `start - arrival` over the completed services.
    pub waiting_sum: u64,
    /// Integral of the number of tokens at the node over time. It is the sum of `min(departure, horizon) - arrival`
    /// over the tokens that arrived before the horizon; tokens still waiting depart at the horizon.
    pub number_integral: u64,
    /// Number of tokens that arrived before the horizon.
    pub arrivals: u64,
    /// Number of arrived tokens that found no room and were lost.
    pub lost: u64,
    /// Number of arrived tokens that left the line before their service began.
    pub reneged: u64,
    /// Time that tokens spent in service without a server of the node: at a delay, and in a batch beside its first one.
    /// Such service is not part of `busy`.
    pub delayed: u64,
    /// Time that servers were on duty, or served beyond it; 0 if the engine does not count it, as all always are.
    pub staffed: u64,
    /// Greatest number of tokens that waited at the end of any tick before the horizon; `None` if the engine does not
    /// know it.
    pub most_waiting: Option<u32>,
    /// Number of services whose token could not leave in the tick in which they ended, for want of room at its next
    /// node.
    pub blocked: u64,
    /// Time that servers were blocked before the horizon; not part of `busy`.
    pub blocked_time: u64,
    /// Sums over the services started before the horizon, each with its whole length, but without time in which its
    /// token was blocked.
    pub started: VisitSums,
    /// Sums over the completed services whose token arrived at the [counted](crate::Scenario::counted_from) time or
    /// later; zero unless they were asked for.
    pub arrived: VisitSums,
}

/// Sums over some visits to a station.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VisitSums {
    /// Number of visits.
    pub visits: u64,
    /// Sum of `start - arrival`, in ticks.
    pub waiting: u64,
    /// Sum of `departure - arrival`, in ticks.
    pub sojourn: u64,
}

impl VisitSums {
    /// Adds a visit.
    pub fn add(&mut self, waiting: u64, sojourn: u64) {
        *self += Self { visits: 1, waiting, sojourn };
    }

    fn since(&self, earlier: &Self) -> Self {
        Self {
            visits: self.visits.saturating_sub(earlier.visits),
            waiting: self.waiting.saturating_sub(earlier.waiting),
            sojourn: self.sojourn.saturating_sub(earlier.sojourn),
        }
    }
}

impl AddAssign for VisitSums {
    fn add_assign(&mut self, other: Self) {
        self.visits += other.visits;
        self.waiting += other.waiting;
        self.sojourn += other.sojourn;
    }
}

impl NodeStatistics {
    /// Returns the statistics since `earlier`, an observation of the same node at an earlier time. The greatest number
    /// waiting remains that of the whole time.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            served: self.served.saturating_sub(earlier.served),
            completed: self.completed.saturating_sub(earlier.completed),
            busy: self.busy.saturating_sub(earlier.busy),
            sojourn_sum: self.sojourn_sum.saturating_sub(earlier.sojourn_sum),
            waiting_sum: self.waiting_sum.saturating_sub(earlier.waiting_sum),
            number_integral: self.number_integral.saturating_sub(earlier.number_integral),
            arrivals: self.arrivals.saturating_sub(earlier.arrivals),
            lost: self.lost.saturating_sub(earlier.lost),
            reneged: self.reneged.saturating_sub(earlier.reneged),
            delayed: self.delayed.saturating_sub(earlier.delayed),
            staffed: self.staffed.saturating_sub(earlier.staffed),
            most_waiting: self.most_waiting,
            blocked: self.blocked.saturating_sub(earlier.blocked),
            blocked_time: self.blocked_time.saturating_sub(earlier.blocked_time),
            started: self.started.since(&earlier.started),
            arrived: self.arrived.since(&earlier.arrived),
        }
    }

    /// Returns the sum of two nodes' statistics. The greatest number waiting is the maximum of the two.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for NodeStatistics {
    fn add_assign(&mut self, other: Self) {
        self.served += other.served;
        self.completed += other.completed;
        self.busy += other.busy;
        self.sojourn_sum += other.sojourn_sum;
        self.waiting_sum += other.waiting_sum;
        self.number_integral += other.number_integral;
        self.arrivals += other.arrivals;
        self.lost += other.lost;
        self.reneged += other.reneged;
        self.delayed += other.delayed;
        self.staffed += other.staffed;
        self.most_waiting = self.most_waiting.max(other.most_waiting);
        self.blocked += other.blocked;
        self.blocked_time += other.blocked_time;
        self.started += other.started;
        self.arrived += other.arrived;
    }
}

/// Statistics of all nodes at one time, wherever they are kept.
pub trait Statistics: Sync {
    /// Returns the number of nodes.
    fn nodes(&self) -> usize;

    /// Returns the statistics of a node; `None` for a node that does not exist.
    fn of(&self, node: usize) -> Option<NodeStatistics>;

    /// Returns the statistics of all nodes.
    fn to_rows(&self) -> Vec<NodeStatistics>;
}

impl Statistics for Vec<NodeStatistics> {
    fn nodes(&self) -> usize {
        self.len()
    }

    fn of(&self, node: usize) -> Option<NodeStatistics> {
        self.get(node).copied()
    }

    fn to_rows(&self) -> Vec<NodeStatistics> {
        self.clone()
    }
}
