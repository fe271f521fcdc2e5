//! Results of the nodes of an ensemble when a run has reached its limits.

/// Statistics of nodes at the horizon, and the digests of their networks.
#[imminent_core::kernels]
pub mod conclusion {
    use crate::kernels::ending::{Print, of_node, of_token, with};
    use crate::kernels::general::departures::{Departures, departs_before};
    use crate::kernels::general::facility::{Facility, Route, Visit, row_of};
    use crate::kernels::general::line::{FIFO, Line};
    use crate::kernels::general::servers::Servers;
    use crate::kernels::general::steps::Message;
    use crate::kernels::relaxation::{Far, Reach, first_of_group};

    /// Number of tally slots of a network: both sums of its digest, and the number of services started.
    pub const PRINT_SLOTS: u32 = 3;

    /// Statistics of a node at the horizon; times are ticks.
    #[derive(Row)]
    pub struct FacilityEnd {
        /// Number of services started.
        pub served: u64,
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
        /// Number of tokens that arrived before the horizon.
        pub arrivals: u64,
        /// Number of arrived tokens that found no room.
        pub lost: u64,
        /// Sum of start minus arrival over the services started.
        pub started_waiting: u64,
        /// Sum of departure minus arrival over the services started.
        pub started_sojourn: u64,
        /// Greatest number of tokens that waited at the end of a tick.
        pub most_waiting: u32,
    }

    /// Rows of all nodes at the horizon.
    #[derive(Bundle)]
    pub struct Nodes {
        /// Stations and sources.
        pub facilities: &Rows<Facility>,
        /// Tokens that are not in a server yet.
        pub lines: &Rows<Line>,
        /// Services under way.
        pub servers: &Rows<Servers>,
        /// Departures whose route is not chosen yet.
        pub departures: &Rows<Departures>,
        /// In-neighbours.
        pub reaches: &Rows<Reach>,
        /// In-neighbours outside the groups.
        pub fars: &Rows<Far>,
        /// Messages that no node has received yet; fewer than nodes if none are ever left.
        pub sent: &Rows<Message>,
        /// Properties of classes at nodes.
        pub visits: &Rows<Visit>,
        /// Routes of tokens after their services.
        pub routes: &Rows<Route>,
    }

    /// Tokens in the line of a node.
    struct Tokens {
        /// Number of the node in its network.
        node: u64,
        horizon: u64,
        count: u64,
        /// Number of those on their way that arrive before the horizon.
        arriving: u64,
        /// Time that they spent at the node before the horizon.
        present: u64,
        /// Sums of their parts of the digest.
        first: u64,
        second: u64,
    }

    impl Tokens {
        /// Adds a token that arrives at `time`.
        fn add(&mut self, time: u64) {
            let print = of_token(self.node, time);
            self.count += 1;
            self.first += print.first;
            self.second += print.second;
            if time < self.horizon {
                self.present += self.horizon - time;
            }
        }
    }

    /// Adds the tokens that are expected or wait.
    fn add_line(tokens: &mut Tokens, me: &Facility, line: &Line) {
        for place in 0..line.expected {
            tokens.add(line.inbox.get(place).time);
        }
        if me.servers > 0 {
            let mut place = 0;
            if me.discipline == FIFO {
                place = line.first;
            }
            for _ in 0..line.waiting {
                tokens.add(line.queue.get(place).arrived);
                place += 1;
                if me.discipline == FIFO && place == line.places {
                    place = 0;
                }
            }
        }
    }

