//! Delivery on graphs that do not change: a theorem as an oracle.
//!
//! On a connected unit-disk graph, GPSR with the Gabriel graph and the rule of face changes delivers every packet. The
//! same holds with the relative neighbourhood graph.

use crate::kernels::geometry::Position;
use crate::kernels::gpsr::{self, NO_NEIGHBOUR, Neighbour, Packet, Table, UNREACHABLE};
use crate::kernels::node::DATA;
use crate::network::Planar;
use imminent_common::streams::StreamKey;
use imminent_core::Row as _;

/// Connected unit-disk graph with a sender and a destination.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Positions of the nodes, which differ.
    pub places: Vec<Position>,
    /// Nodes in range of each node.
    pub neighbours: Vec<Vec<u32>>,
    /// Node that sends a packet.
    pub from: u32,
    /// Destination of the packet.
    pub to: u32,
}

/// Range of the nodes in mm.
const RANGE: i64 = 1000;

impl Instance {
    /// Draws an instance: the component of node 0 among 8 to 71 nodes that are uniformly distributed over a square,
    /// with 4 to 12 nodes on average in the range of a node. At such densities many components have holes, which greedy
    /// routing does not pass.
    #[must_use]
    pub fn random(seed: u64, index: u64) -> Self {
        let mut rng = StreamKey::new(seed, index).start().generator();
        let mut draw = |bound: u64| imminent_common::streams::below(&mut rng, bound);
        let nodes = 8 + draw(64);
        let tenths = 40 + draw(81);
        let area = nodes as f64 * std::f64::consts::PI * (RANGE * RANGE) as f64 * 10.0 / tenths as f64;
        let side = area.sqrt() as u64;
        let mut places: Vec<Position> = vec![];
        while places.len() < nodes as usize {
            let place = Position { x: draw(side) as i32, y: draw(side) as i32 };
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let (places, neighbours) = component(places);
        let other = draw((places.len() as u64 - 1).max(1)) as u32;
        let to = if places.len() > 1 { other + 1 } else { 0 };
        Instance { places, neighbours, from: 0, to }
    }

    /// Follows the packet by the routing of the engine. Returns the nodes that it visits; the last one is the
    /// destination unless the packet was lost.
    #[must_use]
    pub fn follow(&self, planar: Planar, most_hops: usize) -> Vec<u32> {
        let goal = self.places[self.to as usize];
        let mut packet = Packet::new(DATA, 0, 0, 0, self.from, self.to, goal);
        let mut visited = vec![self.from];
        let mut node = self.from;
        while node != self.to && visited.len() <= most_hops {
            let (place, near) = (self.places[node as usize], &self.neighbours[node as usize]);
            let mut table = Table::zeroed(near.len() as u32);
            table.count = near.len() as u32;
            for (lane, &other) in (0..).zip(near) {
                table.neighbours.set(lane, Neighbour { node: other, place: self.places[other as usize] });
            }
            let next = gpsr::route(&mut packet, node, place, &table, planar == Planar::RelativeNeighbourhood);
            if next == NO_NEIGHBOUR || next == UNREACHABLE {
                break;
            }
            packet.previous = node;
            packet.from = place;
            node = next;
            visited.push(node);
        }
        visited
    }
}

/// Returns the component of the first position: positions and neighbours.
fn component(places: Vec<Position>) -> (Vec<Position>, Vec<Vec<u32>>) {
    let are_near = |a: Position, b: Position| {
        let (dx, dy) = (i64::from(a.x - b.x), i64::from(a.y - b.y));
        dx * dx + dy * dy <= RANGE * RANGE
    };
    let mut left = places;
    let mut found = vec![left.remove(0)];
    let mut next = 0;
    while let Some(&here) = found.get(next) {
        let near = |place: &mut Position| are_near(here, *place);
        found.extend(left.extract_if(.., near));
        next += 1;
    }
    let near = |at: usize| (0..found.len()).filter(move |&other| other != at);
    let neighbours = (0..found.len())
        .map(|at| near(at).filter(|&other| are_near(found[at], found[other])).map(|other| other as u32).collect());
    let neighbours = neighbours.collect();
    (found, neighbours)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequential;

    #[test]
    fn every_packet_is_delivered() {
        let mut detours = 0;
        for index in 0..3000 {
            let instance = Instance::random(1, index);
            for planar in [Planar::Gabriel, Planar::RelativeNeighbourhood] {
                let visited = instance.follow(planar, 2000);
                assert_eq!(visited.last(), Some(&instance.to), "{index} {planar:?}: {instance:?}");
                let Instance { places, neighbours, from, to } = &instance;
                assert_eq!(visited, sequential::path(places, neighbours, (*from, *to), planar, 2000), "{index}");
                detours += usize::from(visited.len() > places.len());
            }
        }
        assert!(detours > 10, "the instances have too few holes: {detours}");
    }
}
