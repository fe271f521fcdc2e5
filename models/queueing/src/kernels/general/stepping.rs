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
    use crate::kernels::general::facility::{Departure, Facility, Route, Visit, known_until, next_start};
    use crate::kernels::general::line::{Line, Token};
    use crate::kernels::general::servers::Servers;
    use crate::kernels::law::{LawRow, Quantile};
    use crate::kernels::relaxation::{Bound, Far, Outlook, Reach, falls, first_of_group, input};
    use crate::kernels::station::Clock;

    /// Number of tokens that can come to a node from each in-neighbour after its step has begun, until the program
    /// stops because lines are too full. One comes in this step, which starts services twice. Two come in the next,
    /// which finds that there is no room for more and ends before it stops.
    pub const NEWCOMERS: u32 = 3;

    /// Message with the token that a node sent last.
    #[derive(Row)]
    pub struct Parcel {
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

    /// Adds a token to the expected ones of this row, if it goes there.
    fn expect(line: &mut Line, row: u32, parcel: &Parcel) {
        if parcel.to == row + 1 {
            line.expect(Token { time: parcel.time, number: parcel.number, from: parcel.from, class: parcel.class });
        }
    }

    /// Adds the tokens that were sent to the node in this row to its expected ones.
    pub fn take_in(line: &mut Line, reach: &Reach, row: u32, parcels: &Rows<Parcel>, fars: &Rows<Far>) {
        let first = first_of_group(row);
        for k in 0..reach.near {
            let parcel = parcels.get(first + reach.place(k));
            expect(line, row, parcel);
        }
        for edge in reach.first_far..reach.first_far + reach.far {
            let parcel = parcels.get(fars.get(edge).node);
            expect(line, row, parcel);
        }
    }

    /// Publishes a token that a node sends, if it goes to a node.
    fn show(parcel: &mut Parcel, sent: Departure, from: u32) {
        if sent.to > 0 {
            parcel.time = sent.time;
            parcel.number = sent.number;
            parcel.from = from;
            parcel.to = sent.to;
            parcel.class = sent.class;
        }
    }

    /// Sends the first pending departure if its turn is settled, and starts a service if it is certain to be the next.
    /// Nothing comes before `input`, and no service starts after `latest`. A node with pending departures sends nothing
    /// at the start of a service. Returns `true` if it did any of this.
    fn start_next(
        me: &mut Facility,
        outlook: &mut Outlook,
        line: &mut Line,
        servers: &mut Servers,
        departures: &mut Departures,
        parcel: &mut Parcel,
        input: u64,
        latest: u64,
        visits: &Rows<Visit>,
        routes: &Rows<Route>,
        laws: &Rows<LawRow>,
        quantiles: &Rows<Quantile>,
        times: &Tally<u64>,
        classes: &Tally<u64>,
    ) -> bool {
        parcel.to = 0;
        let mut active = false;
        if departures.next < me.horizon && departures.next <= known_until(outlook, line, input) {
            let sent = me.depart(departures, visits, routes);
            show(parcel, sent, me.number);
            active = true;
        }
        let start = next_start(outlook, line);
        if start < input && start <= latest && start < me.horizon {
            let sent =
                me.advance(start, outlook, line, servers, departures, visits, routes, laws, quantiles, times, classes);
            show(parcel, sent, me.number);
            active = true;
        }
        active
    }

    /// Begins a step, in which no service has `started` yet. Every node receives the tokens that were sent to it and
    /// computes its bound within its own group.
    #[kernel(group = 256)]
    pub fn begin(
        group: &mut Group<u64>,
        lines: &mut Each<Line>,
        outlooks: &Each<Outlook>,
        departures: &Each<Departures>,
        reaches: &Each<Reach>,
        bounds: &mut Each<Bound>,
        parcels: &Rows<Parcel>,
        fars: &Rows<Far>,
        too_full: &Tally<u32>,
        started: &Tally<u32>,
    ) {
        if group.index() == 0 {
            started.and(0, 0);
        }
        let full = group.any((lines, outlooks, departures, reaches), |lane, (line, me, departures, reach)| {
            take_in(line, reach, lane.row(), parcels, fars);
            lane.set(next_start(me, line).saturating_add(me.ahead).min(departures.next));
            line.expected + line.waiting + NEWCOMERS * (reach.near + reach.far) > line.inbox.capacity()
        });
        if full {
            too_full.or(0, 1);
        }
        while group.any((outlooks, reaches), |lane, (me, reach)| falls(lane, me, reach)) {}
        group.phase(bounds, |lane, bound| bound.time = lane.own());
    }

    /// Starts the next service of every node that may start one, and sends the first pending departure whose turn is
    /// settled.
    #[kernel(group = 256)]
    pub fn serve(
        group: &mut Group<bool>,
        facilities: &mut Each<Facility>,
        outlooks: &mut Each<Outlook>,
        lines: &mut Each<Line>,
        servers: &mut Each<Servers>,
        departures: &mut Each<Departures>,
        parcels: &mut Each<Parcel>,
        reaches: &Each<Reach>,
        bounds: &Rows<Bound>,
        fars: &Rows<Far>,
        visits: &Rows<Visit>,
        routes: &Rows<Route>,
        laws: &Rows<LawRow>,
        quantiles: &Rows<Quantile>,
        clock: &Rows<Clock>,
        times: &Tally<u64>,
        classes: &Tally<u64>,
        started: &Tally<u32>,
        throttle: &Throttle,
    ) {
        let latest = clock.get(0).time.saturating_add(throttle.window);
        let any = group.any(
            (facilities, outlooks, lines, servers, departures, parcels, reaches),
            |lane, (me, outlook, line, servers, departures, parcel, reach)| {
                let input = input(reach, lane.row(), bounds, fars);
                start_next(
                    me, outlook, line, servers, departures, parcel, input, latest, visits, routes, laws, quantiles,
                    times, classes,
                )
            },
        );
        if any {
            started.or(0, 1);
        }
    }

    /// Ends a step: starts services once more, after every node has received the tokens that were sent to it.
    #[kernel]
    pub fn serve_again(
        me: &mut Facility,
        outlook: &mut Outlook,
        line: &mut Line,
        servers: &mut Servers,
        departures: &mut Departures,
        parcel: &mut Parcel,
        parcels: &Rows<Parcel>,
        reach: &Reach,
        bounds: &Rows<Bound>,
        fars: &Rows<Far>,
        visits: &Rows<Visit>,
        routes: &Rows<Route>,
        laws: &Rows<LawRow>,
        quantiles: &Rows<Quantile>,
        times: &Tally<u64>,
        classes: &Tally<u64>,
        id: u32,
    ) {
        take_in(line, reach, id, parcels, fars);
        let input = input(reach, id, bounds, fars);
        start_next(
            me,
            outlook,
            line,
            servers,
            departures,
            parcel,
            input,
            u64::MAX,
            visits,
            routes,
            laws,
            quantiles,
            times,
            classes,
        );
    }

    /// Ends a step as `serve_again`, but limits how far nodes may run ahead of the slowest.
    ///
    /// Returns the earliest event before the horizon: a service start at the node or at the destination of its token,
    /// or a pending departure. Returns the greatest time if there is none.
    #[kernel(reduce = min)]
    pub fn serve_again_behind(
        me: &mut Facility,
        outlook: &mut Outlook,
        line: &mut Line,
        servers: &mut Servers,
        departures: &mut Departures,
        parcel: &mut Parcel,
        parcels: &Rows<Parcel>,
        reach: &Reach,
        bounds: &Rows<Bound>,
        fars: &Rows<Far>,
        visits: &Rows<Visit>,
        routes: &Rows<Route>,
        laws: &Rows<LawRow>,
        quantiles: &Rows<Quantile>,
        clock: &Rows<Clock>,
        times: &Tally<u64>,
        classes: &Tally<u64>,
        throttle: &Throttle,
        id: u32,
    ) -> u64 {
        take_in(line, reach, id, parcels, fars);
        let input = input(reach, id, bounds, fars);
        let latest = clock.get(0).time.saturating_add(throttle.window);
        start_next(
            me, outlook, line, servers, departures, parcel, input, latest, visits, routes, laws, quantiles, times,
            classes,
        );
        let mut next = next_start(outlook, line).min(departures.next);
        if parcel.to > 0 {
            next = next.min(parcel.time);
        }
        if next < me.horizon { next } else { u64::MAX }
    }

    /// Ends a run: lets tokens enter that arrive before the horizon without a service starting after them.
    #[kernel]
    pub fn settle(
        me: &mut Facility,
        line: &mut Line,
        servers: &mut Servers,
        visits: &Rows<Visit>,
        classes: &Tally<u64>,
    ) {
        if me.servers > 0 && me.horizon > 0 {
            me.admit(me.horizon - 1, me.horizon, line, servers, visits, classes);
        }
    }

    /// Begins a run: sets the horizon of every node to that of its network.
    #[kernel]
    pub fn extend(me: &mut Facility, servers: &Servers, limits: &Rows<Limit>, times: &Tally<u64>) {
        me.extend(limits.get(me.network).horizon, servers, times);
    }
}
