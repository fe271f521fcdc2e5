//! Networks from files: GraphML, as of the Internet Topology Zoo, and SNDlib's XML.
//!
//! Such files say where nodes are and what is joined, and seldom all that a simulation needs. What is missing comes from [`Gaps`], and is an error where they have nothing:
//! it names the attribute of the edge and how to give a value for all.

mod error;
pub mod graphml;
pub mod sndlib;

pub use error::ReadError;

use super::link::{Link, QueueRule, Red};
use super::{Builder, Demand, Network};
use crate::units::{METRES_PER_SECOND, great_circle, nanoseconds};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;

/// What is taken for what a file does not say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gaps {
    /// Bandwidth of a link that has none, in bits per second.
    pub bandwidth: Option<u64>,
    /// Delay of a link that has none and whose ends have no places, in nanoseconds.
    pub delay: Option<u64>,
    /// The least delay that is computed from places, in nanoseconds: two places of one city are not at no distance. 0.1 ms by default, 20 km of glass.
    pub least_delay: u64,
    /// The queue of a link that does not say how much fits.
    pub queues: QueueRule,
    /// Parameters of RED for a queue that says of itself that it has RED, whatever `queues` have.
    pub red: Red,
    /// Share of what is sent over a link that the link loses, where the link does not say.
    pub loss: f64,
    /// Bits per second in the unit of SNDlib's capacities and demands; if not given what the file says, or else [`USUAL_UNIT`].
    pub unit: Option<f64>,
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
        }
    }
}

/// How often something was taken from elsewhere for what edges do not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Filled {
    /// Edges in all; one that leads both ways counts once.
    pub edges: u64,
    /// Edges that took the bandwidth of [`Gaps`].
    pub bandwidth: u64,
    /// Edges that took the delay of [`Gaps`].
    pub delay: u64,
    /// Edges whose delay follows from the places of their ends.
    pub delay_from_places: u64,
    /// Edges that have no bandwidth yet and took that of the smallest module which could be installed (SNDlib).
    pub modules: u64,
    /// Who says in which unit bandwidths and demands are, where a file leaves that open (SNDlib).
    pub unit: Option<UnitFrom>,
}

/// Who says in which unit an SNDlib file has its capacities and demands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnitFrom {
    /// [`Gaps`].
    Gaps,
    /// The file, in `meta`.
    File,
    /// Nobody: it is taken for [`USUAL_UNIT`].
    Nobody,
}

/// Number of things that a network was named with and is simulated without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LeftOut {
    /// Edges of a file that end where they begin.
    pub loops: u64,
    /// Demands above 0 from a node to itself.
    pub demands: u64,
    /// Pairs of nodes for the gravity model that no path joins, or only one way.
    pub pairs: u64,
}

impl Filled {
    /// Counts an edge, given where its bandwidth and its delay come from.
    pub(crate) fn count(&mut self, bandwidth: BandwidthFrom, delay: DelayFrom) {
        self.edges += 1;
        self.bandwidth += u64::from(bandwidth == BandwidthFrom::Gaps);
        self.modules += u64::from(bandwidth == BandwidthFrom::Module);
        self.delay += u64::from(delay == DelayFrom::Gaps);
        self.delay_from_places += u64::from(delay == DelayFrom::Places);
    }
}

/// Where a bandwidth comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BandwidthFrom {
    /// The edge itself.
    Edge,
    /// The smallest module that could be installed.
    Module,
    /// [`Gaps`].
    Gaps,
}

impl BandwidthFrom {
    /// The edge where it gives one, or else [`Gaps`].
    pub(crate) fn given<T>(bandwidth: Option<T>) -> Self {
        if bandwidth.is_some() { Self::Edge } else { Self::Gaps }
    }
}

/// Where a delay comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DelayFrom {
    /// The edge itself.
    Edge,
    /// The places of its ends.
    Places,
    /// [`Gaps`].
    Gaps,
}

/// The first delay that there is, and where it comes from.
pub(crate) fn first_delay(
    given: Option<u64>,
    places: impl FnOnce() -> Option<u64>,
    gaps: &Gaps,
) -> Option<(u64, DelayFrom)> {
    let given = given.map(|delay| (delay, DelayFrom::Edge));
    let places = || places().map(|delay| (delay, DelayFrom::Places));
    given.or_else(places).or_else(|| gaps.delay.map(|delay| (delay, DelayFrom::Gaps)))
}

/// A network from a file, with the demands that the file has.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The network.
    pub network: Network,
    /// The demands, in the order of the file; none of a GraphML file.
    pub demands: Vec<Demand>,
    /// What the file does not say.
    pub filled: Filled,
    /// What of the file is left out.
    pub left_out: LeftOut,
}

/// Reads a file of either kind: one whose root is `network` is SNDlib's, others are GraphML.
///
/// # Errors
/// [`ReadError`], which names the file, the line where there is one, and what to do.
pub fn read(path: &Path, gaps: &Gaps) -> Result<Read, ReadError> {
    let text = imminent_common::graphml::text_of(path)?;
    parse(&text, &path.display().to_string(), gaps)
}

/// Reads the text of a file; `file` is the name under which errors speak of it.
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

/// The delay between two places: the great circle, at two thirds of the speed of light, and no less than the least.
pub(crate) fn delay_between(from: [f64; 2], to: [f64; 2], gaps: &Gaps) -> Option<u64> {
    nanoseconds(great_circle(from, to) / METRES_PER_SECOND).map(|delay| delay.max(gaps.least_delay))
}

/// The nodes of a file on their way into a builder.
struct Nodes {
    builder: Builder,
    numbers: HashMap<String, u32>,
    places: Vec<Option<[f64; 2]>>,
    filled: Filled,
    left_out: LeftOut,
}

impl Nodes {
    /// Adds nodes, given as id, label and place. Those whose labels are not their own are called by label and id.
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
        Self { builder, numbers, places, filled: Filled::default(), left_out: LeftOut::default() }
    }

    fn number(&self, id: &str) -> Option<u32> {
        self.numbers.get(id).copied()
    }

    /// The delay that follows from where two nodes stand.
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
        Ok(Read { network, demands, filled: self.filled, left_out: self.left_out })
    }
}

#[cfg(test)]
mod tests;
