use super::*;
use crate::network::campus::Campus;
use crate::network::link::{Discipline, Link, Queue};
use crate::network::{Builder, validation};
use imminent_common::streams::{StreamKey, below, split_mix};
use proptest::prelude::*;

const QUEUE: Queue = Queue::of_bytes(10_000, Discipline::DropTail);

fn network(nodes: u32, links: &[(u32, u32, u64)]) -> Network {
    let mut builder = Builder::new();
    (0..nodes).for_each(|node| {
        builder.node(node.to_string());
    });
    for &(from, to, delay) in links {
        builder.link(Link { from, to, delay, bandwidth: 1_000_000, queue: QUEUE, loss: 0.0 });
    }
    builder.build().unwrap()
}

/// Computes the lengths of all shortest paths by the Floyd-Warshall algorithm, as pairs of the metric's value and the
/// number of links.
fn all_pairs(network: &Network, metric: Metric) -> Vec<Vec<Option<(u64, u64)>>> {
    let nodes = network.nodes();
    let mut table = vec![vec![None; nodes]; nodes];
    for (node, row) in table.iter_mut().enumerate() {
        row[node] = Some((0, 0));
    }
    for link in network.links() {
        let cost = (if metric == Metric::Hops { 1 } else { link.delay }, 1);
        let entry = &mut table[link.from as usize][link.to as usize];
        *entry = Some(entry.map_or(cost, |old: (u64, u64)| old.min(cost)));
    }
    for middle in 0..nodes {
        for from in 0..nodes {
            for to in 0..nodes {
                if let (Some(first), Some(second)) = (table[from][middle], table[middle][to]) {
                    let sum = (first.0 + second.0, first.1 + second.1);
                    table[from][to] = Some(table[from][to].map_or(sum, |old| old.min(sum)));
                }
            }
        }
    }
    table
}

/// Computes the expected route from the table of all lengths.
fn expected(
    network: &Network,
    table: &[Vec<Option<(u64, u64)>>],
    metric: Metric,
    from: u32,
    to: u32,
) -> Option<Vec<u32>> {
    let mut route = vec![];
    let mut node = from;
    while node != to {
        let length = table[node as usize][to as usize]?;
        let (number, link) = network.links().iter().enumerate().find(|(_, link)| {
            let cost = if metric == Metric::Hops { 1 } else { link.delay };
            let rest = table[link.to as usize][to as usize];
            link.from == node && rest.is_some_and(|rest| (rest.0 + cost, rest.1 + 1) == length)
        })?;
        route.push(number as u32);
        node = link.to;
    }
    Some(route)
}

#[test]
fn of_two_paths_the_one_with_the_smaller_link_is_taken() {
    // A square: both ways round have two links. The upper has the smaller numbers, the lower the smaller delay.
    let square = network(4, &[(0, 1, 5), (0, 2, 1), (1, 3, 5), (2, 3, 1), (3, 0, 1)]);
    let routes = |metric| Routes::find(&square, &[(0, 3), (3, 2), (1, 1)], metric).unwrap();
    let (hops, delay) = (routes(Metric::Hops), routes(Metric::Delay));
    assert_eq!(
        (hops.links(0), hops.links(1), hops.links(2), hops.links(3)),
        (&[0, 2][..], &[4, 1][..], &[][..], &[][..])
    );
    assert_eq!((hops.starts(), hops.hops(), hops.len()), (&[0, 2, 4, 4][..], &[0, 2, 4, 1][..], 3));
    assert_eq!(delay.links(0), [1, 3]);
    assert_eq!((hops.delay(&square, 0), delay.delay(&square, 0)), (10, 2));
}

#[test]
fn links_without_delay_make_no_circles() {
    let still = network(3, &[(0, 1, 0), (1, 0, 0), (1, 2, 0), (0, 2, 0)]);
    let routes = Routes::find(&still, &[(0, 2), (1, 2)], Metric::Delay).unwrap();
    assert_eq!((routes.links(0), routes.links(1)), (&[3][..], &[2][..]));
}

