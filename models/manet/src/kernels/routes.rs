//! Greedy perimeter stateless routing.

/// Choice of the next node of a packet (Karp and Kung 2000).
#[imminent_core::kernels]
pub mod gpsr {
    use crate::kernels::geometry::{
        AFTER_ALL, Direction, Fraction, Position, between, cross, crossing, is_greater, is_in_disk, is_in_lune,
        squared_distance, turn,
    };

    /// Outcome of [`route`]: no neighbour can take the packet.
    pub const NO_NEIGHBOUR: u32 = u32::MAX;
    /// Outcome of [`route`]: the packet has gone around a face without finding its destination.
    pub const UNREACHABLE: u32 = u32::MAX - 1;

    /// Largest number of nodes of a simulation.
    pub const MAX_NODES: u32 = 1 << 30;

    /// Packet with the fields of its routing.
    pub struct Packet {
        /// Time of creation, in µs; that of the request for a response.
        pub created: u64,
        /// Time of arrival in the current queue, in µs.
        pub arrived: u64,
        /// Place of the last face change along the line from [`entry`](Self::entry) to [`goal`](Self::goal): `L_f`.
        pub face: Fraction,
        /// Node that created the packet.
        pub origin: u32,
        /// Destination node.
        pub destination: u32,
        /// Kind of traffic.
        pub kind: u32,
        /// Number of the flow in its simulation.
        pub flow: u32,
        /// Number of hops: transmissions without those that failed.
        pub hops: u32,
        /// Position of the destination when the packet was created.
        pub goal: Position,
        /// Node that transmitted the packet last; [`NO_NEIGHBOUR`] before the first transmission.
        pub previous: u32,
        /// Position of that node when it did.
        pub from: Position,
        /// `true` in perimeter mode.
        pub is_on_perimeter: bool,
        /// Position where perimeter mode began: `L_p`.
        pub entry: Position,
        /// First edge of the current face, `e_0`: its first node.
        pub first_from: u32,
        /// Second node of that edge.
        pub first_to: u32,
    }

    impl Packet {
        /// Returns a packet that has not been transmitted yet. Times are in µs.
        pub fn new(
            kind: u32,
            flow: u32,
            created: u64,
            arrived: u64,
            origin: u32,
            destination: u32,
            goal: Position,
        ) -> Packet {
            Packet {
                created,
                arrived,
                face: Fraction { above: 0, below: 1 },
                origin,
                destination,
                kind,
                flow,
                hops: 0,
                goal,
                previous: NO_NEIGHBOUR,
                from: goal,
                is_on_perimeter: false,
                entry: goal,
                first_from: 0,
                first_to: 0,
            }
        }
    }

    /// Known position of a neighbour.
    pub struct Neighbour {
        /// Number of the node.
        pub node: u32,
        /// Position in its last beacon.
        pub place: Position,
    }

    /// Neighbour table of a node.
    #[derive(Row)]
    #[row(packed)]
    pub struct Table {
        /// Number of neighbours.
        pub count: u32,
        /// Neighbours, in any order.
        pub neighbours: Lanes<Neighbour>,
    }

    /// Returns `true` if the planar graph keeps the edge to a neighbour: the Gabriel graph, or the relative
    /// neighbourhood graph.
    fn is_planar(table: &Table, at: Position, to: Neighbour, is_relative: bool) -> bool {
        for i in 0..table.count {
            let other = table.neighbours.get(i);
            if other.node != to.node {
                if is_relative {
                    if is_in_lune(other.place, at, to.place) {
                        return false;
                    }
                } else if is_in_disk(other.place, at, to.place) {
                    return false;
                }
            }
        }
        true
    }

    /// Returns `true` if a node comes before another in the same direction: the lower number, and `last` after all.
    fn precedes(node: u32, other: u32, last: u32) -> bool {
        other == last || (node < other && node != last)
    }

