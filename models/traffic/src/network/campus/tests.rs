use super::*;
use crate::network::link::Room;
use crate::network::{Routes, routing::Metric};
use std::collections::HashMap;

/// Counts the links of a network by rate and delay, each pair of opposites once.
fn links_by_speed(network: &Network) -> HashMap<(u64, u64), usize> {
    let mut counts = HashMap::new();
    for link in network.links().iter().step_by(2) {
        *counts.entry((link.bandwidth / 1_000_000, link.delay / 1_000_000)).or_default() += 1;
    }
    counts
}

/// Counts the nodes of campus 0 whose label contains a word.
fn count(network: &Network, word: &str) -> usize {
    (0..NODES).filter(|&node| network.label(node).contains(word)).count()
}

#[test]
fn a_campus_has_538_nodes_and_543_links() {
    let network = Campus::new(1).network().unwrap();
    assert_eq!((network.nodes(), network.links().len()), (538, 2 * (39 + 504)));
    assert_eq!((count(&network, ".r"), count(&network, "gateway"), count(&network, "net1.h")), (18, 12, 4));
    assert_eq!(count(&network, "lan") - count(&network, "gateway"), 504);
    assert_eq!(links_by_speed(&network), HashMap::from([((1000, 10), 12), ((100, 10), 27), ((10, 1), 504)]));
    // Every gateway has 42 hosts and its router.
    for lan in 0..GATEWAYS {
        assert_eq!(network.out_links(gateway(lan)).len(), 43);
    }
    // Degrees of the routers, from the drawing: links among routers, and to gateways and servers.
    let degrees: Vec<_> = (0..18).map(|router| network.out_links(router).len()).collect();
    assert_eq!(degrees, [3, 3, 3, 4, 4, 4, 3, 3, 3, 4, 4, 2, 3, 4, 4, 4, 3, 4]);
}

#[test]
fn campuses_form_a_ring_with_chords() {
    for (campuses, joins) in [(1, 0), (2, 1), (3, 3), (4, 4 + 1), (8, 8 + 2), (16, 16 + 4), (20, 20 + 5)] {
        let network = Campus::new(campuses).network().unwrap();
        assert_eq!(network.nodes(), 538 * campuses as usize);
        assert_eq!(network.links().len(), 2 * (543 * campuses as usize + joins), "{campuses} campuses");
    }
    let network = Campus::new(20).network().unwrap();
    let joined = |from: u32, to: u32| network.link_between(from * NODES, to * NODES).is_some();
    assert!(joined(19, 0) && joined(0, 19) && joined(0, 10) && joined(12, 2));
    assert!(!joined(1, 11));
}

#[test]
fn flows_come_from_servers_half_of_them_from_other_campuses() {
    let campus = Campus { packet_share: 0.01, ..Campus::new(4) };
    let (network, flows) = (campus.network().unwrap(), campus.flows().unwrap());
    assert_eq!(flows.all().len(), 4 * 5040);
    assert_eq!(flows.check(&network), Ok(()));
    let mut received = HashMap::<u32, u32>::new();
    let (mut away, mut packets, mut servers) = (0, 0, [0_u32; 16]);
    for flow in flows.all() {
        *received.entry(flow.to).or_default() += 1;
        away += u32::from(flow.from / NODES != flow.to / NODES);
        packets += u32::from(flow.kind.has_packets());
        servers[(flow.from / NODES * 4 + flow.from % NODES - FIRST_SERVER) as usize] += 1;
        assert!(network.label(flow.from).contains("net1.h") && network.label(flow.to).contains("lan"));
    }
    assert_eq!(received.len(), 4 * 504);
    assert!(received.values().all(|&flows| flows == 10));
    // Binomial counts: 20160 with 1/2 and with 1/100 and 1/16, each within four standard deviations.
    assert!((10_080 - 284..=10_080 + 284).contains(&away), "{away}");
    assert!((202 - 57..=202 + 57).contains(&packets), "{packets}");
    assert!(servers.iter().all(|&flows| (1_260 - 138..=1_260 + 138).contains(&flows)), "{servers:?}");
    // The flows are the same with and without packets, and in each run.
    let fluid = Campus { packet_share: 0.0, ..campus }.flows().unwrap();
    assert!(fluid.all().iter().zip(flows.all()).all(|(left, right)| (left.from, left.to) == (right.from, right.to)));
    assert!(!fluid.all().iter().any(|flow| flow.kind.has_packets()));
    assert_ne!(Campus { seed: 2, ..campus }.flows().unwrap(), flows);
    assert_eq!(campus.flows().unwrap(), flows);
    let all = Campus { packet_share: 1.0, ..campus }.flows().unwrap();
    assert!(all.all().iter().all(|flow| flow.kind.fluid().is_none()));
}

