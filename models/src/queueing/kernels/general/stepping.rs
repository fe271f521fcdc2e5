//! The general engine's step.

/// The exact engine of general networks: every step first finds, to the fixed point, the time before which each node sends nothing, and then starts
/// one service at every node where all earlier arrivals are known.
#[imminent_core::kernels]
pub mod steps {
    use crate::queueing::kernels::general::facility::{Facility, Route, Visit, next_start};
    use crate::queueing::kernels::general::line::{Line, Token};
    use crate::queueing::kernels::general::outlook::{Bound, Known, MOST_ROUNDS, Outlook, SIZE, falls};
    use crate::queueing::kernels::general::servers::Servers;
    use crate::queueing::kernels::law::{LawRow, Quantile};
    use crate::queueing::kernels::station::{Clock, Source};

    /// The token that a node sent in the last step.
    #[derive(Row)]
    pub struct Parcel {
        /// When it arrives.
        pub time: u64,
        /// The number of the service that it leaves.
        pub number: u64,
        /// The node that it leaves, by its number in its own network.
        pub from: u32,
        /// The row of the node to which it goes, counted from 1; 0 if none is sent.
        pub to: u32,
        /// Its class.
        pub class: u32,
    }

    /// How far a run goes.
    #[derive(Row)]
    pub struct Limit {
        /// No service of the network starts at this time or later, in ticks.
        pub horizon: u64,
    }

    /// What holds for a whole run.
    #[derive(Params)]
    pub struct Throttle {
        /// How far, in ticks, a node may run ahead of the least start that was possible anywhere in the step before.
        pub window: u64,
    }

    /// Begins a step: every node takes in the tokens that were sent to it and bounds what it can send itself, as far as its own group tells.
    #[kernel(group = 256)]
    pub fn begin(
        group: &mut Group<Known>,
        lines: &mut Each<Line>,
        outlooks: &Each<Outlook>,
        bounds: &mut Each<Bound>,
        parcels: &Rows<Parcel>,
        sources: &Rows<Source>,
        fullest: &Tally<u32>,
    ) {
        let first = group.index() * SIZE;
        group.phase((lines, outlooks), |lane, (line, me)| {
            for edge in me.first_source..me.first_source + me.sources {
                let parcel = parcels.get(sources.get(edge).node);
                if parcel.to == lane.row() + 1 {
                    line.expect(Token {
                        time: parcel.time,
                        number: parcel.number,
                        from: parcel.from,
                        class: parcel.class,
                    });
                }
            }
            // A step brings at most one token from every in-neighbour.
            let needed = line.expected + line.waiting + me.sources;
            if needed > line.inbox.capacity() {
                fullest.max(0, needed);
            }
            lane.set(Known { bound: next_start(me, line).saturating_add(me.ahead), outside: u64::MAX });
        });
        let mut rounds = 0;
        let mut falling = true;
        while falling && rounds < MOST_ROUNDS {
            falling = group.any(outlooks, |lane, me| falls(lane, me, first, sources));
            rounds += 1;
        }
        group.phase(bounds, |lane, bound| bound.time = lane.own().bound);
    }

    /// Ends a step: every node starts a service, if it can be no other than the next.
    ///
    /// Gives the earliest time before the horizon at which a service could start at the node, or where its token goes; the greatest time if there is
    /// none.
    #[kernel(reduce = min)]
    pub fn serve(
        me: &mut Facility,
        outlook: &mut Outlook,
        line: &mut Line,
        servers: &mut Servers,
        parcel: &mut Parcel,
        bound: &Bound,
        visits: &Rows<Visit>,
        routes: &Rows<Route>,
        laws: &Rows<LawRow>,
        quantiles: &Rows<Quantile>,
        clock: &Rows<Clock>,
        times: &Tally<u64>,
        throttle: &Throttle,
    ) -> u64 {
        parcel.to = 0;
        let mut next = u64::MAX;
        let mut start = next_start(outlook, line);
        let latest = clock.get(0).time.saturating_add(throttle.window);
        if start < bound.input && start < me.horizon && start <= latest {
            let sent = me.advance(start, outlook, line, servers, visits, routes, laws, quantiles, times);
            if sent.to > 0 {
                parcel.time = sent.time;
                parcel.number = sent.number;
                parcel.from = me.number;
                parcel.to = sent.to;
                parcel.class = sent.class;
                if sent.time < me.horizon {
                    next = sent.time;
                }
            }
            start = next_start(outlook, line);
        }
        if start < me.horizon {
            next = next.min(start);
        }
        next
    }

    /// Ends a run: the tokens enter that arrive before the horizon without a service starting after them.
    #[kernel]
    pub fn settle(me: &mut Facility, line: &mut Line, servers: &mut Servers, visits: &Rows<Visit>) {
        if me.servers > 0 && me.horizon > 0 {
            me.admit(me.horizon - 1, me.horizon, line, servers, visits);
        }
    }

    /// Begins a run: sets the horizon of every node to that of its network.
    #[kernel]
    pub fn extend(me: &mut Facility, limits: &Rows<Limit>) {
        me.horizon = limits.get(me.network).horizon;
    }
}
