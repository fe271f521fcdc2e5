//! End of a run of a simple network: statistics of the nodes, their sums, and the digest.

/// Nodes and tokens at the end of a run, as parts of the digest of an [`Outcome`](crate::Outcome).
///
/// A part is added to those of all other nodes and tokens, so the digest does not depend on their order, nor on where
/// they are added up.
#[imminent_core::kernels]
pub mod ending {
    use crate::kernels::station::{Run, Station};

    /// The increment of SplitMix64.
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Beginning of the first mixture.
    const FIRST: u64 = 0x243f_6a88_85a3_08d3;

    /// Beginning of the second mixture.
    const SECOND: u64 = 0x1319_8a2e_0370_7344;

    /// Beginning of both mixtures of a token, in place of a node.
    const TOKEN: u64 = 0xa409_3822_299f_31d0;

    /// Part of a digest: two mixtures of the same words. Parts are added modulo 2^64.
    pub struct Print {
        /// First mixture.
        pub first: u64,
        /// Second mixture, from another beginning.
        pub second: u64,
    }

    /// Sums over all stations: the digest, and numbers of tokens.
    pub struct Conclusion {
        /// Sum of the first mixtures.
        pub first: u64,
        /// Sum of the second mixtures.
        pub second: u64,
        /// Number of services started.
        pub served: u64,
        /// Number of tokens that arrived before the horizon.
        pub arrivals: u64,
    }

    /// Sums over all stations and their completed services; times are ticks.
    pub struct Completions {
        /// Number of services that ended by the horizon.
        pub completed: u64,
        /// Time spent serving before the horizon.
        pub busy: u64,
        /// Sum of departure minus arrival over the completed services.
        pub sojourn: u64,
        /// Sum of start minus arrival over the completed services.
        pub waiting: u64,
    }

    /// Sums over all stations, their tokens and their started services, in ticks.
    pub struct Presence {
        /// Time that tokens spent at the stations before the horizon.
        pub present: u64,
        /// Sum of start minus arrival over the services started.
        pub started_waiting: u64,
        /// Sum of departure minus arrival over the services started.
        pub started_sojourn: u64,
    }

    /// Statistics of a node at the horizon, with those of its line; times are ticks.
    #[derive(Row)]
    pub struct NodeEnd {
        /// Number of the node.
        pub node: u32,
        /// Number of services started.
        pub served: u64,
        /// Number of tokens that arrived before the horizon.
        pub arrivals: u64,
        /// Number of services that ended by the horizon.
        pub completed: u64,
        /// Time spent serving before the horizon.
        pub busy: u64,
        /// Sum of departure minus arrival over the completed services.
        pub sojourn: u64,
        /// Sum of start minus arrival over the completed services.
        pub waiting: u64,
        /// Time that tokens spent at the node before the horizon.
        pub present: u64,
        /// Sum of start minus arrival over the services started.
        pub started_waiting: u64,
        /// Sum of departure minus arrival over the services started.
        pub started_sojourn: u64,
    }

    /// Statistics of a station at the horizon, without those of its line; times are ticks.
    pub struct Served {
        /// Number of services that ended by the horizon.
        pub completed: u64,
        /// Time spent serving before the horizon.
        pub busy: u64,
        /// Sum of departure minus arrival over the completed services.
        pub sojourn: u64,
        /// Sum of start minus arrival over the completed services.
        pub waiting: u64,
        /// Time that the tokens that were served spent at the station before the horizon.
        pub present: u64,
    }

    /// Service that ends after the horizon, and the end of the last service.
    pub struct Late {
        /// Arrival of its token.
        pub arrival: u64,
        /// Start of the service.
        pub start: u64,
        /// End of the station's last service; it is this one if it lies beyond the horizon.
        pub free_at: u64,
    }

    /// Mixes a word into a state by SplitMix64's function. The order of words matters.
    fn stirred(state: u64, word: u64) -> u64 {
        let mut z = (state ^ word) + GOLDEN;
        z = (z ^ (z >> 30)) * 0xbf58_476d_1ce4_e5b9;
        z = (z ^ (z >> 27)) * 0x94d0_49bb_1331_11eb;
        z ^ (z >> 31)
    }

