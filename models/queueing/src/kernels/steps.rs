//! Kernels of the clustered-time engine.

/// The clustered-time engine of the papers: minimum, extraction and departures, facility update, rescheduling.
///
/// A step is defined in [`interval`](crate::interval). Each kernel reads the results of the previous one, and a node
/// writes to itself alone: the papers' alternate update.
#[imminent_core::kernels]
pub mod clustered {
    use crate::kernels::station::{Clock, InNeighbour, Routing, Run, Station};

    /// Token that a node releases in a step.
    #[derive(Row)]
    pub struct Release {
        /// Original time stamp of the token: the end of its service.
        pub time: u64,
        /// Destination node, counted from 1; 0 if none is released.
        pub to: u32,
    }

    /// Returns the step at which an event is executed: the least multiple of the interval at or after it.
    fn step_time(time: u64, run: &Run) -> u64 {
        if run.interval <= 1 {
            return time;
        }
        let whole = time / run.interval * run.interval;
        if whole == time { time } else { whole.saturating_add(run.interval) }
    }

    /// Kernel 1: finds the earliest end of a service.
    #[kernel(reduce = min)]
    pub fn minimum(me: &Station) -> u64 {
        if me.serving_for > 0 { me.free_at } else { u64::MAX }
    }

    /// Kernel 2: ends the services that end in this step, and publishes the tokens that they release.
    #[kernel]
    pub fn depart(me: &mut Station, release: &mut Release, clock: &Rows<Clock>, run: &Run) {
        let step = step_time(clock.get(0).time, run);
        release.to = 0;
        if me.serving_for > 0 && me.free_at <= step && step < run.horizon {
            release.time = me.free_at;
            release.to = me.serving_for;
            me.serving_for = 0;
        }
    }

    /// Kernel 3: each node receives the tokens released to it.
    #[kernel]
    pub fn update(
        me: &mut Station,
        releases: &Rows<Release>,
        sources: &Rows<InNeighbour>,
        fullest: &Tally<u32>,
        id: u32,
    ) {
        for edge in me.first_source..me.first_source + me.sources {
            let from = releases.get(sources.get(edge).node);
            if from.to == id + 1 {
                me.arrive(from.time);
            }
        }
        let needed = me.waiting + me.sources;
        if needed > me.line.capacity() {
            fullest.max(0, needed);
        }
    }

    /// Kernel 4: idle servers begin to serve the first of their line.
    #[kernel]
    pub fn reschedule(me: &mut Station, clock: &Rows<Clock>, routing: &Routing) {
        let step = step_time(clock.get(0).time, routing.run);
        if me.serving_for == 0 && me.waiting > 0 && step < routing.run.horizon {
            let arrival = me.earliest();
            me.remove_earliest();
            let departure = me.serve(arrival, step, routing);
            me.serving_for = departure.to;
        }
    }
}
