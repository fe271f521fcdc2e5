//! Steps of the general engine.

/// The exact engine of general networks. Every step first finds, to the fixed point, a lower bound on the time of each
/// node's next message ([`relaxation`](crate::kernels::relaxation)). Then it starts, twice, one service at every node
/// where all earlier arrivals are known.
///
/// In the second round, the tokens sent in the first have arrived. The bounds still hold, since they only rise as the
/// simulation advances. They are no longer the best, but starting services costs less than finding better ones.
#[imminent_core::kernels]
pub mod steps {
    use crate::kernels::general::departures::Departures;
    use crate::kernels::general::facility::{Departure, Entrance, Facility, Network, Node, known_until, next_start};
    use crate::kernels::general::line::{Line, Token};
    use crate::kernels::general::servers::Servers;
    use crate::kernels::relaxation::{Bound, Far, Lookahead, Reach, falls, first_of_group, input};
    use crate::kernels::station::Clock;

    /// Number of tokens that can come to a node from each in-neighbour after its step has begun, until the program
    /// stops because lines are too full. One comes in this step, which starts services twice. Two come in the next,
    /// which finds that there is no room for more and ends before it stops.
    pub const ARRIVALS: u32 = 3;

    /// Message with the token that a node sent last.
    #[derive(Row)]
    pub struct Message {
        /// Arrival time of the token.
        pub time: u64,
        /// Number of the service that the token leaves.
        pub number: u64,
        /// Number in its own network of the node that the token leaves.
        pub from: u32,
        /// Row of the destination node, counted from 1; 0 if none is sent.
        pub to: u32,
        /// Class of the token.
        pub class: u32,
    }

    /// Limit of a run for one network.
    #[derive(Row)]
    pub struct Limit {
        /// Horizon of the network, in ticks: no service starts at this time or later.
        pub horizon: u64,
    }

    /// Constants of a run.
    #[derive(Params)]
    pub struct Throttle {
        /// Distance, in ticks, that a node may run ahead of the least possible start of any node in the previous step.
        pub window: u64,
    }

    /// Tokens on their way, and the lists of the nodes from which they come.
    #[derive(Bundle)]
    pub struct Messages {
        /// Message of each node.
        pub sent: &Rows<Message>,
        /// In-neighbours outside the groups.
        pub fars: &Rows<Far>,
    }

    /// Limit of how far nodes may run ahead.
    #[derive(Bundle)]
    pub struct Pace {
        /// Least possible start of any node in the previous step.
        pub clock: &Rows<Clock>,
        /// Largest distance from it.
        pub throttle: &Throttle,
    }

    /// Rows of the nodes of a group that serve.
    #[derive(Bundle)]
    pub struct Nodes {
        /// Stations and sources.
        pub facilities: &mut Each<Facility>,
        /// Times of the next services.
        pub lookaheads: &mut Each<Lookahead>,
        /// Tokens that are not in a server yet.
        pub lines: &mut Each<Line>,
        /// Services under way.
        pub servers: &mut Each<Servers>,
        /// Departures whose route is not chosen yet.
        pub departures: &mut Each<Departures>,
        /// In-neighbours.
        pub reaches: &Each<Reach>,
    }

    /// Rows of the nodes of a group that receive tokens.
    #[derive(Bundle)]
    pub struct Receivers {
        /// Lines that take the tokens in.
        pub lines: &mut Each<Line>,
        /// Times of the next services.
        pub lookaheads: &Each<Lookahead>,
        /// Departures whose route is not chosen yet.
        pub departures: &Each<Departures>,
        /// In-neighbours.
        pub reaches: &Each<Reach>,
    }

    impl Pace {
        /// Returns the time after which no service starts.
        fn latest(&self) -> u64 {
            self.clock.get(0).time.saturating_add(self.throttle.window)
        }
    }

    /// Adds a token to the expected ones of this row, if it goes there.
    fn expect(line: &mut Line, row: u32, message: &Message) {
        if message.to == row + 1 {
            line.expect(Token { time: message.time, number: message.number, from: message.from, class: message.class });
        }
    }

    /// Adds the tokens that were sent to the node in this row to its expected ones.
    pub fn take_in(line: &mut Line, reach: &Reach, row: u32, messages: &Messages) {
        let first = first_of_group(row);
        for k in 0..reach.near {
            let message = messages.sent.get(first + reach.place(k));
            expect(line, row, message);
        }
        for edge in reach.first_far..reach.first_far + reach.far {
            let message = messages.sent.get(messages.fars.get(edge).node);
            expect(line, row, message);
        }
    }

    /// Publishes a token that a node sends, if it goes to a node.
    fn show(message: &mut Message, sent: Departure, from: u32) {
        if sent.to > 0 {
            message.time = sent.time;
            message.number = sent.number;
            message.from = from;
            message.to = sent.to;
            message.class = sent.class;
        }
    }