    /// Mixes a word into both mixtures.
    pub fn with(print: Print, word: u64) -> Print {
        Print { first: stirred(print.first, word), second: stirred(print.second, word) }
    }

    /// Begins the part of a node.
    pub fn of_node(node: u64) -> Print {
        Print { first: stirred(FIRST, node), second: stirred(SECOND, node) }
    }

    /// Returns the part of a token that is in the line of a node, and arrived there at `arrival`.
    pub fn of_token(node: u64, arrival: u64) -> Print {
        let begun = Print { first: stirred(FIRST ^ TOKEN, node), second: stirred(SECOND ^ TOKEN, node) };
        with(begun, arrival)
    }

    /// Returns the statistics of a station that began `count` services of these sums of lengths and waits.
    pub fn until(horizon: u64, count: u64, service: u64, waiting: u64, late: Late) -> Served {
        let whole = waiting + service;
        if late.free_at <= horizon {
            return Served { completed: count, busy: service, sojourn: whole, waiting, present: whole };
        }
        let beyond = late.free_at - horizon;
        Served {
            completed: count - 1,
            busy: service - beyond,
            sojourn: whole - (late.free_at - late.arrival),
            waiting: waiting - (late.start - late.arrival),
            present: whole - beyond,
        }
    }

    /// Finds the statistics of a station, and its part of the digest with those of the tokens in its line.
    #[kernel(reduce = { first: sum, second: sum, served: sum, arrivals: sum })]
    pub fn conclude(me: &mut NodeEnd, station: &Station, run: &Run) -> Conclusion {
        // The increment of a node's random stream is twice its number, and 1.
        let node = station.rng.increment >> 1;
        let horizon = run.horizon;
        let mut first = 0;
        let mut second = 0;
        let mut arrived = 0;
        let mut waited = 0;
        for place in 0..station.waiting {
            let arrival = station.line.get(place);
            if arrival < horizon {
                arrived += 1;
                waited += horizon - arrival;
            }
            let token = of_token(node, arrival);
            first += token.first;
            second += token.second;
        }
        let late = Late { arrival: station.late_arrival, start: station.late_start, free_at: station.free_at };
        let done = until(horizon, station.served, station.service_sum, station.waiting_sum, late);
        me.node = node as u32;
        me.served = station.served;
        me.arrivals = station.served + arrived;
        me.completed = done.completed;
        me.busy = done.busy;
        me.sojourn = done.sojourn;
        me.waiting = done.waiting;
        me.present = done.present + waited;
        me.started_waiting = station.waiting_sum;
        me.started_sojourn = station.waiting_sum + station.service_sum;
        let mut print = with(with(with(of_node(node), station.free_at), station.next_service), station.rng.state);
        print = with(with(with(print, station.served), done.completed), done.busy);
        print = with(with(with(print, done.sojourn), done.waiting), done.present + waited);
        // Nothing is lost or blocked in a simple network.
        print = with(with(with(with(print, station.waiting as u64), 0), 0), 0);
        Conclusion {
            first: first + print.first,
            second: second + print.second,
            served: station.served,
            arrivals: station.served + arrived,
        }
    }

    /// Sums up the completed services of all nodes.
    #[kernel(reduce = { completed: sum, busy: sum, sojourn: sum, waiting: sum })]
    pub fn sum_completions(me: &NodeEnd) -> Completions {
        Completions { completed: me.completed, busy: me.busy, sojourn: me.sojourn, waiting: me.waiting }
    }

    /// Sums up the presence of tokens at all nodes, and the started services.
    #[kernel(reduce = { present: sum, started_waiting: sum, started_sojourn: sum })]
    pub fn sum_presence(me: &NodeEnd) -> Presence {
        Presence { present: me.present, started_waiting: me.started_waiting, started_sojourn: me.started_sojourn }
    }
}
