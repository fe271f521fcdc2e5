//! Values that a file does not give: where they come from, and how many there are.

use crate::network::Network;
use crate::network::discipline::{Disciplines, QueueKind};
use crate::network::link::{Discipline, QueueRule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Defaults for values that a file does not give.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gaps {
    /// Bandwidth of a link without its own, in bits per second.
    pub bandwidth: Option<u64>,
    /// Delay of a link without its own whose ends have no positions, in nanoseconds.
    pub delay: Option<u64>,
    /// Smallest delay that is computed from positions, in nanoseconds; two nodes in one city are still some distance
    /// apart. The default is 0.1 ms, or 20 km of glass.
    pub least_delay: u64,
    /// Queue of a link that does not give its capacity.
    pub queues: QueueRule,
    /// Parameters for a queue that has a discipline by its own attributes, independent of `queues`.
    pub disciplines: Disciplines,
    /// Loss probability of a link without its own.
    pub loss: f64,
    /// Bits per second in the unit of SNDlib's capacities and demands, and of bare bandwidths in GraphML. If not given,
    /// the unit that the file gives, or else [`USUAL_UNIT`] in SNDlib and 1 bit per second in GraphML.
    pub unit: Option<f64>,
    /// Seconds in the unit of bare delays in GraphML; 1 if not given.
    pub delay_unit: Option<f64>,
    /// Direction of edges, whatever the file says of it.
    pub edges: Option<EdgeKind>,
}

/// Direction of the edges of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EdgeKind {
    /// Each edge is one link, from its source to its target.
    OneWay,
    /// Each edge is a link and its opposite. An edge whose opposite is in the file, too, is one link.
    TwoWay,
}

/// Bits per second in the unit of an SNDlib file that names none: most files mean Mb/s.
pub const USUAL_UNIT: f64 = 1e6;

impl Default for Gaps {
    fn default() -> Self {
        Self {
            bandwidth: None,
            delay: None,
            least_delay: 100_000,
            queues: QueueRule::default(),
            disciplines: Disciplines::default(),
            loss: 0.0,
            unit: None,
            delay_unit: None,
            edges: None,
        }
    }
}

/// Numbers of values that edges did not give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Filled {
    /// Number of edges; an undirected edge counts once.
    pub edges: u64,
    /// Number of edges with the bandwidth from [`Gaps`].
    pub bandwidth: u64,
    /// Number of edges with the delay from [`Gaps`].
    pub delay: u64,
    /// Number of edges with a delay from the positions of their ends.
    pub delay_from_places: u64,
    /// Number of edges without pre-installed capacity, which use that of the smallest installable module (SNDlib).
    pub modules: u64,
    /// Number of edges with a bandwidth without a unit (GraphML).
    pub bare_bandwidths: u64,
    /// Number of edges with a delay without a unit (GraphML).
    pub bare_delays: u64,
    /// Number of edges with a queue capacity of their own.
    pub own_buffer: u64,
    /// Number of edges with a loss probability of their own.
    pub own_loss: u64,
    /// Number of edges with a drop rule of their own.
    pub own_discipline: u64,
    /// Number of edges whose queues are RED.
    pub red: u64,
    /// Number of edges whose queues are RED, and that use parameters of it from [`Gaps`].
    pub with_red: u64,
    /// Number of edges whose queues are CoDel or FqCoDel.
    pub codel: u64,
    /// Number of edges whose queues are FqCoDel.
    pub fq_codel: u64,
    /// Number of edges whose queues use each parameter of CoDel from [`Gaps`]: `target`, `interval`, `quantum` and
    /// `queues`.
    pub with_codel: [u64; 4],
    /// Source of the unit of bandwidths and demands, for formats that leave the unit open (SNDlib).
    pub unit: Option<UnitFrom>,
}

/// Source of the unit of capacities and demands in an SNDlib file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnitFrom {
    /// The unit comes from [`Gaps`].
    Gaps,
    /// The unit comes from the file's `meta` element.
    File,
    /// No source: the unit is [`USUAL_UNIT`].
    Nobody,
}