#[test]
fn pairs_without_a_path_are_told() {
    let one_way = network(3, &[(0, 1, 1), (1, 2, 1)]);
    let error = Routes::find(&one_way, &[(0, 2), (2, 0), (1, 0)], Metric::Hops).unwrap_err();
    assert_eq!(error, RouteError::Unconnected { from: "2".to_owned(), to: "0".to_owned(), pairs: 2 });
    let error = Routes::find(&one_way, &[(0, 3)], Metric::Hops).unwrap_err();
    assert_eq!(error, RouteError::NoSuchNode { from: 0, to: 3, nodes: 3 });
}

#[test]
fn the_flows_of_the_validation_network_go_as_reconstructed() {
    let network = validation::network().unwrap();
    let flows = validation::flows(0).unwrap();
    let pairs: Vec<_> = flows.all().iter().map(|flow| (flow.from, flow.to)).collect();
    let routes = Routes::find(&network, &pairs, Metric::Hops).unwrap();
    let nodes = |route| {
        let links = routes.links(route).iter().map(|&link| network.link(link).unwrap());
        links.map(|link| network.label(link.to)).collect::<Vec<_>>().join("-")
    };
    assert_eq!([0, 1, 2, 3].map(nodes), ["2-4-3", "7-9-10", "2-4-7-9-11", "4-7-8"]);
}

#[test]
fn routes_of_a_campus_network_join_their_ends_by_as_few_links_as_there_are() {
    let network = Campus::new(4).network().unwrap();
    let mut rng = StreamKey::new(1, 0).start().generator();
    let mut node = || below(&mut rng, network.nodes() as u64) as u32;
    let pairs: Vec<_> = (0..300).map(|_| (node(), node())).collect();
    let routes = Routes::find(&network, &pairs, Metric::Hops).unwrap();
    for (number, &(from, to)) in pairs.iter().enumerate() {
        let mut at = from;
        for &link in routes.links(number as u32) {
            let link = network.link(link).unwrap();
            assert_eq!(link.from, at);
            at = link.to;
        }
        assert_eq!(at, to);
    }
    // This search from the source uses neither trees nor anchors.
    for (number, &(from, to)) in pairs.iter().enumerate().take(40) {
        let mut hops = vec![usize::MAX; network.nodes()];
        hops[from as usize] = 0;
        let mut front = vec![from];
        while !front.is_empty() {
            let mut next = vec![];
            for node in front {
                for &link in network.out_links(node) {
                    let to = network.link(link).unwrap().to;
                    if hops[to as usize] == usize::MAX {
                        hops[to as usize] = hops[node as usize] + 1;
                        next.push(to);
                    }
                }
            }
            front = next;
        }
        assert_eq!(routes.links(number as u32).len(), hops[to as usize]);
    }
}

