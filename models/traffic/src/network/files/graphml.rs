//! Networks from graphs in files, including those of the Internet Topology Zoo.
//!
//! An undirected edge becomes one link in each direction. Edges from a node to itself are left out and counted. Of
//! nodes, `label` and the position in degrees are read: `Longitude` and `Latitude`, also in small letters, or `lon` (or
//! `lng`) and `lat`. Of edges:
//!
//! | attribute | value |
//! | --- | --- |
//! | `bandwidth`, or `bw`, `LinkSpeedRaw`, `capacity` | a number and its unit, such as `100 Mbps`; or bits per second |
//! | `LinkSpeed` with `LinkSpeedUnits` | a number, and `K`, `M`, `G` or `T` |
//! | `delay`, or `latency` | a number and its unit, such as `5ms`; or seconds; computed from the positions of the ends if missing |
//! | `label`, such as a drawing of yEd has | a bandwidth or a delay with its unit, or both after one another, such as `100 Mbps, 5 ms`; other texts mean nothing |
//! | `buffer` | capacity of the queue: bytes, or a number and its unit, such as `100 packets` |
//! | `loss` | share of what is sent that the link loses, at least 0 and below 1 |
//! | `discipline` | discipline of the queue: `red`, `drop-tail`, `codel` or `fq-codel` |
//! | `red_weight`, `red_least`, `red_most`, `red_probability` | [parameters of RED](crate::network::Red) |
//!
//! [`Gaps`] can give another unit of bare numbers. Without one, a bare number is an error where it is hardly meant in
//! bits per second or seconds: a bandwidth below 1 Mb/s, or a delay above 0.5 s. `LinkSpeedRaw` is always in bits per
//! second. Other attributes that look like bandwidths or delays are not read, and counted.

use super::error::ReadError;
use super::gaps::{BandwidthFrom, EdgeKind, Filled, Gaps, Own, first_delay};
use super::nodes::{Nodes, Read};
use crate::network::builder::{LARGEST_QUEUE, LONGEST_DELAY};
use crate::network::is_share;
use crate::network::{Buffer, Link, OwnRed, QueueKind};
use crate::units::{bits_per_second, nanoseconds};
use imminent_common::graph::{Attributes, Edge, Graph};
use imminent_common::quantity::Quantity;
use std::collections::HashSet;

/// Attributes that give a bandwidth, in the order in which they are tried.
const RATES: [&str; 7] = ["bandwidth", "Bandwidth", "bw", "BW", RAW, "capacity", "Capacity"];
/// The Topology Zoo's bandwidth in bits per second.
const RAW: &str = "LinkSpeedRaw";
/// Attributes that give a delay, in the order in which they are tried.
const DELAYS: [&str; 4] = ["delay", "Delay", "latency", "Latency"];

/// Attributes that give the position of a node in degrees, in the order in which they are tried.
const PLACES: [[&str; 2]; 4] = [["Longitude", "Latitude"], ["longitude", "latitude"], ["lon", "lat"], ["lng", "lat"]];

const RATE: &str = "give a number of bits per second from 1 to 10^13, or one with its unit, such as '100 Mbps'";
const SLOW: &str = "a bare number is taken as bits per second, and this few are hardly meant: give its unit, such as '100 Mbps', or that of all bare bandwidths by --unit ('unit' in [topology]), such as Mbps, or bps for bits per second";
const DELAY: &str = "give a number of seconds from 0 to 1000, or one with its unit, such as '5ms'";
const LONG: &str = "a bare number is taken as seconds, and this many are hardly meant: give its unit, such as '5ms', or that of all bare delays by --delay-unit ('delay_unit' in [topology]), such as ms, or s for seconds";

