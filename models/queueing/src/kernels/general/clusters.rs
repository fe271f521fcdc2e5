//! Kernels of the clustered-time engine for networks of single servers and sources.

/// The clustered-time engine of the papers over the rows of the general engine: minimum, extraction and departures,
/// facility update, rescheduling.
///
/// A step is defined in [`interval`](crate::interval). Each kernel reads the results of the previous one, and a node
/// writes to itself alone: the papers' alternate update.
#[imminent_core::kernels]
pub mod clustering {
    use crate::kernels::general::facility::{Entrance, Facility, Network, Node};
    use crate::kernels::general::line::Line;
    use crate::kernels::general::servers::Servers;
    use crate::kernels::general::steps::{Message, Messages, take_in};
    use crate::kernels::relaxation::Reach;
    use crate::kernels::station::Clock;

    /// Destination of the token in service.
    #[derive(Row)]
    pub struct Onward {
        /// Number of the service.
        pub number: u64,
        /// Row of the next node, counted from 1; 0 if the token leaves the network.
        pub to: u32,
        /// New class of the token.
        pub class: u32,
    }

    /// Constants of a run.
    #[derive(Params)]
    pub struct Clusters {
        /// Horizon, in ticks: no service starts at this time or later.
        pub horizon: u64,
        /// Length of a step, in ticks.
        pub interval: u64,
    }

    /// Returns the step at which an event is executed: the least multiple of the interval at or after it.
    fn step_time(time: u64, run: &Clusters) -> u64 {
        if run.interval <= 1 {
            return time;
        }
        let whole = time / run.interval * run.interval;
        if whole == time { time } else { whole.saturating_add(run.interval) }
    }

    /// Kernel 1: finds the earliest end of a service.
    #[kernel(reduce = min)]
    pub fn minimum(servers: &Servers) -> u64 {
        if servers.busy > 0 { servers.first_end() } else { u64::MAX }
    }

    /// Kernel 2: ends the services that end in this step, and publishes the tokens that they release.
    #[kernel]
    pub fn depart(
        me: &Facility,
        servers: &mut Servers,
        onward: &Onward,
        message: &mut Message,
        clock: &Rows<Clock>,
        run: &Clusters,
    ) {
        let step = step_time(clock.get(0).time, run);
        message.to = 0;
        if servers.busy > 0 && servers.first_end() <= step && step < run.horizon {
            message.time = servers.first_end();
            message.number = onward.number;
            message.from = me.number;
            message.to = onward.to;
            message.class = onward.class;
            let mut desk = servers.desk();
            desk.release(&mut servers.services, step);
            servers.keep(desk);
        }
    }

    /// Kernel 3: each node receives the tokens released to it, and loses those that find no room.
    #[kernel]
    pub fn update(
        me: &mut Facility,
        reach: &Reach,
        line: &mut Line,
        servers: &mut Servers,
        messages: &Messages,
        entrance: &Entrance,
        too_full: &Tally<u32>,
        id: u32,
    ) {
        take_in(line, reach, id, messages);
        me.admit(u64::MAX - 1, 0, line, servers, entrance);
        // A step brings at most one token from every in-neighbour.
        if line.waiting + reach.near + reach.far > line.inbox.capacity() {
            too_full.or(0, 1);
        }
    }

    /// Kernel 4: idle servers begin to serve the token that the discipline chooses. A source continues where its last
    /// emission ended.
    #[kernel]
    pub fn reschedule(node: &mut Node, onward: &mut Onward, net: &Network, clock: &Rows<Clock>, run: &Clusters) {
        let step = step_time(clock.get(0).time, run);
        if step < run.horizon && node.servers.busy == 0 && node.line.waiting > 0 {
            let mut start = step;
            if node.me.servers == 0 {
                start = node.lookahead.free;
            }
            let sent = node.serve(start, net);
            node.lookahead.free = sent.time;
            onward.number = sent.number;
            onward.to = sent.to;
            onward.class = sent.class;
        }
        if node.me.servers > 0 && step < run.horizon {
            node.me.most_waiting = node.me.most_waiting.max(node.line.waiting);
        }
    }
}
