//! Tables of a run for files: a row for each replication, a row for each node and each flow of each replication, and
//! where the nodes of the first were.

use super::named::{NameOf, named};
use super::replication::Replication;
use super::simulate::Simulated;
use crate::{FlowCount, Loss, Network, NodeCount, Position};
use imminent_common::sheet::{Of, Sheet};
use imminent_study::outcome::Rows;

/// Name of the table of replications.
pub(super) const REPLICATIONS: &str = "replications";

/// Name of the table of nodes.
pub(super) const NODES: &str = "nodes";

/// Name of the table of flows.
pub(super) const FLOWS: &str = "flows";

/// Name of the table of trajectories.
pub(super) const TRAJECTORIES: &str = "trajectories";

/// Returns all tables. That of trajectories is there if they were asked for.
pub(super) fn tables(network: &Network, simulated: Simulated, trajectories: Option<Vec<Place>>) -> Vec<Box<dyn Sheet>> {
    let (nodes, flows) = (nodes(network, &simulated), flows(&simulated));
    let mut tables: Vec<Box<dyn Sheet>> = vec![
        Box::new(Rows { name: REPLICATIONS, columns: &OF_REPLICATIONS, rows: simulated.replications }),
        named(network, Rows { name: NODES, columns: &OF_NODES, rows: nodes }, &NAMES_OF_NODES),
        named(network, Rows { name: FLOWS, columns: &OF_FLOWS, rows: flows }, &NAMES_OF_FLOWS),
    ];
    if let Some(rows) = trajectories {
        tables.push(named(
            network,
            Rows { name: TRAJECTORIES, columns: &OF_TRAJECTORIES, rows },
            &NAMES_OF_TRAJECTORIES,
        ));
    }
    tables
}

/// Columns of replications. Delays are in seconds.
const OF_REPLICATIONS: [(&str, Of<Replication>); 22] = [
    ("replication", Of::Count(|of| of.replication)),
    ("created", Of::Count(|of| of.created)),
    ("delivered", Of::Count(|of| of.delivered)),
    ("delivery_ratio", Of::Number(|of| Some(of.delivery_ratio).filter(|value| value.is_finite()))),
    ("mean_delay", Of::Number(|of| Some(of.mean_delay).filter(|value| value.is_finite()))),
    ("mean_hops", Of::Number(|of| Some(of.mean_hops).filter(|value| value.is_finite()))),
    ("delay_p50", Of::Number(|of| of.delay_p50)),
    ("delay_p95", Of::Number(|of| of.delay_p95)),
    ("delay_p99", Of::Number(|of| of.delay_p99)),
    ("no_neighbour", Of::Count(|of| of.lost[Loss::NoNeighbour as usize])),
    ("unreachable", Of::Count(|of| of.lost[Loss::Unreachable as usize])),
    ("too_many_hops", Of::Count(|of| of.lost[Loss::Hops as usize])),
    ("link_broken", Of::Count(|of| of.lost[Loss::Link as usize])),
    ("queue_full", Of::Count(|of| of.lost[Loss::Queue as usize])),
    ("node_left", Of::Count(|of| of.lost[Loss::Left as usize])),
    ("no_route", Of::Count(|of| of.lost[Loss::NoRoute as usize])),
    ("under_way", Of::Count(|of| of.under_way)),
    ("transmissions", Of::Count(|of| of.transmissions)),
    ("busy", Of::Count(|of| of.busy)),
    ("control", Of::Count(|of| of.control)),
    ("control_bytes", Of::Count(|of| of.control_bytes)),
    ("routing_load", Of::Number(|of| of.routing_load)),
];

/// Node of a replication.
struct NodeRow {
    replication: u64,
    node: u64,
    count: NodeCount,
    /// Share of the time in which the node transmitted.
    load: f64,
}

