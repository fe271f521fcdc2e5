//! Initial state of the nodes of an ensemble.

/// Kernels that set up the rows of an ensemble at time 0.
///
/// The host describes each distinct network once, by its sites, and each replication of it by one row. All else that a
/// node has follows from its site, its tokens and the random streams of its replication.
#[imminent_core::kernels]
pub mod beginning {
    use crate::kernels::boundary::split_mix;
    use crate::kernels::general::facility::{Network, Node, least_ahead};
    use crate::kernels::general::line::{Line, Token};
    use crate::kernels::general::servers::ServerScalars;
    use crate::kernels::relaxation::{Far, NEAR, Reach, SIZE};
    use imminent_core::random::Pcg32;

    /// Selector of the stream by which node 0 chooses among waiting tokens, as in
    /// [`streams`](imminent_common::streams).
    const FIRST_CHOICE_STREAM: u64 = 0x2_0000_0000;

    /// A node of a network that an ensemble replicates.
    #[derive(Row)]
    #[row(packed)]
    pub struct Site {
        /// Number of servers; 0 for a source.
        pub servers: u32,
        /// Discipline of the line.
        pub discipline: u32,
        /// Largest number of tokens at the node.
        pub capacity: u32,
        /// Routing rule.
        pub routing: u32,
        /// Number of classes of the network.
        pub classes: u32,
        /// Class of the tokens that a source emits.
        pub emits: u32,
        /// Index of the first visit.
        pub first_visit: u32,
        /// Number of the node.
        pub number: u32,
        /// Places of in-neighbours in the group, as in [`Reach`], for a replication that begins in row 0.
        pub places: u32,
        /// Number of in-neighbours in the group.
        pub near: u32,
        /// Index of the first other in-neighbour among those of the network.
        pub first_far: u32,
        /// Number of other in-neighbours.
        pub far: u32,
    }

    /// Replication of a network in an ensemble. First rows ascend.
    #[derive(Row)]
    pub struct Replica {
        /// First row.
        pub first_row: u32,
        /// Number of nodes, each of which has a row.
        pub nodes: u32,
        /// Site of the node in the first row.
        pub first_site: u32,
        /// Index of its first far node in the table of all replications.
        pub first_far: u32,
        /// Index of the network's first far node in the table of all networks.
        pub first_far_of_network: u32,
        /// Place of the first node's tokens in the list of [`Crowd`]s: by node, and at a node by class.
        pub first_crowd: u32,
        /// Place of the first node's first class in the list of sums by class.
        pub first_count: u32,
        /// Key of the random streams.
        pub key: u64,
        /// Time from which arrivals are counted apart.
        pub counted_from: u64,
    }

    /// Tokens of a class at a node at time 0.
    #[derive(Row)]
    pub struct Crowd {
        /// Number of tokens.
        pub tokens: u32,
    }

    /// Description of an ensemble.
    #[derive(Bundle)]
    pub struct Ensemble {
        /// Nodes of every distinct network, in the order of rows.
        pub sites: &Rows<Site>,
        /// Replications, in the order of rows.
        pub replicas: &Rows<Replica>,
        /// Tokens at time 0.
        pub crowds: &Rows<Crowd>,
    }

    /// Returns the number of the replication to which a row belongs, or behind which it pads a group.
    fn replica_of_row(replicas: &Rows<Replica>, row: u32) -> u32 {
        let mut found = 0;
        let mut end = replicas.len();
        while end - found > 1 {
            let middle = found + (end - found) / 2;
            if replicas.get(middle).first_row <= row {
                found = middle;
            } else {
                end = middle;
            }
        }
        found
    }

    /// Returns the number of the replication that has a far node. Of replications with the same first one, all but the
    /// last have none.
    fn replica_of_far(replicas: &Rows<Replica>, far: u32) -> u32 {
        let mut found = 0;
        let mut end = replicas.len();
        while end - found > 1 {
            let middle = found + (end - found) / 2;
            if replicas.get(middle).first_far <= far {
                found = middle;
            } else {
                end = middle;
            }
        }
        found
    }

