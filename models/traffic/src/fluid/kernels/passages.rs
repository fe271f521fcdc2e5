//! What becomes of fluids on their ways.
//!
//! A queue does the same to all that enters it at one step: equations 3, 4, 5 and 8 say when it leaves, which share of it, and what was lost, and none of that
//! depends on whose it is. So what is computed is not what every flow has at every hop, but what becomes of fluid there, once for all flows that
//! have come the same way from one sender. What a flow has at a hop is what it sent back then, times the share that is left.
//!
//! A sum of several flows of one sender is formed before they are sent, since until their ways part they share their fate.

macro_rules! kernels {
    ($module:ident: $number:ident) => {
        /// Flows on their ways.
        #[imminent_core::kernels]
        pub mod $module {
            /// What became of fluid between two places.
            ///
            /// All zeros is where nothing has come: no step is 0, since the clock begins later.
            pub struct Passage {
                /// The step at which it was at the first.
                pub since: u32,
                /// How much of it has come to the second.
                pub share: $number,
                /// Seconds that it waited in queues between them.
                pub waited: $number,
                /// How much of it was lost. The rest is in the queues: fluid that leaves slower than it came.
                pub lost: $number,
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

            /// A place in the order of routes, by sender and then link by link: flows that begin with the same links have places one after the other.
            #[derive(Row)]
            pub struct Place {
                /// The flow.
                pub flow: u32,
            }

            /// Several flows of one sender, which have places one after the other: those that begin with the same links.
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

            /// The number of a branch where there is none.
            pub const NOWHERE: u32 = 4294967295;

            /// A link where it is taken by flows that all came the same way from one sender.
            #[derive(Row)]
            pub struct Branch {
                /// The branch of the link before, or [`NOWHERE`].
                pub before: u32,
                /// The queue of the link before.
                pub queue: u32,
                /// What is on this way: twice the number of a flow, or twice that of a crowd and one.
                pub of: u32,
            }

            /// What enters a queue.
            #[derive(Row)]
            pub struct Entry {
                /// Blocks of branches.
                pub blocks: Span,
            }

            /// What all have in common.
            #[derive(Params)]
            pub struct Net {
                /// Steps of a launch.
                pub steps: u32,
                /// Seconds of a step.
                pub step: $number,
                /// Packets of the largest window.
                pub largest: $number,
                /// Of a window that is lost at a loss, one in so many.
                pub divisor: $number,
                /// Losses that a session sees for each that a queue makes.
                pub losses_seen: $number,
                /// Whether those of one round trip count once.
                pub once: bool,
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

            /// For how long what comes at a step has been under way.
            pub fn age(comes: &Passage, now: u32) -> u32 {
                if comes.since > 0 { now - comes.since } else { 0 }
            }

            /// Steps are looked at two by two, so that what is read for one does not wait for the other: the one after a step, or after a launch's last this once more.
            pub fn beside(now: u32, clock: &Clock, net: &Net) -> u32 {
                now + u32::from(now + 1 < clock.first() + net.steps)
            }

            /// Rates at two steps.
            pub struct Two {
                /// At the first.
                pub now: $number,
                /// At the second.
                pub next: $number,
            }

            /// Adds up rows one after the other. Four are read before the first of them is added.
            fn sum(rates: &History<$number>, rows: &Span, now: u32, next: u32) -> Two {
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

            /// What flows send, by their places.
            #[kernel]
            pub fn line_up(
                me: &Place,
                lined_up: &mut History<$number>,
                sent: &History<$number>,
                clock: &Clock,
                net: &Net,
            ) {
                let mut now = clock.first();
                while now < clock.first() + net.steps {
                    let next = beside(now, clock, net);
                    let rates = Two { now: sent.get(me.flow, now), next: sent.get(me.flow, next) };
                    lined_up.set(now, rates.now);
                    lined_up.set(next, rates.next);
                    now += 2;
                }
            }

            /// What blocks of rows send together.
            #[kernel]
            pub fn add(me: &Block, sums: &mut History<$number>, rates: &History<$number>, clock: &Clock, net: &Net) {
                let mut now = clock.first();
                while now < clock.first() + net.steps {
                    let next = beside(now, clock, net);
                    let sum = sum(rates, &me.rows, now, next);
                    sums.set(now, sum.now);
                    sums.set(next, sum.next);
                    now += 2;
                }
            }

            /// What crowds send.
            #[kernel]
            pub fn assemble(
                me: &Crowd,
                crowds: &mut History<$number>,
                lined_up: &History<$number>,
                blocks: &History<$number>,
                large: &History<$number>,
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

            /// Equation 7: what comes to a queue on each way.
            #[kernel]
            pub fn travel(
                me: &Branch,
                passages: &mut History<Passage>,
                arriving: &mut History<$number>,
                through: &History<Passage>,
                sent: &History<$number>,
                crowds: &History<$number>,
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

            /// Adds what comes on branches to what enters their queues.
            #[kernel]
            pub fn enter(
                me: &Entry,
                entering: &mut History<$number>,
                blocks: &History<$number>,
                clock: &Clock,
                net: &Net,
            ) {
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

            /// How long the oldest of what comes to queues next has been under way.
            #[kernel(reduce = max)]
            pub fn under_way(
                me: &Branch,
                passages: &History<Passage>,
                through: &History<Passage>,
                clock: &Clock,
            ) -> u32 {
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
    };
}

/// In numbers of 32 bits.
pub(super) mod single {
    kernels!(ways: f32);
}

/// In numbers of 64 bits.
pub(super) mod double {
    kernels!(ways: f64);
}