    /// Adds the tokens that come to `row` from an in-neighbour: one that it sent, and those whose departure is pending.
    /// The latter leave at the horizon or later, in the order of their ends.
    fn add_coming(tokens: &mut Tokens, row: u32, from: u32, nodes: &Nodes) {
        if from < nodes.sent.len() && nodes.sent.get(from).to == row + 1 {
            let time = nodes.sent.get(from).time;
            tokens.add(time);
            if time < tokens.horizon {
                tokens.arriving += 1;
            }
        }
        let sender = nodes.facilities.get(from);
        let departures = nodes.departures.get(from);
        for place in 0..departures.count {
            let token = departures.pending.get(place);
            let visit = nodes.visits.get(sender.first_visit + token.class);
            let mut turn = departures.turns.get(visit.list);
            for other in 0..departures.count {
                let before = departures.pending.get(other);
                let list = nodes.visits.get(sender.first_visit + before.class).list;
                if list == visit.list && departs_before(before, token) {
                    turn += 1;
                }
            }
            let route = nodes.routes.get(visit.first_route + turn % visit.routes);
            if row_of(route, sender.first_row) == row + 1 {
                tokens.add(token.end);
            }
        }
    }

    /// Takes back what services under way have after the horizon.
    fn cut(me: &mut FacilityEnd, servers: &Servers, horizon: u64) {
        for place in 0..servers.busy {
            let service = servers.services.get(place);
            if service.end > horizon {
                me.completed -= 1;
                me.busy -= service.end - horizon;
                me.present -= service.end - horizon;
                me.sojourn -= service.end - service.arrived;
                me.waiting -= service.started - service.arrived;
            }
        }
    }

    /// Begins the part of a node with its state.
    fn of_state(node: u64, me: &Facility, servers: &Servers) -> Print {
        let mut rng = me.rng;
        // Every service took two words, and the first word of the next one counts as drawn.
        rng.next_u32();
        let mut next_service = servers.coming.get(servers.turn);
        if next_service == u64::MAX {
            next_service = 0;
        }
        with(with(with(of_node(node), me.last_end), next_service), rng.state)
    }

    /// Finds the statistics of a node, and adds its part of the digest with those of the tokens in its line.
    #[kernel]
    pub fn conclude(me: &mut FacilityEnd, nodes: &Nodes, prints: &Tally<u64>, id: u32) {
        let facility = nodes.facilities.get(id);
        // Rows without a node have no classes.
        if facility.classes > 0 {
            let servers = nodes.servers.get(id);
            let horizon = facility.horizon;
            me.served = facility.served;
            me.completed = facility.served;
            me.busy = facility.service_sum;
            me.sojourn = facility.waiting_sum + facility.service_sum;
            me.waiting = facility.waiting_sum;
            me.present = me.sojourn;
            me.started_waiting = facility.waiting_sum;
            me.started_sojourn = me.sojourn;
            me.most_waiting = facility.most_waiting;
            cut(me, servers, horizon);
            let node = facility.number as u64;
            let mut tokens = Tokens { node, horizon, count: 0, arriving: 0, present: 0, first: 0, second: 0 };
            add_line(&mut tokens, facility, nodes.lines.get(id));
            let reach = nodes.reaches.get(id);
            for k in 0..reach.near {
                add_coming(&mut tokens, id, first_of_group(id) + reach.place(k), nodes);
            }
            for edge in reach.first_far..reach.first_far + reach.far {
                add_coming(&mut tokens, id, nodes.fars.get(edge).node, nodes);
            }
            if facility.servers > 0 {
                me.present += tokens.present;
                me.arrivals = facility.arrivals + tokens.arriving;
                me.lost = facility.lost;
            } else {
                // A source has no other statistics.
                me.busy = 0;
                me.sojourn = 0;
                me.waiting = 0;
                me.present = 0;
                me.started_waiting = 0;
                me.started_sojourn = 0;
            }
            let mut print = with(with(of_state(node, facility, servers), me.served), me.completed);
            print = with(with(with(with(print, me.busy), me.sojourn), me.waiting), me.present);
            // Nothing is blocked.
            print = with(with(with(with(print, tokens.count), me.lost), 0), 0);
            let first = facility.network * PRINT_SLOTS;
            prints.add(first, print.first + tokens.first);
            prints.add(first + 1, print.second + tokens.second);
            prints.add(first + 2, me.served);
        }
    }
}