    /// Returns the place in the table of the planar edge that comes first when one turns counter-clockwise from a
    /// direction; the size of the table if there is none. Neighbours at the node's own position have no direction. Of
    /// nodes in the same direction, `last` comes last.
    fn next_edge(table: &Table, at: Position, reference: Direction, last: u32, is_relative: bool) -> u32 {
        let mut best = table.count;
        let mut to = reference;
        let mut turned = AFTER_ALL;
        let mut node = u32::MAX;
        for i in 0..table.count {
            let other = table.neighbours.get(i);
            let edge = between(at, other.place);
            if edge.x != 0 || edge.y != 0 {
                let turn = turn(reference, edge);
                let side = cross(edge, to);
                let comes_first = turn < turned || (turn == turned && side > 0);
                let is_level = turn == turned && side == 0;
                if (comes_first || (is_level && precedes(other.node, node, last)))
                    && is_planar(table, at, other, is_relative)
                {
                    best = i;
                    to = edge;
                    turned = turn;
                    node = other.node;
                }
            }
        }
        best
    }

    /// Returns the neighbour that is nearest to the goal and nearer than the node; its place in the table, or the size
    /// of the table if there is none. Of equally near ones the lower number wins.
    fn nearest(table: &Table, at: Position, goal: Position) -> u32 {
        let mut best = table.count;
        let mut least = squared_distance(at, goal);
        let mut node = 0;
        for i in 0..table.count {
            let other = table.neighbours.get(i);
            let distance = squared_distance(other.place, goal);
            if distance < least || (best != table.count && distance == least && other.node < node) {
                best = i;
                least = distance;
                node = other.node;
            }
        }
        best
    }

    /// Returns a direction that is not zero.
    fn reference(from: Position, to: Position) -> Direction {
        let mut direction = between(from, to);
        if direction.x == 0 && direction.y == 0 {
            direction = Direction { x: 1, y: 0 };
        }
        direction
    }

    /// Chooses the next edge along the face, counter-clockwise from the edge to the node `before`. Changes the face
    /// where the edge crosses the line to the goal beyond the last change.
    fn follow(
        packet: &mut Packet,
        own: u32,
        at: Position,
        table: &Table,
        before: Neighbour,
        enters: bool,
        is_relative: bool,
    ) -> u32 {
        let mut reference = reference(at, before.place);
        let mut last = before.node;
        let mut changes = enters;
        let mut edge = table.count;
        let mut looks = true;
        while looks {
            edge = next_edge(table, at, reference, last, is_relative);
            if edge == table.count {
                return NO_NEIGHBOUR;
            }
            let to = table.neighbours.get(edge);
            let cross = crossing(at, to.place, packet.entry, packet.goal);
            looks = cross.exists && is_greater(cross.along, packet.face);
            if looks {
                packet.face = cross.along;
                changes = true;
                reference = between(at, to.place);
                last = to.node;
            }
        }
        let node = table.neighbours.get(edge).node;
        if changes {
            packet.first_from = own;
            packet.first_to = node;
        } else if packet.first_from == own && packet.first_to == node {
            return UNREACHABLE;
        }
        node
    }

    /// Returns the node that a packet goes to from node `own` at position `at`, or [`NO_NEIGHBOUR`] or [`UNREACHABLE`].
    /// Updates the packet's mode.
    ///
    /// The right-hand rule turns from the edge to the previous node as the table has it. Turning from where that node
    /// was when it sent would lead back to a node that has moved clockwise since its last beacon.
    pub fn route(packet: &mut Packet, own: u32, at: Position, table: &Table, is_relative: bool) -> u32 {
        let mut before = Neighbour { node: packet.previous, place: packet.from };
        for i in 0..table.count {
            let other = table.neighbours.get(i);
            if other.node == packet.destination {
                return packet.destination;
            }
            if other.node == packet.previous {
                before = other;
            }
        }
        let goal = packet.goal;
        if packet.is_on_perimeter && squared_distance(at, goal) < squared_distance(packet.entry, goal) {
            packet.is_on_perimeter = false;
        }
        let enters = !packet.is_on_perimeter;
        if enters {
            let best = nearest(table, at, goal);
            if best != table.count {
                return table.neighbours.get(best).node;
            }
            packet.is_on_perimeter = true;
            packet.entry = at;
            packet.face = Fraction { above: 0, below: 1 };
            before = Neighbour { node: NO_NEIGHBOUR, place: goal };
        }
        follow(packet, own, at, table, before, enters, is_relative)
    }
}
