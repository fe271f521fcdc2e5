//! Times of observations, and the end of a run.

use super::plan::{Ending, Plan};
use super::record::{Look, Record};
use super::sample::Sample;
use crate::costs::Spending;
use crate::measures::{Basis, Flow};
use crate::network::Network;
use crate::outcome::{NodeResults, NodeStatistics, Statistics};
use crate::tally::{Tally, Wanted};
use crate::trace::Times;
use imminent_common::parallel;
use imminent_core::Error;
use std::fmt;

/// Watch over one replication. An engine runs to each time that [`next`](Self::next) returns, and reports the
/// statistics of every node at that time. The run ends when `next` returns `None`.
///
/// ```
/// # use imminent_queueing::{Network, Scenario, Start, sequential};
/// # use imminent_queueing::analysis::{Plan, Watch};
/// # let network = Network::torus(2, 2, 1 << 20, 1)?;
/// let plan = Plan { batches: Some(4), ..Plan::default() };
/// let mut watch = Watch::new(&plan, 1000 << 20, &network);
/// while let Some(time) = watch.next() {
///     let outcome = sequential::simulate(&Scenario::new(&network, Start::One, time, 1, 0)?);
///     watch.observe(&outcome.statistics);
/// }
/// assert_eq!(watch.into_record().looks().len(), 5);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Watch<'a> {
    plan: &'a Plan,
    network: &'a Network,
    horizon: u64,
    keep: bool,
    over: bool,
    /// Number of tokens at time 0, if the network is open.
    tokens: Option<u64>,
    /// `true` if the replication was stopped before its end.
    stopped: bool,
    stop: Stop<'a>,
    record: Record,
}

/// Request to end a run early.
#[derive(Clone, Copy)]
struct Stop<'a>(&'a (dyn Fn() -> bool + Sync));

impl fmt::Debug for Stop<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stop").field(&(self.0)()).finish()
    }
}

impl<'a> Watch<'a> {
    /// Creates a watch over a network up to `horizon` ticks, for a plan that was [checked](Plan::check).
    #[must_use]
    pub fn new(plan: &'a Plan, horizon: u64, network: &'a Network) -> Self {
        let nodes = network.len();
        let (basis, keep) = (Basis::of_network(network).counting(plan.counted), plan.keeps_nodes(nodes, horizon));
        let (tallies, gathered) = (vec![], Wanted::default());
        let mut record = Record { looks: vec![], nodes: vec![], tallies, gathered, classes: vec![], basis };
        if plan.fixed_warm_up() == 0 {
            record.looks.push(Look::default());
            record.nodes.push(if keep { vec![NodeStatistics::default(); nodes] } else { vec![] });
        }
        let (stop, tokens) = (Stop(&|| false), network.has_flow().then(|| network.total_tokens()));
        Self { plan, network, horizon, keep, over: false, tokens, stopped: false, stop, record }
    }

    /// Makes the replication end at the first observation after `stop` returns `true`, as if that were the horizon.
    #[must_use]
    pub fn until(self, stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { stop: Stop(stop), ..self }
    }

    /// Keeps the statistics of nodes at the end of a fixed warm-up alone: for an only replication that is neither cut
    /// into batches or periods nor looked through for its warm-up, so that its nodes have no intervals.
    #[must_use]
    pub fn without_nodes(mut self) -> Self {
        self.keep = false;
        // At time 0 all statistics are zero.
        self.record.nodes.iter_mut().for_each(|rows| *rows = vec![]);
        self
    }

    /// Returns `true` if the replication ended because it was [stopped](Self::until).
    #[must_use]
    pub fn was_stopped(&self) -> bool {
        self.stopped
    }

    /// Returns `true` if the replication is to be stopped before any result can be kept: its engine may give up.
    #[must_use]
    pub fn is_in_vain(&self) -> bool {
        self.record.looks.len() < 2 && (self.stop.0)()
    }

    /// Returns the time of the next observation, in ticks, later than the last; `None` if the run may end at the last.
    #[must_use]
    pub fn next(&self) -> Option<u64> {
        let first = self.plan.fixed_warm_up();
        let rest = self.horizon.saturating_sub(first);
        let cells = self.record.looks.len() as u64;
        let at = |length: u64| first.saturating_add(length.saturating_mul(cells)).min(self.horizon);
        match (self.plan.ending, self.plan.every) {
            _ if self.over => None,
            _ if cells == 0 => Some(first),
            (_, Some(every)) => Some(at(every)),
            (Ending::Count { check, .. }, _) => Some(at(check)),
            _ => {
                let most = u128::from(self.plan.most_cells(self.horizon));
                Some(first + (u128::from(rest) * u128::from(cells) / most) as u64)
            }
        }
    }

    /// Records every node's statistics at the time that [`next`](Self::next) returned.
    pub fn observe(&mut self, statistics: &impl Statistics) {
        let (sources, network) = (self.record.basis.stations < statistics.nodes() as u64, self.network);
        let of_node = |node: usize| match statistics.of(node) {
            Some(done) if !sources || network.station(node as u32).is_some() => (done, 0),
            Some(source) => (NodeStatistics::default(), source.completed),
            None => (NodeStatistics::default(), 0),
        };
        let and = |all: (NodeStatistics, u64), other: (NodeStatistics, u64)| (all.0.and(other.0), all.1 + other.1);
        let (totals, emitted) = parallel::reduce(statistics.nodes(), of_node, and);
        let flow = self.tokens.map(|tokens| Flow::of(tokens, emitted, &totals));
        // Classes are observed before nodes.
        let is_new = self.record.classes.len() > self.record.looks.len();
        let classes = self.record.classes.last().map(Vec::as_slice).filter(|_| is_new);
        let spending = self
            .plan
            .costs
            .as_ref()
            .zip(self.next())
            .and_then(|(costs, time)| costs.until(time, |node| statistics.of(node).unwrap_or_default(), classes));
        self.add((totals, flow, spending), || statistics.to_rows());
    }

