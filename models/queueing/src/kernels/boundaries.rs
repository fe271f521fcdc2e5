//! Initial state of the stations of simple networks, and extraction of the tokens left in their lines.

/// Kernels for the beginning and the end of a run of a simple network. They initialize stations from their nodes' data,
/// and collect the tokens of all lines in one list.
#[imminent_core::kernels]
pub mod boundary {
    use crate::kernels::station::Station;
    use imminent_core::random::{Pcg32, scaled_ticks};

    /// The increment of SplitMix64.
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Data of the node in a row.
    #[derive(Row)]
    pub struct Site {
        /// Number of the node, which selects its random stream.
        pub node: u32,
        /// Number of tokens in the node's line at time 0.
        pub tokens: u32,
        /// Mean service time, in ticks.
        pub mean: u32,
        /// Index of the first in-neighbour in the table of sources.
        pub first_source: u32,
        /// Number of in-neighbours.
        pub sources: u32,
        /// Index of the first out-edge in the table of targets.
        pub first_target: u32,
        /// Number of out-edges.
        pub targets: u32,
    }

    /// The random streams of one replication.
    #[derive(Params)]
    pub struct Streams {
        /// Key from which the initial states are derived.
        pub key: u64,
    }

    /// First token of a line in the list of all waiting tokens.
    #[derive(Row)]
    pub struct First {
        /// Index of the token in the list.
        pub token: u32,
    }

    /// A token in a line.
    #[derive(Row)]
    pub struct Waiter {
        /// Arrival time, in ticks.
        pub arrival: u64,
    }

    /// Returns number `index` of the SplitMix64 sequence that starts at `seed`, as in
    /// [`streams`](imminent_common::streams).
    pub fn split_mix(seed: u64, index: u64) -> u64 {
        let mut z = seed + GOLDEN * (index + 1);
        z = (z ^ (z >> 30)) * 0xbf58_476d_1ce4_e5b9;
        z = (z ^ (z >> 27)) * 0x94d0_49bb_1331_11eb;
        z ^ (z >> 31)
    }

    /// Begins the random stream of a node, and draws its first service time.
    pub fn at_start(me: &mut Station, node: u32, mean: u32, key: u64) {
        me.rng = Pcg32::new(split_mix(key, node as u64), node as u64);
        me.next_service = scaled_ticks(me.rng.exponential_q27(), mean as u64);
        me.mean = mean;
    }

    /// Initializes a zeroed station to its state at time 0. Tokens of the start arrive at time 0, so a line of zeros is
    /// in order.
    #[kernel]
    pub fn set_up(me: &mut Station, site: &Site, streams: &Streams) {
        at_start(me, site.node, site.mean, streams.key);
        me.waiting = site.tokens;
        me.first_source = site.first_source;
        me.sources = site.sources;
        me.first_target = site.first_target;
        me.targets = site.targets;
    }

    /// Finds the arrival time of a waiting token, in the order of the stations. `firsts` ascend; of rows with the same
    /// first token, all but the last have empty lines.
    #[kernel]
    pub fn list_waiting(me: &mut Waiter, stations: &Rows<Station>, firsts: &Rows<First>, id: u32) {
        let mut row = 0;
        let mut end = firsts.len();
        while end - row > 1 {
            let middle = row + (end - row) / 2;
            if firsts.get(middle).token <= id {
                row = middle;
            } else {
                end = middle;
            }
        }
        me.arrival = stations.get(row).line.get(id - firsts.get(row).token);
    }
}