    /// Returns places in a group, each moved by `distance` rows.
    fn moved(reach: &Reach, distance: u32) -> u32 {
        let mut places = 0;
        for k in 0..NEAR {
            places |= ((reach.place(k) + distance) % SIZE) << (8 * k);
        }
        places
    }

    /// Sets up a zeroed row without a node: nothing ever comes or starts there.
    fn leave_idle(node: &mut Node, reach: &mut Reach, row: u32) {
        reach.places = 0;
        reach.places = moved(reach, row % SIZE);
        node.lookahead.ahead = u64::MAX;
        node.line.next = u64::MAX;
        node.departures.next = u64::MAX;
    }

    /// Puts the tokens of the start, from `first` on in the list, into the line of a node. They are expected at time 0,
    /// class after class. A source has one token that always waits.
    fn fill_line(line: &mut Line, first: u32, classes: u32, source: bool, crowds: &Rows<Crowd>) {
        // With equal times, tokens in the order of their numbers form a heap.
        let mut expected = 0;
        for class in 0..classes {
            let tokens = crowds.get(first + class).tokens;
            for _ in 0..tokens {
                line.inbox.set(expected, Token { time: 0, number: expected as u64, from: 0, class });
                expected += 1;
            }
        }
        line.expected = expected;
        line.next = if expected > 0 { 0 } else { u64::MAX };
        line.waiting = if source { 1 } else { 0 };
    }

    /// Draws the shortest durations of the first services of idle servers.
    fn look_ahead(node: &mut Node, net: &Network) {
        let mut desk = ServerScalars { busy: 0, turn: 0, scout: node.me.rng.state, first_end: u64::MAX };
        let mut ahead = u64::MAX;
        for place in 0..node.me.servers.max(1) {
            let least = least_ahead(node.me.first_visit, node.me.classes, &mut desk, node.me.rng.increment, net);
            node.servers.coming.set(place, least);
            ahead = ahead.min(least);
        }
        node.servers.keep(desk);
        node.lookahead.ahead = ahead;
    }

    /// Sets up a zeroed row at time 0.
    #[kernel]
    pub fn set_up(node: &mut Node, reach: &mut Reach, ensemble: &Ensemble, net: &Network, id: u32) {
        let number = replica_of_row(ensemble.replicas, id);
        let replica = ensemble.replicas.get(number);
        let place = id - replica.first_row;
        if place >= replica.nodes {
            leave_idle(node, reach, id);
            return;
        }
        let site = ensemble.sites.get(replica.first_site + place);
        reach.places = site.places;
        reach.places = moved(reach, replica.first_row % SIZE);
        reach.near = site.near;
        reach.first_far = replica.first_far + site.first_far;
        reach.far = site.far;
        let stream = site.number as u64;
        node.me.servers = site.servers;
        node.me.discipline = site.discipline;
        node.me.capacity = site.capacity;
        node.me.routing = site.routing;
        node.me.classes = site.classes;
        node.me.emits = site.emits;
        node.me.first_visit = site.first_visit;
        node.me.first_count = replica.first_count + place * site.classes;
        node.me.first_row = replica.first_row;
        node.me.number = site.number;
        node.me.network = number;
        node.me.counted_from = replica.counted_from;
        node.me.rng = Pcg32::new(split_mix(replica.key, stream), stream);
        let choice = FIRST_CHOICE_STREAM + stream;
        node.me.choice = Pcg32::new(split_mix(replica.key, choice), choice);
        node.departures.next = u64::MAX;
        let first = replica.first_crowd + site.number * site.classes;
        fill_line(node.line, first, site.classes, site.servers == 0, ensemble.crowds);
        look_ahead(node, net);
    }

    /// Finds the row of a far node, from its place in the network.
    #[kernel]
    pub fn place_far(me: &mut Far, of_networks: &Rows<Far>, replicas: &Rows<Replica>, id: u32) {
        let replica = replicas.get(replica_of_far(replicas, id));
        me.node = replica.first_row + of_networks.get(replica.first_far_of_network + (id - replica.first_far)).node;
    }
}
