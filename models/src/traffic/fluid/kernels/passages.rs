//! What becomes of fluids on their ways.
//!
//! A queue does the same to all that enters it at one step: equations 3, 4, 5 and 8 say when it leaves, which share of it, and what was lost, and none of that
//! depends on whose it is. So what is computed is not what every flow has at every hop, but what becomes of fluid there, once for all flows that
//! have come the same way from one sender. What a flow has at a hop is what it sent back then, times the share that is left.
//!
//! A sum of several flows of one sender is formed before they are sent, since until their ways part they share their fate.

/// Flows on their ways.
#[imminent_core::kernels]
pub mod ways {
    /// What became of fluid between two places.
    ///
    /// All zeros is where nothing has come: no step is 0, since the clock begins later.
    pub struct Passage {
        /// The step at which it was at the first.
        pub since: u32,
        /// How much of it has come to the second.
        pub share: f32,
        /// Seconds that it waited in queues between them.
        pub waited: f32,
        /// How much of it was lost. The rest is in the queues: fluid that leaves slower than it came.
        pub lost: f32,
    }

    /// Rows one after the other: from the first to before the end.
    pub struct Span {
        /// The first.
        pub first: u32,
        /// The one after the last.
        pub end: u32,
    }

    /// Rows whose rates are summed by one invocation.
    #[derive(Row)]
    pub struct Block {
        /// The rows.
        pub rows: Span,
    }

    /// Several flows of one sender, which lie one after the other: those that begin with the same links.
    #[derive(Row)]
    pub struct Crowd {
        /// The first of them, until a block begins.
        pub flows: Span,
        /// Blocks of flows, until a large one begins.
        pub blocks: Span,
        /// Large blocks.
        pub large: Span,
        /// More blocks.
        pub more_blocks: Span,
        /// More flows.
        pub more_flows: Span,
    }

    /// A link where it is taken by flows that all came the same way from one sender.
    #[derive(Row)]
    pub struct Branch {
        /// The branch of the link before.
        pub before: u32,
        /// The queue of the link before.
        pub queue: u32,
        /// Steps of the link before; 0 if there is none.
        pub lag: u32,
        /// What is on this way: a flow, or a crowd.
        pub of: u32,
        /// Whether it is a crowd.
        pub is_crowd: u32,
    }

    /// What enters a queue.
    #[derive(Row)]
    pub struct Entry {
        /// Blocks of branches.
        pub blocks: Span,
    }

    /// A number of steps.
    #[derive(Row)]
    pub struct Age {
        /// How long what comes has been under way, at most.
        pub steps: u32,
    }

    /// What all have in common.
    #[derive(Params)]
    pub struct Net {
        /// Steps of a launch.
        pub steps: u32,
        /// Seconds of a step.
        pub step: f32,
        /// Packets of the largest window.
        pub largest: f32,
        /// Of a window that is lost at a loss, one in so many.
        pub divisor: f32,
        /// Losses that a session sees for each that a queue makes.
        pub losses_seen: f32,
    }

    /// Where nothing has come.
    pub fn nothing() -> Passage {
        Passage { since: 0, share: 0.0, waited: 0.0, lost: 0.0 }
    }

    /// One passage, and another from where it ended.
    pub fn onward(first: Passage, next: Passage) -> Passage {
        Passage {
            since: first.since,
            share: first.share * next.share,
            waited: first.waited + next.waited,
            lost: first.lost + first.share * next.lost,
        }
    }

    /// For how long fluid has been under way.
    pub fn age(passage: &Passage, now: u32) -> u32 {
        if passage.since > 0 { now - passage.since } else { 0 }
    }

    fn sum(rates: &History<f32>, rows: &Span, now: u32) -> f32 {
        let mut sum = 0.0;
        for row in rows.first..rows.end {
            sum += rates.get(row, now);
        }
        sum
    }

    /// What blocks of rows send together.
    #[kernel]
    pub fn add(me: &Block, sums: &mut History<f32>, rates: &History<f32>, clock: &Clock, net: &Net) {
        for i in 0..net.steps {
            let now = clock.first() + i;
            sums.set(now, sum(rates, &me.rows, now));
        }
    }

    /// What crowds send.
    #[kernel]
    pub fn assemble(
        me: &Crowd,
        crowds: &mut History<f32>,
        sent: &History<f32>,
        blocks: &History<f32>,
        large: &History<f32>,
        clock: &Clock,
        net: &Net,
    ) {
        for i in 0..net.steps {
            let now = clock.first() + i;
            let before = sum(sent, &me.flows, now) + sum(blocks, &me.blocks, now);
            let after = sum(blocks, &me.more_blocks, now) + sum(sent, &me.more_flows, now);
            crowds.set(now, before + sum(large, &me.large, now) + after);
        }
    }

    /// Equation 7: what comes to a queue on each way. Gives how long the oldest of it has been under way at the end.
    #[kernel(reduce = max)]
    pub fn travel(
        me: &Branch,
        passages: &mut History<Passage>,
        arriving: &mut History<f32>,
        through: &History<Passage>,
        sent: &History<f32>,
        crowds: &History<f32>,
        clock: &Clock,
        net: &Net,
    ) -> u32 {
        let mut oldest = 0;
        for i in 0..net.steps {
            let now = clock.first() + i;
            let mut passage = Passage { since: now, share: 1.0, waited: 0.0, lost: 0.0 };
            if me.lag > 0 {
                let last = through.get(me.queue, now - me.lag);
                passage = nothing();
                if last.since > 0 {
                    passage = onward(passages.get(me.before, last.since), last);
                }
            }
            passages.set(now, passage);
            let mut rate = 0.0;
            if passage.since > 0 {
                rate = if me.is_crowd == 1 { crowds.get(me.of, passage.since) } else { sent.get(me.of, passage.since) };
            }
            arriving.set(now, rate * passage.share);
            oldest = age(&passage, now);
        }
        oldest
    }
    /// Adds what comes on branches to what enters their queues.
    #[kernel]
    pub fn enter(me: &Entry, entering: &mut History<f32>, blocks: &History<f32>, clock: &Clock, net: &Net) {
        for i in 0..net.steps {
            let now = clock.first() + i;
            entering.set(now, entering.own(now) + sum(blocks, &me.blocks, now));
        }
    }
}
