//! Fluids between sender and receiver.
//!
//! A queue treats all fluid that enters it at one step alike. Equations 3, 4, 5 and 8 give the departure time, the
//! share that leaves, and the losses. None of these depends on the flow. The kernels therefore compute a passage once
//! for all flows that have come on the same path from one sender, not for every flow at every hop. The rate of a flow
//! at a hop is its sending rate at the passage's first step, times the remaining share.
//!
//! Rates of several flows of one sender are summed before they are sent, because these flows pass the same queues until
//! their paths part.

/// Flows on their paths.
#[imminent_core::kernels(Number = [f32 as single, f64 as double])]
pub mod paths {
    /// Passage of fluid from one place to another.
    ///
    /// All zeros means that nothing has arrived. No step is 0, since the clock starts above 0.
    pub struct Passage {
        /// Step at which the fluid was at the first place.
        pub since: u32,
        /// Share of the fluid that reached the second place.
        pub share: Number,
        /// Queueing delay between the two places, in seconds.
        pub waited: Number,
        /// Share of the fluid that was lost. The rest is in the queues: it leaves more slowly than it came.
        pub lost: Number,
    }

    /// Consecutive rows, from `first` up to but not including `end`.
    pub struct Span {
        /// First row.
        pub first: u32,
        /// Row after the last one.
        pub end: u32,
    }

    /// Rows whose rates are summed by one invocation.
    #[derive(Row)]
    pub struct Block {
        /// The rows.
        pub rows: Span,
    }

    /// Position in the order of routes, by sender and then link by link. Flows whose paths begin with the same
    /// links have neighbouring positions.
    #[derive(Row)]
    pub struct FlowSlot {
        /// Row of the flow.
        pub flow: u32,
    }

    /// Flows of one sender that share the first links of their paths, and therefore have neighbouring
    /// positions.
    #[derive(Row)]
    pub struct Crowd {
        /// Flows before the first whole block.
        pub flows: Span,
        /// Blocks of flows before the first large block.
        pub blocks: Span,
        /// Large blocks.
        pub large: Span,
        /// Blocks after the large ones.
        pub more_blocks: Span,
        /// Flows after the last block.
        pub more_flows: Span,
    }

    /// Index that stands for no branch.
    pub const NOWHERE: u32 = 4294967295;

    /// Link on the path of flows that all came the same way from one sender.
    #[derive(Row)]
    pub struct Branch {
        /// Branch of the previous link, or [`NOWHERE`].
        pub before: u32,
        /// Queue of the previous link.
        pub queue: u32,
        /// Flow or crowd on this branch: twice the number of a flow, or twice the number of a crowd plus one.
        pub of: u32,
    }

    /// Branches that enter a queue.
    #[derive(Row)]
    pub struct Entry {
        /// Blocks of branches.
        pub blocks: Span,
    }

    /// Parameters shared by all rows.
    #[derive(Params)]
    pub struct Net {
        /// Steps per launch.
        pub steps: u32,
        /// Length of a step, in seconds.
        pub step: Number,
        /// Largest window, in packets.
        pub largest: Number,
        /// Divisor of the window at a loss ([`Rules::divisor`](crate::fluid::Rules)).
        pub divisor: Number,
        /// Number of losses that a session sees for each loss in a queue.
        pub losses_seen: Number,
        /// `true` if the losses of one round trip count once.
        pub once: bool,
    }

    /// Returns the passage of fluid where nothing has arrived.
    pub fn nothing() -> Passage {
        Passage { since: 0, share: 0.0, waited: 0.0, lost: 0.0 }
    }

    /// Joins a passage and the one that starts where it ends.
    pub fn onward(first: Passage, next: Passage) -> Passage {
        Passage {
            since: first.since,
            share: first.share * next.share,
            waited: first.waited + next.waited,
            lost: first.lost + first.share * next.lost,
        }
    }

    /// Returns the age of the fluid that arrives at a step, in steps.
    pub fn age(comes: &Passage, now: u32) -> u32 {
        if comes.since > 0 { now - comes.since } else { 0 }
    }

    /// Returns the step after `now`, or `now` itself for the last step of a launch. Steps are processed in
    /// pairs, which overlaps their memory accesses.
    pub fn beside(now: u32, clock: &Clock, net: &Net) -> u32 {
        now + u32::from(now + 1 < clock.first() + net.steps)
    }

    /// Rates at two steps.
    pub struct Two {
        /// Rate at the first step.
        pub now: Number,
        /// Rate at the second step.
        pub next: Number,
    }

    /// Sums consecutive rows. Four rows are read before the first is added.
    fn sum(rates: &History<Number>, rows: &Span, now: u32, next: u32) -> Two {
        let mut sum = Two { now: 0.0, next: 0.0 };
        let mut row = rows.first;
        while rows.end - row >= 4 {
            let first = Two { now: rates.get(row, now), next: rates.get(row, next) };
            let second = Two { now: rates.get(row + 1, now), next: rates.get(row + 1, next) };
            let third = Two { now: rates.get(row + 2, now), next: rates.get(row + 2, next) };
            let fourth = Two { now: rates.get(row + 3, now), next: rates.get(row + 3, next) };
            sum.now = sum.now + first.now + second.now + third.now + fourth.now;
            sum.next = sum.next + first.next + second.next + third.next + fourth.next;
            row += 4;
        }
        while row < rows.end {
            sum.now += rates.get(row, now);
            sum.next += rates.get(row, next);
            row += 1;
        }
        sum
    }

