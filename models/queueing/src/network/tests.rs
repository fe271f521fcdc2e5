#![allow(clippy::unwrap_used)]

use super::*;

fn means(network: &Network) -> Vec<u32> {
    (0..network.len() as u32).map(|node| network.mean_service(node)).collect()
}

fn nodes(count: usize) -> Vec<Node> {
    vec![Node { label: None, mean_service: 10, tokens: 1 }; count]
}

#[test]
fn a_torus_leads_left_right_up_and_down() {
    let torus = Network::torus(4, 3, 5, 2).unwrap();
    assert_eq!(torus.len(), 12);
    assert_eq!(torus.edges(), 48);
    assert_eq!(torus.simple().unwrap().out_edges(0), [3, 1, 8, 4]);
    assert_eq!(torus.simple().unwrap().out_edges(6), [5, 7, 2, 10]);
    assert_eq!(torus.in_neighbours(0), [1, 3, 4, 8]);
    assert_eq!(torus.total_tokens(), 24);
    assert_eq!(means(&torus), [5; 12]);
}

#[test]
fn short_sides_keep_four_edges() {
    let one = Network::torus(1, 1, 5, 1).unwrap();
    assert_eq!(one.simple().unwrap().out_edges(0), [0; 4]);
    assert_eq!(one.in_neighbours(0), [0]);
    let two = Network::torus(2, 2, 5, 1).unwrap();
    assert_eq!(two.simple().unwrap().out_edges(0), [1, 1, 2, 2]);
    assert_eq!(two.in_neighbours(0), [1, 2]);
    let line = Network::torus(3, 1, 5, 1).unwrap();
    assert_eq!(line.simple().unwrap().out_edges(1), [0, 2, 1, 1]);
    for torus in [one, two, line] {
        assert!(torus.is_balanced());
        assert_eq!(torus.max_out_edges(), 4);
    }
}

#[test]
fn sizes_that_cannot_be_are_errors() {
    assert_eq!(Network::torus(0, 5, 1, 1), Err(NetworkError::EmptyTorus { width: 0, height: 5 }));
    assert!(matches!(Network::torus(u32::MAX, u32::MAX, 1, 1), Err(NetworkError::TooManyNodes { .. })));
    assert!(matches!(Network::torus(1 << 13, (1 << 13) + 1, 1, 1), Err(NetworkError::TooManyNodes { .. })));
    assert!(matches!(Network::torus(2, 2, 1, u32::MAX), Err(NetworkError::TooManyTokens { .. })));
    assert!(matches!(Network::torus(2, 2, 0, 1), Err(NetworkError::NoService { .. })));
    assert_eq!(Network::from_edges(vec![], &[]), Err(NetworkError::NoNodes));
}

#[test]
fn edges_keep_their_order_and_their_copies() {
    let network = Network::from_edges(nodes(3), &[(0, 2), (1, 0), (0, 1), (0, 2), (2, 2)]).unwrap();
    assert_eq!(network.simple().unwrap().out_edges(0), [2, 1, 2]);
    assert_eq!(network.in_neighbours(2), [0, 2]);
    assert_eq!(network.in_neighbours(0), [1]);
    assert_eq!(network.simple().unwrap().out_edges(9), [0_u32; 0]);
    assert_eq!((network.max_out_edges(), network.max_in_neighbours()), (3, 2));
}

#[test]
fn a_dead_end_is_named() {
    let mut list = nodes(2);
    list[1].label = Some("Geneva".to_owned());
    let error = Network::from_edges(list, &[(0, 1)]).unwrap_err();
    assert_eq!(error, NetworkError::DeadEnd { label: "Geneva".to_owned() });
    assert!(error.to_string().contains("node 'Geneva' has no route onward"));
    let error = Network::from_edges(nodes(2), &[(0, 1)]).unwrap_err();
    assert_eq!(error, NetworkError::DeadEnd { label: "1".to_owned() });
}

#[test]
fn an_edge_to_nowhere_is_named() {
    let error = Network::from_edges(nodes(2), &[(0, 1), (1, 2)]).unwrap_err();
    assert_eq!(error, NetworkError::UnknownNode { edge: 1, node: 2, nodes: 2 });
    assert!(error.to_string().contains("only nodes 0 to 1"));
}

#[test]
fn balance_is_a_matter_of_routing_and_of_speed() {
    // A path of three nodes: the middle is visited twice as often as the ends ...
    let path = [(0, 1), (1, 0), (1, 2), (2, 1)];
    assert!(!Network::from_edges(nodes(3), &path).unwrap().is_balanced());
    // ... and is as busy as they are when it serves twice as fast.
    let mut list = nodes(3);
    list[1].mean_service = 5;
    assert!(Network::from_edges(list, &path).unwrap().is_balanced());
    let mut ring = nodes(3);
    let edges = [(0, 1), (1, 2), (2, 0)];
    assert!(Network::from_edges(ring.clone(), &edges).unwrap().is_balanced());
    ring[0].mean_service = 11;
    assert!(!Network::from_edges(ring, &edges).unwrap().is_balanced());
}

mod general;
mod generated;
