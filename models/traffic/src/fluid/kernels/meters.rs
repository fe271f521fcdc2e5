//! Kernels that add up sums over time, for means.

/// Sums over time of queues and flows.
#[imminent_core::kernels(Number = [f32 as single, f64 as double])]
pub mod meters {
    use crate::fluid::kernels::equations::fluids::Number::{Flow, Passing, Queue, Terms};
    use crate::fluid::kernels::known::Number::known::Known;
    use crate::fluid::kernels::passages::paths::Number::Net;

    /// Compensated (Kahan) sum.
    pub struct Sum {
        /// The rounded sum.
        pub sum: Number,
        /// Amount by which `sum` is too large.
        pub rest: Number,
    }

    /// Adds a number to a sum.
    pub fn plus(sum: Sum, more: Number) -> Sum {
        let more = more - sum.rest;
        let next = sum.sum + more;
        Sum { sum: next, rest: (next - sum.sum) - more }
    }

    /// Sums over the steps of a queue.
    #[derive(Row)]
    pub struct QueueMeter {
        /// Row of the queue.
        pub queue: u32,
        /// Number of steps after which the queue was empty.
        pub idle: u32,
        /// Greatest length after a step.
        pub greatest: Number,
        /// Sum of the lengths after the steps.
        pub length: Sum,
        /// Sum of the shares of the bandwidth that were used.
        pub used: Sum,
        /// Sum of the arrivals, in bytes per second.
        pub arrivals: Sum,
        /// Sum of the losses, in bytes per second.
        pub losses: Sum,
    }

    /// Sums over the steps at which a flow was active.
    #[derive(Row)]
    pub struct FlowMeter {
        /// Row of the flow.
        pub flow: u32,
        /// Number of these steps.
        pub steps: u32,
        /// Sum of the sending rates, in bytes per second.
        pub rate: Sum,
        /// Sum of the windows of its sessions, in packets.
        pub window: Sum,
        /// Sum of the round-trip times, in seconds.
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
            // The end of a step is the start of the next one.
            let mut next = at;
            let mut after = queue.length;
            if i + 1 < net.steps {
                next = passing.get(me.queue, clock.first() + i + 1);
                after = next.waiting * queue.bandwidth;
            }
            let mut used = 1.0;
            if after <= 0.0 {
                me.idle += 1;
                // All waiting fluid and all arrivals have left.
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
        sent: &History<Number>,
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