/// Columns of nodes. Created packets are those of the node; delivered ones, their delays and hops are those that it
/// received as the destination; lost ones are those that were lost at it. Route requests, replies and errors are
/// transmissions, as are the bytes. Delays are in seconds.
const OF_NODES: [(&str, Of<NodeRow>); 14] = [
    ("replication", Of::Count(|row| row.replication)),
    ("node", Of::Count(|row| row.node)),
    ("created", Of::Count(|row| row.count.created.iter().sum())),
    ("delivered", Of::Count(|row| row.count.delivered.iter().sum())),
    ("mean_delay", Of::Number(|row| mean(row.count.delay, row.count.delivered).map(|delay| delay / 1e6))),
    ("mean_hops", Of::Number(|row| mean(row.count.hops, row.count.delivered))),
    ("lost", Of::Count(|row| row.count.lost.iter().sum())),
    ("transmissions", Of::Count(|row| row.count.sent)),
    ("busy", Of::Count(|row| row.count.busy)),
    ("route_requests", Of::Count(|row| row.count.control[0])),
    ("route_replies", Of::Count(|row| row.count.control[1])),
    ("route_errors", Of::Count(|row| row.count.control[2])),
    ("control_bytes", Of::Count(|row| row.count.control_bytes)),
    ("load", Of::Number(|row| Some(row.load))),
];

/// Columns of names in tables of nodes.
const NAMES_OF_NODES: [NameOf<NodeRow>; 1] = [("name", |row| Some(row.node as u32))];

fn mean(sums: [u64; 3], counts: [u64; 3]) -> Option<f64> {
    let (sum, count) = (sums.iter().sum::<u64>(), counts.iter().sum::<u64>());
    (count > 0).then(|| sum as f64 / count as f64)
}

fn nodes(network: &Network, simulated: &Simulated) -> Vec<NodeRow> {
    let measured = network.end.saturating_sub(network.warm_up).max(1) as f64;
    let of = |(replication, counts): &(u64, Vec<NodeCount>)| {
        let row = |(node, count): (u64, &NodeCount)| NodeRow {
            replication: *replication,
            node,
            count: *count,
            load: count.airtime as f64 / measured,
        };
        (0..).zip(counts).map(row).collect::<Vec<_>>()
    };
    simulated.counts.iter().flat_map(of).collect()
}

/// Flow of a replication.
struct FlowRow {
    replication: u64,
    flow: u64,
    count: FlowCount,
}

/// Columns of flows. Created and delivered packets are data or requests, answers are responses that were delivered. The
/// destination is missing if each packet has its own. Delays are in seconds.
const OF_FLOWS: [(&str, Of<FlowRow>); 11] = [
    ("replication", Of::Count(|row| row.replication)),
    ("flow", Of::Count(|row| row.flow)),
    ("from", Of::Count(|row| row.count.from.into())),
    ("to", Of::Number(|row| row.count.to.map(f64::from))),
    ("created", Of::Count(|row| row.count.created[0])),
    ("delivered", Of::Count(|row| row.count.delivered[0])),
    ("delivery_ratio", Of::Number(|row| row.count.delivery_ratio())),
    ("mean_delay", Of::Number(|row| row.count.mean_delay(0))),
    ("mean_hops", Of::Number(|row| row.count.mean_hops())),
    ("answers", Of::Count(|row| row.count.delivered[1])),
    ("mean_answer_delay", Of::Number(|row| row.count.mean_delay(1))),
];

/// Columns of names in tables of flows. A destination that each packet has for itself has none.
const NAMES_OF_FLOWS: [NameOf<FlowRow>; 2] =
    [("from_name", |row| Some(row.count.from)), ("to_name", |row| row.count.to)];

fn flows(simulated: &Simulated) -> Vec<FlowRow> {
    let of = |(replication, flows): &(u64, Vec<FlowCount>)| {
        let row = |(flow, count): (u64, &FlowCount)| FlowRow { replication: *replication, flow, count: *count };
        (0..).zip(flows).map(row).collect::<Vec<_>>()
    };
    simulated.flows.iter().flat_map(of).collect()
}

/// Time, with a node that is there and its position. Where nobody is there, a row has the time alone: it tells readers
/// when the run begins, and when the last node has left.
pub(super) struct Place {
    /// Time in µs.
    pub(super) time: u64,
    pub(super) node: Option<(u32, Position)>,
}

/// Columns of trajectories: times in seconds, coordinates in metres.
const OF_TRAJECTORIES: [(&str, Of<Place>); 4] = [
    ("time", Of::Number(|row| Some(row.time as f64 / 1e6))),
    ("node", Of::Number(|row| row.node.map(|(node, _)| f64::from(node)))),
    ("x", Of::Number(|row| row.node.map(|(_, place)| f64::from(place.x) / 1e3))),
    ("y", Of::Number(|row| row.node.map(|(_, place)| f64::from(place.y) / 1e3))),
];

/// Columns of names in tables of trajectories.
const NAMES_OF_TRAJECTORIES: [NameOf<Place>; 1] = [("name", |row| row.node.map(|(node, _)| node))];