/// Converts a graph to a network.
pub(super) fn network(graph: &Graph<'_>, gaps: &Gaps) -> Result<Read, ReadError> {
    let mut nodes = vec![];
    for node in graph.nodes() {
        let data = graph.of_node(node);
        nodes.push((&*node.id, data.label().unwrap_or(&node.id), place(&data)?));
    }
    let mut nodes = Nodes::of(nodes);
    let directed: HashSet<[u32; 2]> = match gaps.edges {
        Some(EdgeKind::TwoWay) => {
            graph.edges().iter().filter(|edge| edge.one_way).map(|edge| [edge.from, edge.to]).collect()
        }
        _ => HashSet::new(),
    };
    for edge in graph.edges() {
        if edge.from == edge.to {
            nodes.left_out.loops += 1;
            continue;
        }
        let link = link(graph, edge, &mut nodes, gaps)?;
        let one_way = match gaps.edges {
            None => edge.one_way,
            Some(EdgeKind::OneWay) => true,
            Some(EdgeKind::TwoWay) => edge.one_way && directed.contains(&[edge.to, edge.from]),
        };
        nodes.join(link, one_way);
    }
    nodes.build(graph.source.file, vec![])
}

/// Returns the position of a node in degrees, from the first attributes that give one.
fn place(data: &Attributes<'_, '_>) -> Result<Option<[f64; 2]>, ReadError> {
    for [x, y] in PLACES {
        if let (Some(x), Some(y)) = (data.number(x)?, data.number(y)?) {
            return Ok(Some([x, y]));
        }
    }
    Ok(None)
}

fn link(graph: &Graph<'_>, edge: &Edge<'_>, nodes: &mut Nodes, gaps: &Gaps) -> Result<Link, ReadError> {
    let data = graph.of_edge(edge);
    let missing = |name: &str, remedy| ReadError::Missing {
        file: graph.source.file.to_owned(),
        line: data.line(),
        element: data.what.clone(),
        name: name.to_owned(),
        remedy,
    };
    let (from, to) = (edge.from, edge.to);
    let (given, rate_name) = bandwidth(&data, gaps, &mut nodes.filled)?;
    let bandwidth = given.or(gaps.bandwidth).ok_or_else(|| {
        missing(
            "'bandwidth' or 'LinkSpeedRaw' (bits per second)",
            "'bandwidth' in [topology], for all edges that have none",
        )
    })?;
    let (delay, delay_name) = delay(&data, gaps, &mut nodes.filled)?;
    for name in data.own_names().filter(|name| looks_unread(name) && ![rate_name, delay_name].contains(&Some(*name))) {
        *nodes.unread.entry(name.to_owned()).or_default() += 1;
    }
    let (delay, whence) = first_delay(delay, || nodes.delay(from, to, gaps), gaps).ok_or_else(|| {
        let name = "'delay' (seconds), and its ends no 'Longitude' and 'Latitude' from which it would follow";
        missing(name, "'delay' in [topology], for all edges that have none")
    })?;
    let room = |text: &str| {
        let given = Buffer::read(text).filter(|given| !given.is_empty());
        given.filter(|given| !matches!(given, Buffer::Bytes(bytes) if *bytes > LARGEST_QUEUE))
    };
    let buffer = data.value("buffer", "give a size from 1 byte to 2^48, or a number such as '100 packets'", room)?;
    let mut queue = gaps.queues.with_room(buffer).queue(bandwidth);
    let share = |text: &str| text.parse().ok().filter(|share| is_share(*share));
    let loss = data.value("loss", "give a share of at least 0 and below 1", share)?;
    let (kind, own) = own_discipline(&data)?;
    queue.discipline = own.discipline(kind, gaps.queues.discipline, &gaps.disciplines).map_err(|error| {
        ReadError::Edge { file: graph.source.file.to_owned(), line: data.line(), element: data.what.clone(), error }
    })?;
    nodes.filled.count(BandwidthFrom::given(given), whence);
    let (buffer, lacks_red) = (buffer.is_some(), own.lacks_any());
    let own = Own { buffer, loss: loss.is_some(), kind, lacks_red, ..Own::NONE };
    nodes.filled.count_own(own, queue.discipline);
    Ok(Link { from, to, delay, bandwidth, queue, loss: loss.unwrap_or(gaps.loss) })
}

/// Returns what an edge itself says of its queue's discipline.
fn own_discipline(data: &Attributes<'_, '_>) -> Result<(Option<QueueKind>, OwnRed), ReadError> {
    let kind = data.one_of("discipline", "give 'red', 'drop-tail', 'codel' or 'fq-codel'")?;
    let own = OwnRed {
        weight: data.number("red_weight")?,
        least: data.number("red_least")?,
        most: data.number("red_most")?,
        probability: data.number("red_probability")?,
        packets: None,
    };
    Ok((kind, own))
}