/// Numbers of input elements that the simulation leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LeftOut {
    /// Number of edges from a node to itself in a file.
    pub loops: u64,
    /// Number of demands above 0 from a node to itself.
    pub demands: u64,
    /// Number of node pairs that the gravity model skips, because they do not have paths in both directions.
    pub pairs: u64,
}

impl Filled {
    /// Counts an edge by the sources of its bandwidth and its delay.
    pub(crate) fn count(&mut self, bandwidth: BandwidthFrom, delay: DelayFrom) {
        self.edges += 1;
        self.bandwidth += u64::from(bandwidth == BandwidthFrom::Gaps);
        self.modules += u64::from(bandwidth == BandwidthFrom::Module);
        self.delay += u64::from(delay == DelayFrom::Gaps);
        self.delay_from_places += u64::from(delay == DelayFrom::Places);
    }

    /// Counts the links of a generator, two to an edge: all use what [`Gaps`] has for queues.
    pub(crate) fn of_generated(network: &Network) -> Self {
        let mut filled = Self::default();
        for link in network.links().iter().filter(|link| link.from < link.to) {
            filled.edges += 1;
            filled.count_own(Own::NONE, link.queue.discipline);
        }
        filled
    }

    /// Counts an edge by what it says itself of its queue and its loss, and by the parameters that its queue uses.
    pub(crate) fn count_own(&mut self, own: Own, discipline: Discipline) {
        self.own_buffer += u64::from(own.buffer);
        self.own_loss += u64::from(own.loss);
        self.own_discipline += u64::from(own.kind.is_some());
        let kind = discipline.kind();
        let (is_red, is_codel, is_fair) = (kind == QueueKind::Red, discipline.is_managed(), kind == QueueKind::FqCodel);
        self.red += u64::from(is_red);
        self.with_red += u64::from(is_red && own.lacks_red);
        self.codel += u64::from(is_codel);
        self.fq_codel += u64::from(is_fair);
        let takes = [is_codel, is_codel, is_fair, is_fair];
        for ((count, takes), lacks) in self.with_codel.iter_mut().zip(takes).zip(own.lacks_codel) {
            *count += u64::from(takes && lacks);
        }
    }
}

/// Properties that an edge gives itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Own {
    /// `true` if the edge gives the capacity of its queue.
    pub(crate) buffer: bool,
    /// `true` if the edge gives its loss probability.
    pub(crate) loss: bool,
    /// Discipline that the edge gives.
    pub(crate) kind: Option<QueueKind>,
    /// `true` if the edge does not give all parameters of RED.
    pub(crate) lacks_red: bool,
    /// `true` for each parameter of CoDel that the edge does not give: `target`, `interval`, `quantum` and `queues`.
    pub(crate) lacks_codel: [bool; 4],
}

impl Own {
    /// An edge that gives none of them.
    pub(crate) const NONE: Self =
        Self { buffer: false, loss: false, kind: None, lacks_red: true, lacks_codel: [true; 4] };
}

/// Source of a bandwidth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BandwidthFrom {
    /// The edge itself.
    Edge,
    /// The smallest installable module.
    Module,
    /// [`Gaps`].
    Gaps,
}

impl BandwidthFrom {
    /// Returns `Edge` if the edge gives a bandwidth, otherwise `Gaps`.
    pub(crate) fn given<T>(bandwidth: Option<T>) -> Self {
        if bandwidth.is_some() { Self::Edge } else { Self::Gaps }
    }
}

/// Source of a delay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DelayFrom {
    /// The edge itself.
    Edge,
    /// The positions of the ends.
    Places,
    /// [`Gaps`].
    Gaps,
}

/// Returns the first available delay and its source.
pub(crate) fn first_delay(
    given: Option<u64>,
    places: impl FnOnce() -> Option<u64>,
    gaps: &Gaps,
) -> Option<(u64, DelayFrom)> {
    let given = given.map(|delay| (delay, DelayFrom::Edge));
    let places = || places().map(|delay| (delay, DelayFrom::Places));
    given.or_else(places).or_else(|| gaps.delay.map(|delay| (delay, DelayFrom::Gaps)))
}
