//! Networks from files: GraphML, as used by the Internet Topology Zoo, and SNDlib's XML.
//!
//! Such files contain nodes and links, but seldom all parameters of a simulation. Missing values come from [`Gaps`]. If
//! it has no value either, the error names the attribute of the edge and how to give a value for all edges.

mod error;
pub mod graphml;
mod quantity;
pub mod sndlib;

pub use error::ReadError;
pub use quantity::{rate_unit, time_unit};

use super::link::{Link, QueueRule, Red};
use super::{Builder, Demand, Network, QueueKind};
use crate::units::{METRES_PER_SECOND, great_circle, nanoseconds};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

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
    /// Parameters of RED for a queue that has RED by its own attributes, independent of `queues`.
    pub red: Red,
    /// Loss probability of a link without its own.
    pub loss: f64,
    /// Bits per second in the unit of SNDlib's capacities and demands, and of bare bandwidths in GraphML. If not given,
    /// the unit that the file gives, or else [`USUAL_UNIT`] in SNDlib and 1 bit per second in GraphML.
    pub unit: Option<f64>,
    /// Seconds in the unit of bare delays in GraphML; 1 if not given.
    pub delay_unit: Option<f64>,
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
            red: Red::default(),
            loss: 0.0,
            unit: None,
            delay_unit: None,
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
    /// Number of edges that use no parameter of RED from [`Gaps`].
    pub without_red: u64,
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

    /// Counts an edge whose queue is said by itself: its capacity, its drop rule and the parameters of RED, and the
    /// loss after it.
    pub(crate) fn count_own(&mut self, buffer: bool, loss: bool, kind: Option<QueueKind>, uses_red: bool) {
        self.own_buffer += u64::from(buffer);
        self.own_loss += u64::from(loss);
        self.own_discipline += u64::from(kind.is_some());
        self.without_red += u64::from(!uses_red);
    }
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

/// Network from a file, with the demands of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The network.
    pub network: Network,
    /// Demands in the order of the file; empty for GraphML.
    pub demands: Vec<Demand>,
    /// Numbers of values that the file did not give.
    pub filled: Filled,
    /// Numbers of elements of the file that are left out.
    pub left_out: LeftOut,
    /// Attributes that look like bandwidths or delays and are not read, with the number of their edges.
    pub unread: BTreeMap<String, u64>,
}

/// Reads a file of either format: SNDlib if the root element is `network`, otherwise GraphML.
///
/// # Errors
/// [`ReadError`], with the file, the line if there is one, and the remedy.
pub fn read(path: &Path, gaps: &Gaps) -> Result<Read, ReadError> {
    let text = imminent_common::graphml::text_of(path)?;
    parse(&text, &path.display().to_string(), gaps)
}

/// Reads a network from text; `file` is the path for error messages.
///
/// # Errors
/// [`ReadError`], as for [`read`].
pub fn parse(text: &str, file: &str, gaps: &Gaps) -> Result<Read, ReadError> {
    let document = imminent_common::graphml::document(text, file)?;
    let reader = imminent_common::graphml::Reader::new(&document, file);
    if document.root_element().tag_name().name() == "network" {
        sndlib::network(reader, document.root_element(), gaps)
    } else {
        graphml::network(&reader.graph()?, gaps)
    }
}

/// Returns the delay between two positions: the great circle at two thirds of the speed of light, or the smallest delay
/// if that is longer.
pub(crate) fn delay_between(from: [f64; 2], to: [f64; 2], gaps: &Gaps) -> Option<u64> {
    nanoseconds(great_circle(from, to) / METRES_PER_SECOND).map(|delay| delay.max(gaps.least_delay))
}

/// Nodes of a file and the builder that receives them.
struct Nodes {
    builder: Builder,
    numbers: HashMap<String, u32>,
    places: Vec<Option<[f64; 2]>>,
    filled: Filled,
    left_out: LeftOut,
    unread: BTreeMap<String, u64>,
}

impl Nodes {
    /// Adds nodes given as id, label and position. A node whose label is not unique is named by label and id.
    fn of(nodes: Vec<(&str, &str, Option<[f64; 2]>)>) -> Self {
        let mut labels = HashMap::<&str, u32>::new();
        nodes.iter().for_each(|(_, label, _)| *labels.entry(*label).or_default() += 1);
        let mut builder = Builder::new();
        let (mut numbers, mut places) = (HashMap::new(), vec![]);
        for (id, label, place) in nodes {
            let own = labels.get(label) == Some(&1);
            let node = builder.node(if own { label.to_owned() } else { format!("{label} ({id})") });
            if let Some(place) = place {
                builder.place(node, place);
            }
            numbers.insert(id.to_owned(), node);
            places.push(place);
        }
        let (filled, left_out, unread) = (Filled::default(), LeftOut::default(), BTreeMap::new());
        Self { builder, numbers, places, filled, left_out, unread }
    }

    fn number(&self, id: &str) -> Option<u32> {
        self.numbers.get(id).copied()
    }

    /// Returns the delay that follows from the positions of two nodes.
    fn delay(&self, from: u32, to: u32, gaps: &Gaps) -> Option<u64> {
        let place = |node: u32| self.places.get(node as usize).copied().flatten();
        delay_between(place(from)?, place(to)?, gaps)
    }

    fn join(&mut self, link: Link, one_way: bool) {
        if one_way {
            self.builder.link(link);
        } else {
            self.builder.both_ways(link);
        }
    }

    fn build(self, file: &str, demands: Vec<Demand>) -> Result<Read, ReadError> {
        let network = self.builder.build().map_err(|error| ReadError::Network { file: file.to_owned(), error })?;
        Ok(Read { network, demands, filled: self.filled, left_out: self.left_out, unread: self.unread })
    }
}

#[cfg(test)]
mod tests;