/// Returns the bandwidth of an edge and the name of its attribute, from the first attribute that gives one.
fn bandwidth(
    data: &Attributes<'_, '_>,
    gaps: &Gaps,
    filled: &mut Filled,
) -> Result<(Option<u64>, Option<&'static str>), ReadError> {
    for name in RATES {
        let bare = if name == RAW { Some(1.0) } else { gaps.unit };
        let read = |text: &str| {
            let quantity = Quantity::rate(text)?;
            bits_per_second(quantity.value(bare)).filter(|rate| *rate > 0).map(|rate| (rate, quantity))
        };
        let Some((rate, quantity)) = data.value(name, RATE, read)? else { continue };
        if bare.is_none() && quantity.is_slow() {
            data.value(name, SLOW, |_| None::<u64>)?;
        }
        filled.bare_bandwidths += u64::from(name != RAW && quantity.is_bare());
        return Ok((Some(rate), Some(name)));
    }
    Ok((speed(data)?.or_else(|| bandwidth_of_label(data)), None))
}

/// Returns the first bandwidth with a unit in the label of an edge.
fn bandwidth_of_label(data: &Attributes<'_, '_>) -> Option<u64> {
    parts_of_label(data).find_map(|part| {
        let unit = part.trim_start_matches(|letter: char| letter.is_ascii_digit() || " .".contains(letter));
        // A lone small letter is hardly a bandwidth: `5 m` of cable.
        let is_clear = unit.len() > 1 || unit.starts_with(|letter: char| letter.is_ascii_uppercase());
        let quantity = Quantity::rate(part).filter(|quantity| is_clear && !quantity.is_bare())?;
        bits_per_second(quantity.value(None)).filter(|rate| *rate > 0)
    })
}

/// Returns the first delay with a unit in the label of an edge, in nanoseconds.
fn delay_of_label(data: &Attributes<'_, '_>) -> Option<u64> {
    parts_of_label(data).find_map(|part| {
        let quantity = Quantity::time(part).filter(|quantity| !quantity.is_bare())?;
        nanoseconds(quantity.value(None)).filter(|delay| *delay <= LONGEST_DELAY)
    })
}

fn parts_of_label<'a>(data: &Attributes<'a, '_>) -> impl Iterator<Item = &'a str> {
    data.label().unwrap_or_default().split([',', ';', '\n']).map(str::trim)
}

/// Returns the delay of an edge in nanoseconds and the name of its attribute.
fn delay(
    data: &Attributes<'_, '_>,
    gaps: &Gaps,
    filled: &mut Filled,
) -> Result<(Option<u64>, Option<&'static str>), ReadError> {
    for name in DELAYS {
        let read = |text: &str| {
            let quantity = Quantity::time(text)?;
            let delay = nanoseconds(quantity.value(gaps.delay_unit)).filter(|delay| *delay <= LONGEST_DELAY);
            delay.map(|delay| (delay, quantity))
        };
        let Some((delay, quantity)) = data.value(name, DELAY, read)? else { continue };
        if gaps.delay_unit.is_none() && quantity.is_long() {
            data.value(name, LONG, |_| None::<u64>)?;
        }
        filled.bare_delays += u64::from(quantity.is_bare());
        return Ok((Some(delay), Some(name)));
    }
    Ok((delay_of_label(data), None))
}

/// Returns `true` for the name of an attribute that seems to be a bandwidth or a delay, unless it is one of the
/// Topology Zoo's.
fn looks_unread(name: &str) -> bool {
    const PARTS: [&str; 9] =
        ["bandwidth", "capacity", "speed", "datarate", "data_rate", "throughput", "delay", "latency", "rtt"];
    const WHOLE: [&str; 4] = ["bw", "rate", "mbps", "gbps"];
    let lower = name.to_ascii_lowercase();
    let zoo = ["LinkSpeed", "LinkSpeedUnits", RAW].contains(&name);
    !zoo && (PARTS.iter().any(|part| lower.contains(part)) || WHOLE.contains(&lower.as_str()))
}

/// Returns the bandwidth by `LinkSpeed` and `LinkSpeedUnits`.
fn speed(data: &Attributes<'_, '_>) -> Result<Option<u64>, ReadError> {
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