#[test]
fn one_campus_has_no_others_to_ask() {
    let flows = Campus::new(1).flows().unwrap();
    assert_eq!(flows.all().len(), 5040);
    let network = Campus::new(1).network().unwrap();
    let pairs: Vec<_> = flows.all().iter().map(|flow| (flow.from, flow.to)).collect();
    let routes = Routes::find(&network, &pairs, Metric::Hops).unwrap();
    // By hand: from net1.h2 by net1.r0, net0.r2, net0.r1, r5, net3.r0 and a gateway; from net1.h4 by net1.r1, net1.r0,
    // net0.r2, net0.r0, r4, net2.r1, net2.r3, net2.r5, net2.r6 and a gateway.
    let lengths = (0..pairs.len() as u32).map(|route| routes.links(route).len());
    assert_eq!((lengths.clone().min(), lengths.max()), (Some(7), Some(11)));
}

/// The estimate is between what the parts occupy in the end and four times that.
#[test]
fn the_memory_of_campuses_is_estimated() {
    for campuses in [1, 8, 24] {
        let (network, flows) = (Campus::new(campuses).network().unwrap(), Campus::new(campuses).flows().unwrap());
        let pairs: Vec<_> = flows.all().iter().map(|flow| (flow.from, flow.to)).collect();
        let routes = Routes::find(&network, &pairs, Metric::Hops).unwrap();
        let labels: usize =
            (0..network.nodes() as u32).map(|node| size_of::<String>() + network.label(node).len()).sum();
        let links = size_of_val(network.links()) + network.links().len() * 8;
        let occupied = labels + links + size_of_val(flows.all()) + size_of_val(routes.hops()) + size_of_val(&pairs[..]);
        let estimate = Campus::bytes(campuses.into()) as usize;
        assert!((occupied..4 * occupied).contains(&estimate), "{estimate} for {occupied} bytes of {campuses} campuses");
    }
    assert!(Campus::bytes(100_000) > 10_u64.pow(12) && Campus::bytes(u64::MAX) == u64::MAX);
}

#[test]
fn queues_may_hold_a_time_of_the_rate() {
    let rule = QueueRule { room: Room::Time { seconds: 0.2, least: 0 }, ..QueueRule::default() };
    let network = Campus { queues: rule, ..Campus::new(1) }.network().unwrap();
    let capacities: Vec<_> = network.links().iter().map(|link| (link.bandwidth, link.queue.capacity)).collect();
    assert!(capacities.contains(&(10_000_000, 250_000)) && capacities.contains(&(1_000_000_000, 25_000_000)));
}

#[test]
fn what_cannot_be_is_told() {
    let cases = [
        (Campus::new(0), "0 campuses are not possible: give 1 to"),
        (Campus::new(u32::MAX), "4294967295 campuses are not possible"),
        (Campus { packet_share: 1.5, ..Campus::new(1) }, "a share of packets of 1.5"),
        (Campus { packet_share: f64::NAN, ..Campus::new(1) }, "a share of packets of NaN"),
    ];
    for (campus, expected) in cases {
        let error = campus.network().unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
        assert!(campus.flows().is_err());
    }
}
