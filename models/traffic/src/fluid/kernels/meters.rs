//! What is added up while fluids go on, as kernels: sums over time, of which means are made.

macro_rules! kernels {
    ($size:ident, $module:ident: $number:ident) => {
        /// Sums over time of queues and flows.
        #[imminent_core::kernels]
        pub mod $module {
            use crate::fluid::kernels::equations::$size::fluids::{Flow, Passing, Queue, Terms};
            use crate::fluid::kernels::known::$size::known::Known;
            use crate::fluid::kernels::passages::$size::ways::Net;

            /// A sum of many numbers.
            pub struct Sum {
                /// The sum, rounded.
                pub sum: $number,
                /// What it is too large by.
                pub rest: $number,
            }

            /// A sum with one number more.
            pub fn plus(sum: Sum, more: $number) -> Sum {
                let more = more - sum.rest;
                let next = sum.sum + more;
                Sum { sum: next, rest: (next - sum.sum) - more }
            }

            /// Sums over the steps of a queue.
            #[derive(Row)]
            pub struct QueueMeter {
                /// The queue.
                pub queue: u32,
                /// Steps after which nothing waited.
                pub idle: u32,
                /// The greatest length after a step.
                pub greatest: $number,
                /// Lengths after the steps.
                pub length: Sum,
                /// Shares of the bandwidth that were used.
                pub used: Sum,
                /// What arrived, in bytes per second.
                pub arrivals: Sum,
                /// What of it was lost.
                pub losses: Sum,
            }

            /// Sums over the steps at which a flow was on.
            #[derive(Row)]
            pub struct FlowMeter {
                /// The flow.
                pub flow: u32,
                /// How many they are.
                pub steps: u32,
                /// What it sent, in bytes per second.
                pub rate: Sum,
                /// Windows of its sessions, in packets.
                pub window: Sum,
                /// Round-trip times, in seconds.
                pub round_trip: Sum,
            }

            /// Adds a launch's steps to the sums of queues.
            #[kernel]
            pub fn meter_queue(
                me: &mut QueueMeter,
                passing: &History<Passing>,
                queues: &Rows<Queue>,
                clock: &Clock,
                net: &Net,
            ) {
                let queue = queues.get(me.queue);
                let mut at = passing.get(me.queue, clock.first());
                for i in 0..net.steps {
                    // A step's end is the next one's beginning.
                    let mut next = at;
                    let mut after = queue.length;
                    if i + 1 < net.steps {
                        next = passing.get(me.queue, clock.first() + i + 1);
                        after = next.waiting * queue.bandwidth;
                    }
                    let mut used = 1.0;
                    if after <= 0.0 {
                        me.idle += 1;
                        // All that waited and came is gone.
                        let came = at.arrivals * (1.0 - at.loss) / queue.bandwidth;
                        used = (at.waiting / net.step + came).min(1.0);
                    }
                    me.greatest = me.greatest.max(after);
                    me.length = plus(me.length, after);
                    me.used = plus(me.used, used);
                    me.arrivals = plus(me.arrivals, at.arrivals);
                    me.losses = plus(me.losses, at.arrivals * at.loss);
                    at = next;
                }
            }

            /// Adds a launch's steps to the sums of flows.
            #[kernel]
            pub fn meter_flow(
                me: &mut FlowMeter,
                sent: &History<$number>,
                known: &History<Known>,
                flows: &Rows<Flow>,
                terms: &Rows<Terms>,
                clock: &Clock,
                net: &Net,
            ) {
                let terms = terms.get(flows.get(me.flow).terms);
                for i in 0..net.steps {
                    let now = clock.first() + i;
                    if now >= terms.start && now < terms.stop {
                        let rate = sent.get(me.flow, now);
                        let round_trip = known.get(me.flow, now).waited() + terms.way;
                        me.steps += 1;
                        me.rate = plus(me.rate, rate);
                        me.round_trip = plus(me.round_trip, round_trip);
                        if terms.packets > 0.0 {
                            me.window = plus(me.window, rate * round_trip / terms.packets);
                        }
                    }
                }
            }
        }
    };
}

/// In numbers of 32 bits.
pub(super) mod single {
    kernels!(single, meters: f32);
}

/// In numbers of 64 bits.
pub(super) mod double {
    kernels!(double, meters: f64);
}
