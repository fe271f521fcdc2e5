//! Rows of nodes, and the times of their steps.

/// State of nodes: queues, sources of packets, transmissions, statistics.
///
/// A step has five launches:
/// * [`finish`](fn@crate::kernels::arrival::finish) ends the transmissions below the horizon,
/// * [`collect`](fn@crate::kernels::arrival::collect) brings what arrives into the queues,
/// * [`sense`](fn@crate::kernels::medium::sense) lets the nodes that may attempt to transmit sense the medium,
/// * [`look`](fn@crate::kernels::neighbourhood::look) fills the neighbour tables of those that find it idle,
/// * [`act`](fn@crate::kernels::attempt::act) executes the attempts.
///
/// Few nodes sense or look in a step, and each of them looks at some hundred others. So a GPU launches
/// [`sense_in_teams`](fn@crate::kernels::medium::sense_in_teams) and
/// [`look_in_teams`](fn@crate::kernels::neighbourhood::look_in_teams) instead: the lanes of a group share the work of
/// its nodes.
///
/// The horizon of a simulation is the time of its earliest event plus the least airtime: a packet that arrives before
/// it is on the air already. An attempt is executed when no node in range has an earlier one.
#[imminent_core::kernels]
pub mod node {
    use crate::kernels::gpsr::Packet;
    use crate::kernels::motion::{Clock, Owner, Terms};
    use imminent_core::random::Pcg32;

    /// Kind of packets: data.
    pub const DATA: u32 = 0;
    /// Kind of packets: requests, which their destinations answer.
    pub const REQUEST: u32 = 1;
    /// Kind of packets: responses.
    pub const RESPONSE: u32 = 2;

    /// Destination of a source: it sends nothing.
    pub const NOBODY: u32 = u32::MAX;
    /// Destination of a source: another one for each packet, at random.
    pub const ANYBODY: u32 = u32::MAX - 1;

    /// Cause of a loss: the node had no neighbour that could take the packet.
    pub const LOST_NO_NEIGHBOUR: u32 = 0;
    /// Cause of a loss: the packet went around a face, so its destination cannot be reached.
    pub const LOST_UNREACHABLE: u32 = 1;
    /// Cause of a loss: too many transmissions.
    pub const LOST_HOPS: u32 = 2;
    /// Cause of a loss: the next node was out of range at the end of the transmission.
    pub const LOST_LINK: u32 = 3;
    /// Cause of a loss: the queue was full.
    pub const LOST_QUEUE: u32 = 4;
    /// Cause of a loss: the node that had the packet left.
    pub const LOST_LEFT: u32 = 5;

    /// Lane of [`Air`] with the packet of the last transmission as it was before it was routed.
    pub const HELD: u32 = 2;

    /// Verdict on a node: it attempts nothing in this step.
    pub const WAITS: u32 = 0;
    /// Verdict on a node: it attempts to transmit, and the medium is busy.
    pub const BUSY: u32 = 1;
    /// Verdict on a node: it attempts to transmit, and the medium is idle.
    pub const IDLE: u32 = 2;
    /// Verdict on a node: it has left, with packets in its queue.
    pub const GONE: u32 = 3;

    /// Slot of the tally of halts that counts queues without room.
    pub const NEEDS_QUEUE: u32 = 0;
    /// Slot of the tally of halts that counts neighbour tables, and lists of deletions, without room.
    pub const NEEDS_TABLE: u32 = 1;

    /// Constants of a run.
    #[derive(Params)]
    pub struct Law {
        /// Time for which cell lists hold, in µs.
        pub epoch: u64,
        /// Greatest lookahead of a simulation, in µs.
        pub lookahead: u64,
    }

    /// End of the time for which the cell lists of a simulation hold.
    #[derive(Row)]
    pub struct Epoch {
        /// Time in µs.
        pub end: u64,
    }

    /// Node as others sense it.
    #[derive(Row)]
    #[row(packed)]
    pub struct Signal {
        /// Time before which the node attempts no transmission, in µs; that of its next attempt if it knows one.
        pub next: u64,
        /// Time of the attempt of the last transmission, in µs, before it is put on the clock.
        pub start: u64,
        /// End of that transmission, in µs.
        pub until: u64,
        /// End of the transmission before it, in µs.
        pub before: u64,
    }

    /// Time of the earliest event of a node.
    #[derive(Row)]
    pub struct Bound {
        /// Time in µs; the greatest time if there is none before the end.
        pub time: u64,
    }

    /// Source of packets.
    pub struct Source {
        /// Time of the next packet, in µs.
        pub time: u64,
        /// Source of destinations and of times.
        pub rng: Pcg32,
        /// Destination, [`NOBODY`] or [`ANYBODY`].
        pub destination: u32,
        /// Number of the flow in its simulation: of packets of a node at one time the lowest comes first.
        pub flow: u32,
    }

    /// Flow of packets.
    #[derive(Row)]
    #[row(packed)]
    pub struct Flow {
        /// Time between two packets, in µs; its mean if they are [at random](Terms::is_poisson).
        pub gap: u64,
        /// Time from which no packet is created, in µs.
        pub stop: u64,
        /// Airtime of data and requests, in µs.
        pub airtime: u64,
    }

