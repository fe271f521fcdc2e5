//! When a run is looked at, and when it may end.

use super::plan::{Ending, Plan};
use super::record::{Look, Record};
use super::sample::Sample;
use crate::queueing::measures::Capacity;
use crate::queueing::network::Network;
use crate::queueing::outcome::NodeStatistics;
use crate::queueing::trace::Times;

/// The watch over one replication: an engine runs to each time that [`next`](Self::next) gives, and tells what every node has
/// done by then, until there is none.
///
/// ```
/// # use imminent_models::queueing::{Network, Scenario, Start, sequential};
/// # use imminent_models::queueing::analysis::{Plan, Watch};
/// # let network = Network::torus(2, 2, 1 << 20, 1)?;
/// let plan = Plan { batches: Some(4), ..Plan::default() };
/// let mut watch = Watch::new(&plan, 1000 << 20, &network);
/// while let Some(time) = watch.next() {
///     let outcome = sequential::simulate(&Scenario::new(&network, Start::One, time, 1, 0)?);
///     watch.observe(outcome.statistics);
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
    record: Record,
}

impl<'a> Watch<'a> {
    /// A watch over a network up to `horizon` ticks, for a plan that was [checked](Plan::check).
    #[must_use]
    pub fn new(plan: &'a Plan, horizon: u64, network: &'a Network) -> Self {
        let nodes = network.len();
        let capacity = Capacity::of_network(network);
        let mut record = Record { looks: vec![], nodes: vec![], times: vec![], classes: vec![], capacity };
        if plan.fixed_warm_up() == 0 {
            record.looks.push(Look::default());
            record.nodes.push(vec![NodeStatistics::default(); nodes]);
        }
        Self { plan, network, horizon, keep: plan.keeps_nodes(nodes, horizon), over: false, record }
    }

    /// The time of the next look, in ticks, later than the last; `None` when the run may end at that one.
    #[must_use]
    pub fn next(&self) -> Option<u64> {
        let first = self.plan.fixed_warm_up();
        let rest = self.horizon.saturating_sub(first);
        let cells = self.record.looks.len() as u64;
        match self.plan.ending {
            _ if self.over => None,
            _ if cells == 0 => Some(first),
            Ending::Count { check, .. } => Some(first.saturating_add(check.saturating_mul(cells)).min(self.horizon)),
            _ => {
                let most = u128::from(self.plan.most_cells(self.horizon));
                Some(first + (u128::from(rest) * u128::from(cells) / most) as u64)
            }
        }
    }

    /// Takes every node's statistics at the time that [`next`](Self::next) gave.
    pub fn observe(&mut self, statistics: Vec<NodeStatistics>) {
        let Some(time) = self.next() else { return };
        let mut totals = NodeStatistics::default();
        let sources = self.record.capacity.stations < statistics.len() as u64;
        for (node, done) in (0..).zip(&statistics) {
            if !sources || self.network.station(node).is_some() {
                totals += *done;
            }
        }
        self.record.looks.push(Look { time, totals });
        if self.keep || self.record.nodes.is_empty() {
            self.record.nodes.push(statistics);
        }
        self.over = time >= self.horizon || self.ends();
    }

    /// Takes how long the visits waited and stayed that ended by the time that [`next`](Self::next) gives, before
    /// [`observe`](Self::observe) is told of that time.
    pub fn observe_times(&mut self, times: Times) {
        // At time 0, where some looks begin, there were none.
        self.record.times.resize(self.record.looks.len(), Times::default());
        self.record.times.push(times);
    }

    /// Whether it is to be [told](Self::observe_classes) what was done for each class: if that is wanted, there are several classes, and there is room for what is seen of them.
    #[must_use]
    pub fn wants_classes(&self) -> bool {
        self.plan.keeps_classes(self.network.len(), self.network.classes(), self.horizon)
    }

    /// Takes what every node had done for each class by the time that [`next`](Self::next) gives, by node and class, before [`observe`](Self::observe) is told of
    /// that time.
    pub fn observe_classes(&mut self, by_class: Vec<NodeStatistics>) {
        // At time 0, where some looks begin, nothing had been done.
        let nothing = vec![NodeStatistics::default(); by_class.len()];
        self.record.classes.resize(self.record.looks.len(), nothing);
        self.record.classes.push(by_class);
    }

    /// The time of the last look: where the run ended, once it is over.
    #[must_use]
    pub fn time(&self) -> u64 {
        self.record.looks.last().map_or(0, |look| look.time)
    }

    /// What was seen.
    #[must_use]
    pub fn into_record(self) -> Record {
        self.record
    }

    /// Whether the plan is fulfilled before the horizon.
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
                let cut = self.record.cut(self.plan);
                let samples = self.record.samples(&cut);
                let settled = cut.truncation.is_none_or(|truncation| truncation.reliable);
                settled && precision.met(&Sample::estimate(&samples, self.plan.measure), samples.len())
            }
            Ending::Horizon => false,
        }
    }
}