    /// Records the results at the end of a run, as [`observe`](Self::observe) does. Nodes are looked at only if the sum
    /// over all of them is not known, or if this watch keeps them.
    ///
    /// # Errors
    /// Errors of the device on which the statistics of the nodes are.
    pub fn observe_results(&mut self, nodes: &NodeResults) -> Result<(), Error> {
        match nodes.totals() {
            // Only simple networks know their sum, and they are closed.
            Some(totals) if !self.takes_nodes() && self.plan.costs.is_none() => {
                self.add((totals, None, None), Vec::new);
            }
            _ => self.observe(nodes.read()?),
        }
        Ok(())
    }

    /// Returns `true` if the statistics of nodes are kept at the next observation.
    fn takes_nodes(&self) -> bool {
        self.keep || self.record.nodes.is_empty()
    }

    /// Records the sum of all stations' statistics, the flow and the money, and `nodes` if they are kept.
    fn add(
        &mut self,
        (totals, flow, spending): (NodeStatistics, Option<Flow>, Option<Spending>),
        nodes: impl FnOnce() -> Vec<NodeStatistics>,
    ) {
        let Some(time) = self.next() else { return };
        self.record.looks.push(Look { time, totals, flow, spending });
        if self.takes_nodes() {
            self.record.nodes.push(nodes());
        }
        let own = time >= self.horizon || self.ends();
        self.over = own || (self.stop.0)();
        self.stopped = self.over && !own;
    }

    /// Returns what an engine that goes event by event [gathers](Self::observe_tally).
    #[must_use]
    pub const fn wanted(&self) -> &'a Wanted {
        &self.plan.wanted
    }

    /// Records what was gathered since the last observation up to the time that [`next`](Self::next) returns: all that
    /// is [wanted](Self::wanted). Must be called before [`observe`](Self::observe) for that time.
    pub fn observe_tally(&mut self, tally: Tally) {
        self.gather(self.plan.wanted.clone(), tally);
    }

    /// Records the times of visits that ended since the last observation, or some of them, up to the time that
    /// [`next`](Self::next) returns. Must be called before [`observe`](Self::observe) for that time.
    pub fn observe_times(&mut self, times: Times) {
        self.gather(Wanted::of_times(), Tally::of_times(times));
    }

    fn gather(&mut self, gathered: Wanted, tally: Tally) {
        // The warm-up lasts until the first observation.
        let Some(cell) = self.record.looks.len().checked_sub(1) else { return };
        self.record.gathered = gathered;
        self.record.tallies.resize(cell + 1, Tally::default());
        // Without batches, and with a fixed warm-up, all cells make one sample, which is kept in the first.
        if let Some(sum) = self.record.tallies.get_mut(if self.plan.is_cut() { cell } else { 0 }) {
            *sum += &tally;
        }
    }

    /// Returns `true` if the watch needs [statistics by class](Self::observe_classes). They must be wanted, there must
    /// be several classes, and there must be room to keep them.
    #[must_use]
    pub fn wants_classes(&self) -> bool {
        self.plan.keeps_classes(self.network.len(), self.network.classes(), self.horizon)
    }

    /// Records statistics by node and class at the time that [`next`](Self::next) returns. Must be called before
    /// [`observe`](Self::observe) for that time.
    pub fn observe_classes(&mut self, by_class: Vec<NodeStatistics>) {
        // At time 0, where some records begin, all statistics are zero.
        let nothing = vec![NodeStatistics::default(); by_class.len()];
        self.record.classes.resize(self.record.looks.len(), nothing);
        self.record.classes.push(by_class);
    }

    /// Returns the time of the last observation; after the run, its end.
    #[must_use]
    pub fn time(&self) -> u64 {
        self.record.looks.last().map_or(0, |look| look.time)
    }

    /// Returns `true` if the run has ended with a part that counts.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.next().is_none() && self.record.looks.len() >= 2
    }

    /// Returns `true` if the only observation of the whole run is at its end.
    #[must_use]
    pub fn looks_at_the_end(&self) -> bool {
        self.plan.fixed_warm_up() == 0 && self.plan.most_cells(self.horizon) <= 1
    }

    /// Returns the observations so far.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Returns the record of the observations.
    #[must_use]
    pub fn into_record(self) -> Record {
        self.record
    }

    /// Returns `true` if the plan is fulfilled before the horizon.
    fn ends(&self) -> bool {
        let cells = self.record.looks.len() - 1;
        match self.plan.ending {
            Ending::Count { completions, .. } => self.record.between(0, cells).sums.completed >= completions,
            Ending::Precision(precision) => {
                let batches = self.plan.batches.map_or(0, |batches| batches as usize);
                let doubled = cells.checked_div(batches).unwrap_or(0);
                if doubled == 0 || !cells.is_multiple_of(batches) || !doubled.is_power_of_two() {
                    return false;
                }
                let truncation = self.record.truncation(self.plan);
                let cut = self.record.cut_after(self.plan, truncation.map_or(0, |truncation| truncation.removed));
                let samples = self.record.samples(&cut);
                let settled = truncation.is_none_or(|truncation| truncation.settled);
                settled
                    && precision
                        .met(&Sample::estimate(&samples, self.plan.measure, self.plan.confidence), samples.len())
            }
            Ending::Horizon => false,
        }
    }
}