    /// Number of slots of a flow in the tally of its packets.
    pub const SLOTS: u32 = 8;
    /// Slot of a flow that counts created packets; the next one is for responses.
    pub const CREATED: u32 = 0;
    /// Slot of a flow that counts delivered packets.
    pub const DELIVERED: u32 = 2;
    /// Slot of a flow that adds up delays of delivered packets, in µs.
    pub const DELAY: u32 = 4;
    /// Slot of a flow that adds up their hops.
    pub const HOPS: u32 = 6;

    /// Flows of all simulations.
    #[derive(Bundle)]
    pub struct Flows {
        /// Flows.
        pub rows: &Rows<Flow>,
        /// Statistics: [`SLOTS`] for each flow.
        pub sums: &Tally<u64>,
    }

    impl Flows {
        /// Adds to a statistic of a packet's flow.
        pub fn add(&self, packet: Packet, slot: u32, value: u64, terms: &Terms) {
            let first = (terms.first_flow + packet.flow) * SLOTS + slot;
            self.sums.add(first + packet.kind / 2, value);
        }
    }

    /// Sources of a node beside the one whose packet comes next.
    #[derive(Row)]
    #[row(packed)]
    pub struct Others {
        /// Sources, in any order.
        pub sources: Lanes<Source>,
    }

    /// State of a node that no other node reads.
    #[derive(Row)]
    #[row(packed)]
    pub struct Station {
        /// Source whose packet comes next.
        pub source: Source,
        /// Time at which the backoff ends, in µs; the greatest time without one.
        pub retry: u64,
        /// End of the transmission, in µs.
        pub end: u64,
        /// Source of backoffs.
        pub backoffs: Pcg32,
        /// Number of the simulation among those on the device.
        pub simulation: u32,
        /// Number of the node in its simulation.
        pub node: u32,
        /// Number of other sources.
        pub others: u32,
        /// Lane of the first packet in the queue.
        pub head: u32,
        /// Number of packets in the queue.
        pub count: u32,
        /// Number of packets behind them that arrive below the horizon.
        pub pending: u32,
        /// Room that the queue needs to continue; 0 if it suffices.
        pub wanted: u32,
        /// Number of times that the transmission of the last packet has failed.
        pub failures: u32,
        /// Lane of the last transmission: lanes 0 and 1 alternate.
        pub lane: u32,
        /// `true` until the node knows that its transmission has ended.
        pub is_sending: bool,
        /// `true` if the last transmission has been received, or has failed.
        pub is_received: bool,
        /// `true` if it has failed, and its packet waits to be routed again.
        pub is_holding: bool,
    }

    /// Result of carrier sense.
    #[derive(Row)]
    pub struct Sense {
        /// [`WAITS`], [`BUSY`], [`IDLE`] or [`GONE`].
        pub verdict: u32,
        /// Room that the neighbour table needs to continue; 0 if it suffices.
        pub wanted: u32,
    }

    /// Queue of a node.
    #[derive(Row)]
    #[row(packed)]
    pub struct Queue {
        /// Ring of packets.
        pub packets: Lanes<Packet>,
    }

    /// Last two transmissions of a node, and the packet of the last one as it was before.
    #[derive(Row)]
    #[row(packed)]
    pub struct Air {
        /// Ends in µs.
        pub ends: [u64; 2],
        /// Rows of the receivers.
        pub receivers: [u32; 2],
        /// Packets of these transmissions, and the one [held](HELD).
        pub packets: Lanes<Packet>,
    }

    /// Statistics of a node. Packets count that were created from the end of the warm-up on.
    #[derive(Row)]
    #[row(packed)]
    pub struct Count {
        /// Sum of delays of packets that were delivered to the node, by kind, in µs. The delay of a response is the
        /// time since its request was created.
        pub delay: [u64; 3],
        /// Airtime of the node's transmissions, in µs.
        pub airtime: u64,
        /// Packets that the node created, by kind.
        pub created: [u32; 3],
        /// Packets that were delivered to the node, by kind.
        pub delivered: [u32; 3],
        /// Sum of their hops, by kind.
        pub hops: [u32; 3],
        /// Packets that were lost at the node, by cause.
        pub lost: [u32; 6],
        /// Transmissions that the node began.
        pub sent: u32,
        /// Attempts that found the medium busy.
        pub busy: u32,
    }

    /// Rows of one node that change in a step.
    #[derive(Bundle)]
    pub struct Own {
        /// State.
        pub station: &mut Station,
        /// Row that other nodes sense.
        pub signal: &mut Signal,
        /// Earliest event.
        pub bound: &mut Bound,
        /// Queue.
        pub queue: &mut Queue,
        /// Other sources.
        pub others: &mut Others,
        /// Statistics.
        pub count: &mut Count,
    }

    /// Tables that say which events are safe.
    #[derive(Bundle)]
    pub struct Time {
        /// Earliest events of the simulations.
        pub clock: &Rows<Clock>,
        /// Ends of their cell lists.
        pub epoch: &Rows<Epoch>,
        /// Constants of the run.
        pub law: &Law,
        /// Constants of the simulations.
        pub terms: &Rows<Terms>,
    }

