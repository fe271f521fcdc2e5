//! The exact engine's sweep.

/// The exact engine: conservative, with each node's next service time as its lookahead.
///
/// A node may serve its earliest token as soon as no in-neighbour can still send an earlier one. Each node posts a bound below
/// which it sends nothing more: `max(free_at, min(earliest, EIT)) + next_service`, where `EIT`, the earliest input time, is the
/// least bound of its in-neighbours. Bounds of idle nodes would creep upward by a service time per sweep, so `EIT` is also at least
/// the earliest time at which any token of the whole network can move again, which the sweep before has found by
/// a reduction.
#[imminent_core::kernels]
pub mod exact {
    use crate::queueing::kernels::station::{Clock, Run, Source, Station, Target};

    /// What a node has told the others in one sweep.
    #[derive(Row)]
    pub struct Post {
        /// Nothing posted later is earlier than this.
        pub bound: u64,
        /// When the token posted now arrives.
        pub time: u64,
        /// The node to which it goes, counted from 1; 0 if no token is posted.
        pub to: u32,
    }

    /// One sweep of one node: takes in what was posted to it, serves at most one token, and posts it.
    ///
    /// Gives the earliest time at which a token of this node, or the one that it posted, can move again before the
    /// horizon; the greatest time if none can.
    #[kernel(reduce = min)]
    pub fn advance(
        me: &mut Station,
        post: &mut Post,
        before: &Rows<Post>,
        clock: &Rows<Clock>,
        sources: &Rows<Source>,
        targets: &Rows<Target>,
        run: &Run,
        fullest: &Tally<u32>,
        id: u32,
    ) -> u64 {
        let mut earliest_input = u64::MAX;
        for edge in me.first_source..me.first_source + me.sources {
            let from = before.get(sources.get(edge).node);
            if from.to == id + 1 {
                me.arrive(from.time);
            }
            earliest_input = earliest_input.min(from.bound);
        }
        earliest_input = earliest_input.max(clock.get(0).time.min(run.horizon));

        let mut next = u64::MAX;
        post.to = 0;
        if me.waiting > 0 {
            let arrival = me.earliest();
            let start = me.free_at.max(arrival);
            if arrival <= earliest_input && start < run.horizon {
                me.remove_earliest();
                let departure = me.serve(arrival, start, targets, run);
                post.time = departure.time;
                post.to = departure.to;
                if departure.time < run.horizon {
                    next = departure.time + 1;
                }
            }
        }

        let mut first = earliest_input;
        if me.waiting > 0 {
            let arrival = me.earliest();
            let start = me.free_at.max(arrival);
            if start < run.horizon {
                next = next.min(start + me.next_service);
            }
            first = first.min(arrival);
        }
        post.bound = me.free_at.max(first).saturating_add(me.next_service);
        // Two sweeps make a step, and each brings at most one token from every in-neighbour.
        let needed = me.waiting + 2 * me.sources;
        if needed > me.line.capacity() {
            fullest.max(0, needed);
        }
        next
    }
}