    /// Sends the first pending departure if its turn is settled, and starts a service if it is certain to be the next.
    /// Nothing comes before `input`, and no service starts after `latest`. A node with pending departures sends nothing
    /// at the start of a service. Returns `true` if it did any of this.
    fn start_next(node: &mut Node, message: &mut Message, input: u64, latest: u64, net: &Network) -> bool {
        message.to = 0;
        let mut active = false;
        if can_depart(node.me, node.lookahead, node.line, node.departures, input) {
            let sent = node.me.depart(node.departures, net.visits, net.routes);
            show(message, sent, node.me.number);
            active = true;
        }
        if can_start(node.me, node.lookahead, node.line, input, latest) {
            let sent = node.advance(next_start(node.lookahead, node.line), net);
            show(message, sent, node.me.number);
            active = true;
        }
        active
    }

    /// Returns `true` if the turn of the first pending departure is settled. Nothing comes before `input`.
    fn can_depart(me: &Facility, lookahead: &Lookahead, line: &Line, departures: &Departures, input: u64) -> bool {
        departures.next <= known_until(lookahead, line, input) && departures.next < me.horizon
    }

    /// Returns `true` if the next service of a node is certain. Nothing comes before `input`, and no service starts
    /// after `latest`.
    fn can_start(me: &Facility, lookahead: &Lookahead, line: &Line, input: u64, latest: u64) -> bool {
        let start = next_start(lookahead, line);
        start < input && start <= latest && start < me.horizon
    }

    /// Begins a step, in which no service has `started` yet. Every node receives the tokens that were sent to it and
    /// computes its bound within its own group.
    #[kernel(group = 256)]
    pub fn begin(
        group: &mut Group<u64>,
        nodes: &mut Receivers,
        bounds: &mut Each<Bound>,
        messages: &Messages,
        too_full: &Tally<u32>,
        started: &Tally<u32>,
    ) {
        if group.index() == 0 {
            started.and(0, 0);
        }
        let full = group.any(
            (nodes.lines, nodes.lookaheads, nodes.departures, nodes.reaches),
            |lane, (line, me, departures, reach)| {
                take_in(line, reach, lane.row(), messages);
                lane.set(next_start(me, line).saturating_add(me.ahead).min(departures.next));
                line.expected + line.waiting + ARRIVALS * (reach.near + reach.far) > line.inbox.capacity()
            },
        );
        if full {
            too_full.or(0, 1);
        }
        while group.any((nodes.lookaheads, nodes.reaches), |lane, (me, reach)| falls(lane, me, reach)) {}
        group.phase(bounds, |lane, bound| bound.time = lane.own());
    }

    /// Starts the next service of every node that may start one, and sends the first pending departure whose turn is
    /// settled.
    #[kernel(group = 256)]
    pub fn serve(
        group: &mut Group<bool>,
        nodes: &mut Nodes,
        sent: &mut Each<Message>,
        bounds: &Rows<Bound>,
        fars: &Rows<Far>,
        net: &Network,
        pace: &Pace,
        started: &Tally<u32>,
    ) {
        let latest = pace.latest();
        let any = group.any(
            (nodes.facilities, nodes.lookaheads, nodes.lines, nodes.servers, nodes.departures, sent, nodes.reaches),
            |lane, (me, lookahead, line, servers, departures, message, reach)| {
                let input = input(reach, lane.row(), bounds, fars);
                start_next(&mut Node { me, lookahead, line, servers, departures }, message, input, latest, net)
            },
        );
        if any {
            started.or(0, 1);
        }
    }

    /// Ends a step: starts services once more, after every node has received the tokens that were sent to it.
    #[kernel]
    pub fn serve_again(
        node: &mut Node,
        message: &mut Message,
        messages: &Messages,
        reach: &Reach,
        bounds: &Rows<Bound>,
        net: &Network,
        id: u32,
    ) {
        take_in(node.line, reach, id, messages);
        let input = input(reach, id, bounds, messages.fars);
        start_next(node, message, input, u64::MAX, net);
    }

    /// Ends a step as `serve_again`, but limits how far nodes may run ahead of the slowest.
    ///
    /// Returns the earliest event before the horizon: a service start at the node or at the destination of its token,
    /// or a pending departure. Returns the greatest time if there is none.
    #[kernel(reduce = min)]
    pub fn serve_again_behind(
        node: &mut Node,
        message: &mut Message,
        messages: &Messages,
        reach: &Reach,
        bounds: &Rows<Bound>,
        net: &Network,
        pace: &Pace,
        id: u32,
    ) -> u64 {
        take_in(node.line, reach, id, messages);
        let input = input(reach, id, bounds, messages.fars);
        start_next(node, message, input, pace.latest(), net);
        let mut next = next_start(node.lookahead, node.line).min(node.departures.next);
        if message.to > 0 {
            next = next.min(message.time);
        }
        if next < node.me.horizon { next } else { u64::MAX }
    }

    /// Ends a run: lets tokens enter that arrive before the horizon without a service starting after them.
    #[kernel]
    pub fn settle(me: &mut Facility, line: &mut Line, servers: &mut Servers, entrance: &Entrance) {
        if me.servers > 0 && me.horizon > 0 {
            me.admit(me.horizon - 1, me.horizon, line, servers, entrance);
        }
    }

    /// Begins a run: sets the horizon of every node to that of its network.
    #[kernel]
    pub fn extend(me: &mut Facility, servers: &Servers, limits: &Rows<Limit>, times: &Tally<u64>) {
        me.extend(limits.get(me.network).horizon, servers, times);
    }
}
