//! Statistics that stay where a network was simulated are those of the oracle, whatever is asked of them.

#![allow(clippy::unwrap_used)]

use super::events;
use super::exact::exact_until_its_end;
use crate::calendar;
use crate::outcome::{NodeStatistics, Outcome};
use crate::{Ended, Network, Node, Scenario, Start, Statistics as _};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use std::cmp::Reverse;
use std::ops::ControlFlow;

/// Number of busiest nodes that are asked for.
const MOST: usize = 40;

fn device() -> Device {
    CpuBackend::open(&Options { threads: Some(2), ..Options::default() }).and_then(Device::open).unwrap()
}

/// Returns the numbers of the busiest nodes, by sorting all of them.
fn sorted(nodes: &[NodeStatistics]) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..nodes.len() as u32).collect();
    numbers.sort_by_key(|node| (Reverse(nodes[*node as usize].busy), *node));
    numbers.truncate(MOST);
    numbers
}

/// Checks what an engine left behind, in the order in which a run asks for it.
fn check(ended: &Ended, oracle: &Outcome) {
    assert_eq!((ended.digest, ended.events), (oracle.digest(), oracle.events()));
    assert_eq!(ended.nodes.totals(), Some(oracle.totals()));
    let found = ended.nodes.busiest(MOST).unwrap().unwrap();
    assert!(ended.nodes.on_host().is_none(), "the busiest nodes were found by reading all");
    for node in sorted(&oracle.statistics) {
        let of_node = oracle.statistics[node as usize];
        assert!(found.contains(&(node, of_node)), "node {node}: {of_node:?}");
    }
    assert!(found.iter().all(|(node, of_node)| oracle.statistics[*node as usize] == *of_node));
    assert_eq!(ended.nodes.read().unwrap().to_rows(), oracle.statistics);
    assert!(ended.nodes.on_host().is_some() && ended.nodes.busiest(MOST).unwrap().is_none());
}

/// Checks both schedules.
fn check_both(network: &Network, units: u64) {
    let (scenario, device) = (Scenario::new(network, Start::One, units << 20, 5, 0).unwrap(), device());
    let oracle = calendar::simulate(&scenario);
    check(&exact_until_its_end(&device, &scenario, &mut |_| ControlFlow::Continue(())).unwrap().ended, &oracle);
    for threads in [1, 2] {
        let (mut servers, mut go_on) = (vec![], |_| ControlFlow::Continue(()));
        let timed = events::simulate_until_its_end(&scenario, &mut servers, threads, &mut go_on).unwrap();
        check(&timed.ended, &oracle);
    }
}

#[test]
fn the_busiest_of_a_torus_are_found_where_they_are() {
    check_both(&Network::torus(320, 210, 10 << 20, 1).unwrap(), 30);
}

/// Every station is busy all the time, so the lowest numbers are the busiest.
#[test]
fn of_equally_busy_nodes_the_first_are_found() {
    check_both(&Network::torus(256, 257, 10 << 20, 9).unwrap(), 1);
}

#[test]
fn the_rows_of_a_network_without_a_grid_know_their_nodes() {
    let nodes: u32 = 66_000;
    let node = |number| Node { label: None, mean_service: (1 + number % 7) << 20, tokens: number % 3 };
    let edges: Vec<(u32, u32)> =
        (0..nodes).flat_map(|from| [(from, (from * 7 + 1) % nodes), (from, (from + 5) % nodes)]).collect();
    check_both(&Network::from_edges((0..nodes).map(node).collect(), &edges).unwrap(), 12);
}

#[test]
fn nothing_is_busy_before_a_horizon_of_zero() {
    check_both(&Network::torus(257, 256, 10 << 20, 1).unwrap(), 0);
}
