//! Networks from GraphML files, including those of the Internet Topology Zoo.
//!
//! An undirected edge becomes one link in each direction. Edges from a node to itself are left out and counted. Of
//! nodes, `label`, `Longitude` and `Latitude` are read. Of edges:
//!
//! | attribute | value |
//! | --- | --- |
//! | `bandwidth`, or `LinkSpeedRaw` | bits per second |
//! | `LinkSpeed` with `LinkSpeedUnits` | a number, and `K`, `M`, `G` or `T` |
//! | `delay` | seconds; computed from the positions of the ends if missing |
//! | `buffer` | capacity of the queue in bytes |
//! | `loss` | share of what is sent that the link loses, at least 0 and below 1 |
//! | `discipline` | drop rule of the queue, `red` or `drop-tail` |
//! | `red_weight`, `red_least`, `red_most`, `red_probability` | [parameters of RED](crate::network::Red) |

use super::{BandwidthFrom, Gaps, Nodes, Read, ReadError, first_delay};
use crate::network::builder::{LARGEST_QUEUE, LONGEST_DELAY, is_share};
use crate::network::{Discipline, Link, OwnRed};
use crate::units::{bits_per_second, nanoseconds};
use imminent_common::graphml::{Attributes, Edge, Graph, Keys};

const RATE: &str = "give a number of bits per second from 1 to 10^13";

/// Converts a graph to a network.
pub(super) fn network(graph: &Graph<'_>, gaps: &Gaps) -> Result<Read, ReadError> {
    let keys = graph.keys("node");
    let found = graph.nodes()?;
    let mut nodes = vec![];
    for node in &found {
        let data = node.attributes(graph, &keys);
        let place = data.number("Longitude")?.zip(data.number("Latitude")?).map(|(x, y)| [x, y]);
        nodes.push((node.id, data.label().unwrap_or(node.id), place));
    }
    let mut nodes = Nodes::of(nodes);
    let keys = graph.keys("edge");
    for edge in graph.edges(|id| nodes.number(id).is_some())? {
        if edge.from == edge.to {
            nodes.left_out.loops += 1;
            continue;
        }
        let link = link(graph, &edge, &keys, &mut nodes, gaps)?;
        nodes.join(link, edge.one_way);
    }
    nodes.build(graph.reader.file, vec![])
}

fn link<'a>(
    graph: &Graph<'a>,
    edge: &Edge<'a>,
    keys: &Keys<'a>,
    nodes: &mut Nodes,
    gaps: &Gaps,
) -> Result<Link, ReadError> {
    let data = edge.attributes(graph, keys);
    let missing = |name: &str, remedy| ReadError::Missing {
        file: graph.reader.file.to_owned(),
        line: graph.reader.line(edge.element),
        element: data.what.clone(),
        name: name.to_owned(),
        remedy,
    };
    let ends = nodes.number(edge.from).zip(nodes.number(edge.to));
    let (from, to) = ends.ok_or_else(|| missing("known ends", "it some"))?;
    let given = bandwidth(&data)?;
    let bandwidth = given.or(gaps.bandwidth).ok_or_else(|| {
        missing("'LinkSpeedRaw' (bits per second)", "'bandwidth' in [topology], for all edges that have none")
    })?;
    let seconds = |text: &str| text.parse().ok().and_then(nanoseconds).filter(|delay| *delay <= LONGEST_DELAY);
    let delay = data.value("delay", "give a number of seconds from 0 to 1000", seconds)?;
    let (delay, whence) = first_delay(delay, || nodes.delay(from, to, gaps), gaps).ok_or_else(|| {
        let name = "'delay' (seconds), and its ends no 'Longitude' and 'Latitude' from which it would follow";
        missing(name, "'delay' in [topology], for all edges that have none")
    })?;
    let bytes = |text: &str| text.parse().ok().filter(|bytes| (1..=LARGEST_QUEUE).contains(bytes));
    let buffer = data.value("buffer", "give a whole number of bytes from 1 to 2^48", bytes)?;
    let mut queue = gaps.queues.queue(bandwidth);
    queue.capacity = buffer.unwrap_or(queue.capacity);
    queue.discipline = discipline(graph, edge, &data, gaps)?;
    let share = |text: &str| text.parse().ok().filter(|share| is_share(*share));
    let loss = data.value("loss", "give a share of at least 0 and below 1", share)?.unwrap_or(gaps.loss);
    nodes.filled.count(BandwidthFrom::given(given), whence);
    Ok(Link { from, to, delay, bandwidth, queue, loss })
}

/// Returns the discipline of an edge's queue: its own, or else the default.
fn discipline(
    graph: &Graph<'_>,
    edge: &Edge<'_>,
    data: &Attributes<'_, '_>,
    gaps: &Gaps,
) -> Result<Discipline, ReadError> {
    let kind = data.one_of("discipline", "give 'red' or 'drop-tail'")?;
    let own = OwnRed {
        weight: data.number("red_weight")?,
        least: data.number("red_least")?,
        most: data.number("red_most")?,
        probability: data.number("red_probability")?,
        packets: None,
    };
    own.discipline(kind, gaps.queues.discipline, gaps.red).map_err(|error| ReadError::Edge {
        file: graph.reader.file.to_owned(),
        line: graph.reader.line(edge.element),
        element: data.what.clone(),
        error,
    })
}

/// Returns the bandwidth of an edge, from the first of its attributes that gives one.
fn bandwidth(data: &Attributes<'_, '_>) -> Result<Option<u64>, ReadError> {
    let read = |text: &str| text.parse().ok().and_then(bits_per_second).filter(|rate| *rate > 0);
    for attribute in ["bandwidth", "LinkSpeedRaw"] {
        if let Some(rate) = data.value(attribute, RATE, read)? {
            return Ok(Some(rate));
        }
    }
    let units = |text: &str| match text.to_ascii_uppercase().as_str() {
        "K" => Some(1e3),
        "M" => Some(1e6),
        "G" => Some(1e9),
        "T" => Some(1e12),
        _ => None,
    };
    let Some(unit) = data.value("LinkSpeedUnits", "give 'K', 'M', 'G' or 'T'", units)? else { return Ok(None) };
    let speed =
        |text: &str| text.parse().ok().and_then(|speed: f64| bits_per_second(speed * unit)).filter(|rate| *rate > 0);
    Ok(data.value("LinkSpeed", "give a number above 0, in the unit of 'LinkSpeedUnits'", speed)?)
}