    /// Copies the sending rates of flows to their positions.
    #[kernel]
    pub fn line_up(me: &FlowSlot, lined_up: &mut History<Number>, sent: &History<Number>, clock: &Clock, net: &Net) {
        let mut now = clock.first();
        while now < clock.first() + net.steps {
            let next = beside(now, clock, net);
            let rates = Two { now: sent.get(me.flow, now), next: sent.get(me.flow, next) };
            lined_up.set(now, rates.now);
            lined_up.set(next, rates.next);
            now += 2;
        }
    }

    /// Sums the sending rates of blocks of rows.
    #[kernel]
    pub fn add(me: &Block, sums: &mut History<Number>, rates: &History<Number>, clock: &Clock, net: &Net) {
        let mut now = clock.first();
        while now < clock.first() + net.steps {
            let next = beside(now, clock, net);
            let sum = sum(rates, &me.rows, now, next);
            sums.set(now, sum.now);
            sums.set(next, sum.next);
            now += 2;
        }
    }

    /// Sums the sending rates of crowds.
    #[kernel]
    pub fn assemble(
        me: &Crowd,
        crowds: &mut History<Number>,
        lined_up: &History<Number>,
        blocks: &History<Number>,
        large: &History<Number>,
        clock: &Clock,
        net: &Net,
    ) {
        let mut now = clock.first();
        while now < clock.first() + net.steps {
            let next = beside(now, clock, net);
            let head = sum(lined_up, &me.flows, now, next);
            let before = sum(blocks, &me.blocks, now, next);
            let most = sum(large, &me.large, now, next);
            let after = sum(blocks, &me.more_blocks, now, next);
            let tail = sum(lined_up, &me.more_flows, now, next);
            crowds.set(now, head.now + before.now + most.now + (after.now + tail.now));
            crowds.set(next, head.next + before.next + most.next + (after.next + tail.next));
            now += 2;
        }
    }

    /// Equation 7: computes the fluid that each branch brings to its queue.
    #[kernel]
    pub fn travel(
        me: &Branch,
        passages: &mut History<Passage>,
        arriving: &mut History<Number>,
        through: &History<Passage>,
        sent: &History<Number>,
        crowds: &History<Number>,
        clock: &Clock,
        net: &Net,
    ) {
        let of = me.of / 2;
        let mut now = clock.first();
        while now < clock.first() + net.steps {
            let next = beside(now, clock, net);
            let mut passage = Passage { since: now, share: 1.0, waited: 0.0, lost: 0.0 };
            let mut later = Passage { since: next, share: 1.0, waited: 0.0, lost: 0.0 };
            if me.before != NOWHERE {
                let last = through.get(me.queue, now);
                let last_later = through.get(me.queue, next);
                passage = nothing();
                later = nothing();
                if last.since > 0 {
                    passage = passages.get(me.before, last.since);
                }
                if last_later.since > 0 {
                    later = passages.get(me.before, last_later.since);
                }
                passage = onward(passage, last);
                later = onward(later, last_later);
            }
            let mut rates = Two { now: 0.0, next: 0.0 };
            if me.of % 2 == 1 {
                if passage.since > 0 {
                    rates.now = crowds.get(of, passage.since);
                }
                if later.since > 0 {
                    rates.next = crowds.get(of, later.since);
                }
            } else {
                if passage.since > 0 {
                    rates.now = sent.get(of, passage.since);
                }
                if later.since > 0 {
                    rates.next = sent.get(of, later.since);
                }
            }
            passages.set(now, passage);
            passages.set(next, later);
            arriving.set(now, rates.now * passage.share);
            arriving.set(next, rates.next * later.share);
            now += 2;
        }
    }

    /// Adds the arrivals of branches to the arrivals of their queues.
    #[kernel]
    pub fn enter(me: &Entry, entering: &mut History<Number>, blocks: &History<Number>, clock: &Clock, net: &Net) {
        let mut now = clock.first();
        while now < clock.first() + net.steps {
            let next = beside(now, clock, net);
            let before = Two { now: entering.own(now), next: entering.own(next) };
            let sum = sum(blocks, &me.blocks, now, next);
            entering.set(now, before.now + sum.now);
            entering.set(next, before.next + sum.next);
            now += 2;
        }
    }

    /// Returns the age of the oldest fluid that reaches a queue next.
    #[kernel(reduce = max)]
    pub fn under_way(me: &Branch, passages: &History<Passage>, through: &History<Passage>, clock: &Clock) -> u32 {
        let mut since = 0;
        if me.before != NOWHERE {
            since = through.get(me.queue, clock.first()).since;
        }
        let mut passage = nothing();
        if since > 0 {
            passage = passages.get(me.before, since);
        }
        age(&passage, clock.first())
    }
}
