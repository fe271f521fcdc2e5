//! Kernels of the exact engine for the schedule `tiles`.

/// The exact engine by relaxation. Every step first finds, to the fixed point, a lower bound on the time of each node's
/// next message ([`relaxation`](super::relaxation)). Then it serves, twice, every token that no earlier one can
/// overtake.
///
/// In the second round, the tokens sent in the first have arrived. The bounds still hold, since they only rise as the
/// simulation advances. They are no longer the best, but serving costs far less than finding better ones.
#[imminent_core::kernels]
pub mod tiles {
    use crate::kernels::relaxation::{Bound, Far, Lookahead, Reach, falls, first_of_group, input};
    use crate::kernels::station::{Routing, Station};

    /// Number of tokens that can come to a node from each in-neighbour after its step has begun, until the program
    /// stops because lines are too full. One comes in this step, which serves twice. Two come in the next, which finds
    /// that there is no room for more and ends before it stops.
    pub const ARRIVALS: u32 = 3;

    /// Message with the token that a node sent last.
    #[derive(Row)]
    pub struct Message {
        /// Arrival time of the token.
        pub time: u64,
        /// Row to which the token goes, counted from 1; 0 if none was sent.
        pub to: u32,
    }

    /// Tokens on their way, and the lists of the nodes from which they come.
    #[derive(Bundle)]
    pub struct Messages {
        /// Message of each node.
        pub sent: &Rows<Message>,
        /// In-neighbours outside the groups.
        pub fars: &Rows<Far>,
    }

    /// Puts the tokens that were sent to the node in this row into its line.
    fn take_in(me: &mut Station, reach: &Reach, row: u32, messages: &Messages) {
        let first = first_of_group(row);
        for k in 0..reach.near {
            let from = messages.sent.get(first + reach.place(k));
            if from.to == row + 1 {
                me.arrive(from.time);
            }
        }
        for edge in reach.first_far..reach.first_far + reach.far {
            let from = messages.sent.get(messages.fars.get(edge).node);
            if from.to == row + 1 {
                me.arrive(from.time);
            }
        }
    }

    /// Serves the first token of a line and sends it, if nothing that comes before `input` can be earlier. Returns
    /// `true` if it did.
    fn serve_first(me: &mut Station, message: &mut Message, input: u64, routing: &Routing) -> bool {
        message.to = 0;
        if me.waiting == 0 {
            return false;
        }
        let arrival = me.earliest();
        let start = me.free_at.max(arrival);
        if arrival > input || start >= routing.run.horizon {
            return false;
        }
        me.remove_earliest();
        let departure = me.serve(arrival, start, routing);
        message.time = departure.time;
        message.to = departure.to;
        true
    }

    /// Begins a step, in which nothing is `served` yet. Every node receives the tokens that were sent to it and
    /// computes its bound within its own group.
    #[kernel(group = 256)]
    pub fn begin(
        group: &mut Group<u64>,
        stations: &mut Each<Station>,
        lookaheads: &mut Each<Lookahead>,
        reaches: &Each<Reach>,
        bounds: &mut Each<Bound>,
        messages: &Messages,
        fullest: &Tally<u32>,
        served: &Tally<u32>,
    ) {
        if group.index() == 0 {
            served.and(0, 0);
        }
        group.phase((stations, lookaheads, reaches), |lane, (me, lookahead, reach)| {
            take_in(me, reach, lane.row(), messages);
            let needed = me.waiting + ARRIVALS * (reach.near + reach.far);
            if needed > me.line.capacity() {
                fullest.max(0, needed);
            }
            lookahead.free = me.free_at;
            lookahead.ahead = me.next_service;
            let mut bound = u64::MAX;
            if me.waiting > 0 {
                bound = lookahead.bound(me.earliest());
            }
            lane.set(bound);
        });
        while group.any((lookaheads, reaches), |lane, (me, reach)| falls(lane, me, reach)) {}
        group.phase(bounds, |lane, bound| bound.time = lane.own());
    }

    /// Serves the first token of every line that may be served, and sends it.
    #[kernel(group = 256)]
    pub fn serve(
        group: &mut Group<bool>,
        stations: &mut Each<Station>,
        sent: &mut Each<Message>,
        reaches: &Each<Reach>,
        bounds: &Rows<Bound>,
        fars: &Rows<Far>,
        routing: &Routing,
        served: &Tally<u32>,
    ) {
        let any = group.any((stations, sent, reaches), |lane, (me, message, reach)| {
            serve_first(me, message, input(reach, lane.row(), bounds, fars), routing)
        });
        if any {
            served.or(0, 1);
        }
    }

    /// Ends a step: serves once more, after every node has received the tokens that were sent to it.
    #[kernel]
    pub fn serve_again(
        me: &mut Station,
        message: &mut Message,
        messages: &Messages,
        reach: &Reach,
        bounds: &Rows<Bound>,
        routing: &Routing,
        id: u32,
    ) {
        take_in(me, reach, id, messages);
        serve_first(me, message, input(reach, id, bounds, messages.fars), routing);
    }
}