    impl Time {
        /// Returns `true` if a node has nothing to do below the horizon of its simulation, or one that is not nearer.
        /// Most nodes have not, and see that from two words of their own.
        pub fn rests(&self, bound: &Bound, owner: &Owner) -> bool {
            bound.time >= self.limit(owner, self.law.lookahead)
        }

        /// Returns the horizon of a simulation: all packets that are received before it are under way.
        pub fn horizon(&self, owner: &Owner) -> u64 {
            self.limit(owner, self.terms.get(owner.simulation).lookahead)
        }

        fn limit(&self, owner: &Owner, lookahead: u64) -> u64 {
            let clock = self.clock.get(owner.clock).time;
            clock.saturating_add(lookahead).min(self.epoch.get(owner.simulation).end)
        }
    }

    /// Returns the farthest horizon of a simulation, to list the nodes with events below it.
    #[kernel(reduce = max)]
    pub fn horizon(epoch: &Epoch, clock: &Clock, law: &Law) -> u64 {
        clock.time.saturating_add(law.lookahead).min(epoch.end)
    }

    /// Begins an epoch.
    #[kernel]
    pub fn open(epoch: &mut Epoch, terms: &Terms, clock: &Rows<Clock>, law: &Law) {
        epoch.end = clock.get(terms.clock).time.saturating_add(law.epoch);
    }

    /// Sets the clock of every simulation to the earliest event of all.
    #[kernel]
    pub fn align(clock: &mut Clock, earliest: &Rows<Clock>) {
        clock.time = earliest.get(0).time;
    }

    /// Sets the clocks of simulations that lie within a group to their earliest events. A clock is in the row of node
    /// 0, and the other rows of a simulation have the earliest event from their node on.
    #[kernel(group = 256)]
    pub fn tick(
        group: &mut Group<u64>,
        clocks: &mut Each<Clock>,
        bounds: &Each<Bound>,
        owners: &Each<Owner>,
        terms: &Rows<Terms>,
    ) {
        group.phase(bounds, |lane, bound| lane.set(bound.time));
        let mut distance = 1;
        while distance < group.size() {
            group.phase(owners, |lane, owner| {
                let of_all = terms.get(owner.simulation);
                let other = lane.index() + distance;
                if lane.row() + distance < of_all.first + of_all.nodes {
                    lane.set(lane.own().min(lane.get(other)));
                }
            });
            distance *= 2;
        }
        group.phase(clocks, |lane, clock| clock.time = lane.own());
    }

    /// Returns the earlier of the times of a node's next attempt and of the next packet that it creates, if it is
    /// before the end.
    pub fn bound_of(next: u64, created: u64, terms: &Terms) -> u64 {
        let time = next.min(created);
        if time < terms.end { time } else { u64::MAX }
    }

    /// Returns the lane of a packet, by its place in the queue.
    pub fn lane(station: &Station, place: u32, capacity: u32) -> u32 {
        let lane = station.head + place;
        if lane < capacity { lane } else { lane - capacity }
    }

    /// Finds the time of the node's next attempt if it knows of one, otherwise the least time of an unknown one.
    pub fn publish(own: &mut Own, terms: &Terms) {
        let capacity = own.queue.packets.capacity();
        let mut arrival = own.station.source.time;
        if own.station.pending > 0 {
            let first = own.queue.packets.get(lane(own.station, own.station.count, capacity));
            arrival = arrival.min(first.arrived);
        }
        let mut next = arrival;
        if own.station.is_sending {
            let has_packet = own.station.is_holding || own.station.count > 0;
            next = if has_packet { own.station.end } else { arrival.max(own.station.end) };
        } else if own.station.retry != u64::MAX {
            next = own.station.retry;
        }
        own.signal.next = next;
        own.bound.time = bound_of(next, own.station.source.time, terms);
        if own.station.is_sending && !own.station.is_received && own.station.end < terms.end {
            own.bound.time = own.bound.time.min(own.station.end);
        }
    }

    /// Moves the packets of queues that have been enlarged: a ring must not end amid the new lanes.
    #[kernel]
    pub fn unroll(station: &mut Station, queue: &mut Queue, before: &Before) {
        station.wanted = 0;
        let packets = station.count + station.pending;
        let beyond = (station.head + packets).saturating_sub(before.capacity);
        for place in 0..beyond {
            let packet = queue.packets.get(place);
            queue.packets.set(before.capacity + place, packet);
        }
    }

    /// Capacity of the queues before they were enlarged.
    #[derive(Params)]
    pub struct Before {
        /// Packets per queue.
        pub capacity: u32,
    }

    /// Returns the room that the fullest queue needs.
    #[kernel(reduce = max)]
    pub fn wanted_queue(station: &Station) -> u32 {
        station.wanted
    }

    /// Returns the room that the fullest neighbour table needs.
    #[kernel(reduce = max)]
    pub fn wanted_table(sense: &Sense) -> u32 {
        sense.wanted
    }
}
