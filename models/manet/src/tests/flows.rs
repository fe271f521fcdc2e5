//! Flows with rates, sizes and times of their own.

use super::check;
use crate::*;

const SECOND: u64 = 1_000_000;

/// Returns nodes at rest on a line, 100 m apart: all in range of one another if there are three.
fn line(nodes: u32, flows: Vec<Flow>) -> Network {
    let places = (0..nodes as i32).map(|x| Position { x: x * 100_000, y: 0 }).collect();
    let mut network = Network { end: 30 * SECOND, ..Network::scenario(nodes) };
    network.field = Field { width: 100_000 * nodes, height: 1 };
    network.placement = Placement::At(places);
    network.mobility = Mobility::Static;
    network.traffic.gap = 500_000;
    network.traffic.start = 2 * SECOND;
    network.traffic.destinations = Destinations::Flows(flows);
    network
}

fn flows(network: &Network) -> Vec<FlowCount> {
    check(&[(network.clone(), 0..1)]);
    sequential::statistics(network, 0).unwrap().flows
}

/// Number of packets of a flow: its time by its gap. Its delay without contention: its airtime.
#[test]
fn a_flow_has_its_own_rate_size_and_time() {
    let own = Flow {
        gap: Some(20_000),
        bytes: Some(100),
        start: Some(10 * SECOND),
        stop: Some(14 * SECOND),
        ..Flow::new(1, 0)
    };
    for (flow, created, delay) in [(Flow::new(0, 1), 28 * 2, 0.008_192), (own, 4 * 50, 0.000_8)] {
        let [found] = flows(&line(2, vec![flow])).try_into().unwrap();
        assert_eq!((found.from, found.to), (flow.from, Some(flow.to)));
        // The first packet follows within a gap.
        assert_eq!((found.created, found.delivered), ([created, 0], [created, 0]));
        assert!((found.mean_delay(0).unwrap() - delay).abs() < 1e-9 && found.mean_hops() == Some(1.0), "{found:?}");
    }
}

/// Two flows of one node to another, of which each has its own packets, and one that ends before it begins to send.
#[test]
fn flows_of_the_same_nodes_are_told_apart() {
    let slow = Flow { gap: Some(SECOND), bytes: Some(2000), ..Flow::new(0, 2) };
    let short = Flow { gap: Some(u64::from(u32::MAX)), stop: Some(2 * SECOND + 1), ..Flow::new(2, 1) };
    let network = line(3, vec![Flow::new(0, 2), slow, short, Flow::new(0, 1)]);
    let found = flows(&network);
    let created: Vec<u64> = found.iter().map(|flow| flow.created[0]).collect();
    assert_eq!(created, [56, 28, 0, 56]);
    let mean = |of: usize| found[of].mean_delay(0).unwrap();
    // 8,192 bits and 16,000 bits at 1 Mb/s: a packet waits for one before it at most.
    assert!((0.008_192..0.016).contains(&mean(0)) && (0.016..0.024).contains(&mean(1)), "{found:?}");
    assert_eq!(network.lookahead(), 8192);
}

/// Each request is answered: a flow counts its responses.
#[test]
fn flows_count_answers() {
    let mut network = line(5, vec![Flow { gap: Some(250_000), ..Flow::new(0, 4) }, Flow::new(3, 0)]);
    network.range = 150_000;
    network.traffic.exchange = Exchange::Requests { response_bytes: 50 };
    let found = flows(&network);
    for (flow, hops) in found.iter().zip([4, 3]) {
        let [requests, responses] = flow.delivered;
        assert!(requests > 0 && responses > 0 && flow.created[1] == requests, "{flow:?}");
        assert_eq!((flow.hops[0], flow.hops[1]), (hops * requests, hops * responses));
        assert!(flow.mean_delay(1) > flow.mean_delay(0));
    }
    assert_eq!(network.lookahead(), 400);
}

/// Poisson arrivals of a flow have its own mean gap.
#[test]
fn flows_at_random_have_their_own_mean() {
    let mut network = line(2, vec![Flow { gap: Some(10_000), bytes: Some(10), ..Flow::new(0, 1) }]);
    network.traffic.arrivals = Arrivals::Poisson;
    let [found] = flows(&network).try_into().unwrap();
    // 2,800 packets are expected, with a deviation of 53.
    assert!(found.created[0].abs_diff(2800) < 220, "{found:?}");
}