proptest! {
    #[test]
    fn every_route_is_the_one_that_the_rule_asks_for(
        nodes in 2..12_u32,
        ends in prop::collection::vec((any::<u32>(), any::<u32>(), 0..4_u64, any::<bool>()), 1..30),
        metric in prop::sample::select(vec![Metric::Hops, Metric::Delay]),
    ) {
        let mut links = vec![];
        for (from, to, delay, both) in ends {
            let (from, to) = (from % nodes, to % nodes);
            if from != to {
                links.push((from, to, delay));
                if both {
                    links.push((to, from, delay));
                }
            }
        }
        let network = network(nodes, &links);
        let table = all_pairs(&network, metric);
        let pairs: Vec<_> = (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to))).collect();
        let (joined, apart): (Vec<_>, Vec<_>) =
            pairs.into_iter().partition(|&(from, to)| table[from as usize][to as usize].is_some());
        let routes = Routes::find(&network, &joined, metric).unwrap();
        for (number, &(from, to)) in joined.iter().enumerate() {
            let expected = expected(&network, &table, metric, from, to).unwrap();
            prop_assert_eq!(routes.links(number as u32), &expected[..], "from {} to {}", from, to);
        }
        if !apart.is_empty() {
            let error = Routes::find(&network, &apart, metric).unwrap_err();
            let RouteError::Unconnected { pairs, .. } = error else { panic!("{error}") };
            prop_assert_eq!(pairs, apart.len() as u64);
        }
    }

    #[test]
    fn routes_around_links_that_are_down_are_those_of_a_network_without_them(
        nodes in 2..10_u32,
        ends in prop::collection::vec((any::<u32>(), any::<u32>(), 0..4_u64, any::<bool>()), 1..30),
        metric in prop::sample::select(vec![Metric::Hops, Metric::Delay]),
        seed in any::<u64>(),
    ) {
        let ends = ends.into_iter().map(|(from, to, delay, down)| (from % nodes, to % nodes, delay, down));
        let ends: Vec<_> = ends.filter(|(from, to, ..)| from != to).collect();
        let links: Vec<_> = ends.iter().map(|&(from, to, delay, _)| (from, to, delay)).collect();
        let down: Vec<bool> = ends.iter().map(|end| end.3).collect();
        let up: Vec<u32> = (0..).zip(&down).filter(|(_, down)| !**down).map(|(link, _)| link).collect();
        let left: Vec<_> = up.iter().map(|&link| links[link as usize]).collect();
        let (whole, left) = (network(nodes, &links), network(nodes, &left));
        let pairs: Vec<_> = (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to))).collect();
        let hashes: Vec<u64> = (0..pairs.len() as u64).map(|pair| split_mix(seed, pair)).collect();
        for hashes in [None, Some(&hashes[..])] {
            let around = Routes::find_where_joined(&whole, &pairs, Search { metric, down: &down, hashes }).unwrap();
            let expected = Routes::find_where_joined(&left, &pairs, Search { metric, down: &[], hashes }).unwrap();
            for number in 0..pairs.len() as u32 {
                let renumbered: Vec<u32> = expected.links(number).iter().map(|&link| up[link as usize]).collect();
                prop_assert_eq!(around.links(number), &renumbered[..]);
            }
        }
        // A path by a hash is as short as that of the smallest links.
        let table = all_pairs(&left, metric);
        let hashed = Search { metric, down: &[], hashes: Some(&hashes) };
        let routes = Routes::find_where_joined(&left, &pairs, hashed).unwrap();
        for (number, &(from, to)) in (0..).zip(&pairs) {
            let (mut node, mut length) = (from, (0, 0));
            for &link in routes.links(number) {
                let link = left.link(link).unwrap();
                prop_assert_eq!(link.from, node);
                node = link.to;
                length = (length.0 + if metric == Metric::Hops { 1 } else { link.delay }, length.1 + 1);
            }
            match table[from as usize][to as usize] {
                Some(shortest) => prop_assert_eq!((node, length), (to, shortest)),
                None => prop_assert_eq!(routes.links(number).len(), 0),
            }
        }
    }
}

#[test]
fn hashes_spread_pairs_evenly_over_equal_paths() {
    // Two squares in a row: four paths of four links from 0 to 6.
    let ends = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 6), (5, 6)];
    let squares = network(7, &ends.map(|(from, to)| (from, to, 1)));
    let (pairs, hashes) = (vec![(0, 6); 4000], (0..4000).map(|pair| split_mix(1, pair)).collect::<Vec<_>>());
    let search = Search { hashes: Some(&hashes), ..Search::default() };
    let routes = Routes::find_where_joined(&squares, &pairs, search).unwrap();
    let mut counts = std::collections::BTreeMap::new();
    (0..4000).for_each(|pair| *counts.entry(routes.links(pair).to_vec()).or_insert(0_u32) += 1);
    assert_eq!(counts.len(), 4);
    // Pearson's statistic with three degrees of freedom is below 16.3 in 999 of 1000 cases.
    let statistic: f64 = counts.values().map(|&count| (f64::from(count) - 1000.0).powi(2) / 1000.0).sum();
    assert!(statistic < 16.3, "{counts:?}");
}
