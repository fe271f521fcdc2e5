//! Freedom from loops, and conservation of packets, in networks of all kinds.

use super::*;
use crate::tests::networks;
use proptest::prelude::*;

/// Follows the next hops of every route. They end, at the latest after as many hops as there are nodes.
fn check_routes(routes: &[Vec<(u32, u32)>]) -> Result<usize, String> {
    let mut followed = 0;
    for (from, own) in routes.iter().enumerate() {
        for (destination, next) in own {
            let (mut node, mut hops) = (*next, 1);
            // A next node without a route to the destination ends the way: it tells of an error.
            while node != *destination
                && let Ok(found) = routes[node as usize].binary_search_by_key(destination, |(to, _)| *to)
            {
                (node, hops) = (routes[node as usize][found].1, hops + 1);
                if hops > routes.len() {
                    return Err(format!("the route from {from} to {destination} over {next} is a loop: {routes:?}"));
                }
            }
            followed += hops;
        }
    }
    Ok(followed)
}

#[test]
fn a_loop_is_found() {
    let routes = [vec![(2, 1)], vec![(2, 0)], vec![]];
    assert!(check_routes(&routes).unwrap_err().contains("from 0 to 2"));
    assert_eq!(check_routes(&[vec![(2, 1)], vec![(2, 2)], vec![]]), Ok(3));
}

fn parameters() -> impl Strategy<Value = Aodv> {
    let flags = (any::<bool>(), any::<bool>());
    (flags, 20_000..900_000_u64, 500..5_000_u64, 1..12_u32, 0..3_u32, 1..20_u32, 0..3_000_u32).prop_map(
        |((expanding_ring, destination_only), active, traversal, diameter, retries, buffer, jitter)| Aodv {
            active_route_timeout: active,
            node_traversal_time: traversal,
            net_diameter: diameter,
            expanding_ring,
            rreq_retries: retries,
            destination_only,
            buffer,
            buffer_timeout: 2 * SECOND,
            jitter,
            ..Aodv::default()
        },
    )
}

/// Returns networks of few nodes whose links break all the time, and whose many flows use the routes again.
fn restless() -> impl Strategy<Value = Network> {
    let flows = prop::collection::vec((0..64_u32, 1..64_u32, 20_000..200_000_u64), 4..14);
    let nodes = (5..13_u32, any::<u64>(), 20_000_000..90_000_000_u32);
    (nodes, flows, parameters(), 100_000..4_000_000_u64).prop_map(|((nodes, seed, speed), flows, aodv, active)| {
        let aodv = Aodv { active_route_timeout: active, net_diameter: 12, ..aodv };
        let mut network =
            Network { protocol: Protocol::Aodv(aodv), nodes, seed, end: 6 * SECOND, ..Network::default() };
        network.field = Field { width: 260_000, height: 260_000 };
        network.range = RANGE as u32;
        network.mobility = Mobility::Waypoints(Waypoints { speed: [speed / 4, speed], pause: [0, 100_000] });
        network.medium.bit_rate = 4_000_000;
        network.traffic.bytes = 100;
        network.traffic.senders = nodes;
        network.traffic.start = 0;
        let flow = |(from, more, gap): (u32, u32, u64)| {
            let (from, other) = (from % nodes, more % (nodes - 1));
            Flow { gap: Some(gap), ..Flow::new(from, if other >= from { other + 1 } else { other }) }
        };
        network.traffic.destinations = Destinations::Flows(flows.into_iter().map(flow).collect());
        network
    })
}

/// Simulates a network, and follows all routes after every third event. Returns the first loop.
fn find_loop(network: &Network) -> (Statistics, Option<String>) {
    let (mut looks, mut failure) = (0_u64, None);
    let statistics = sequential::watch_routes(network, |routes| {
        looks += 1;
        if looks.is_multiple_of(3) && failure.is_none() {
            failure = check_routes(routes).err();
        }
    });
    (statistics, failure)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn no_loops_where_links_break_all_the_time(network in restless()) {
        let (statistics, failure) = find_loop(&network);
        prop_assert_eq!(failure, None);
        // Errors, and answers of nodes on the way, are among what is tried.
        prop_assert!(Summary::of(&statistics.nodes).created() > 30);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// No routes form a loop, at any time, in fast networks with short lifetimes. Each packet is delivered or lost for
    /// one cause, once no more are created.
    #[test]
    fn no_loops_and_no_packets_without_an_end(network in networks(), aodv in parameters()) {
        let mut network = Network { protocol: Protocol::Aodv(aodv), ..network };
        network.medium.retries = network.medium.retries.max(1);
        network.medium.bit_rate = 4_000_000;
        network.interval = network.interval.min(network.lookahead());
        network.warm_up = 0;
        // All flows stop, and what waits does so for two seconds at most.
        let stop = 2_000_000;
        let listed = |from: u32| Flow::new(from, (from + 1) % network.nodes);
        let flows = match network.traffic.listed() {
            Some(flows) => flows.to_vec(),
            None => (0..network.nodes).map(listed).collect(),
        };
        let ends = |flow: Flow| {
            let start = flow.start.unwrap_or(network.traffic.start).min(stop - 1);
            Flow { start: Some(start), stop: Some(stop), ..flow }
        };
        network.traffic.destinations = Destinations::Flows(flows.into_iter().map(ends).collect());
        network.end = 9_000_000;
        let (statistics, failure) = find_loop(&network);
        prop_assert_eq!(failure, None);
        let summary = Summary::of(&statistics.nodes);
        prop_assert_eq!(summary.created(), summary.delivered() + summary.lost(), "{:?}", summary);
        prop_assert_eq!(&statistics, &sequential::statistics(&network, 0).unwrap());
    }
}
