//! The fluid equations as kernels: what the sequential simulation does, for all flows and queues at once.
//!
//! One launch of each kernel takes as many steps as the shortest link is long, since by then nothing that leaves a queue has reached the next: histories
//! know what left. They begin as zeros, which is an empty network: instead of the delay so far a passage tells what of it was waiting.

/// Flows and queues of fluids.
#[imminent_core::kernels]
pub mod fluids {
    use crate::traffic::fluid::kernels::ways::{Net, Passage, age, nothing, onward};

    /// What a sender knows of its flow.
    pub struct Known {
        /// Seconds that were waited in queues on the way.
        pub waited: f32,
        /// Bytes per second that were lost on the way.
        pub lost: f32,
    }

    /// A queue at a step.
    pub struct Passing {
        /// Bytes per second that arrive.
        pub arrivals: f32,
        /// The share of them that is lost.
        pub loss: f32,
        /// Seconds that they wait.
        pub waiting: f32,
    }

    /// A flow.
    #[derive(Row)]
    pub struct Flow {
        /// Packets of the window of a session.
        pub window: f32,
        /// What rounding took from it.
        pub window_rest: f32,
        /// Bytes of a packet of every session of TCP; 0 for UDP.
        pub packets: f32,
        /// Bytes per second of UDP.
        pub rate: f32,
        /// Seconds of the way there and back where nothing waits.
        pub way: f32,
        /// The first step at which it sends.
        pub start: u32,
        /// The first at which it does not any more.
        pub stop: u32,
        /// The branch of its last link.
        pub last: u32,
        /// The queue of that link.
        pub queue: u32,
        /// Steps of that link.
        pub lag: u32,
        /// Steps of the way back.
        pub back: u32,
        /// Round-trip time at the last step, in seconds.
        pub round_trip: f32,
        /// What a session saw lost at the last step, in packets per second.
        pub losses: f32,
    }

    /// The queue of a link.
    #[derive(Row)]
    pub struct Queue {
        /// Bytes per second that leave.
        pub bandwidth: f32,
        /// Bytes that fit.
        pub capacity: f32,
        /// RED: the share of the way to the length that the average goes in a step.
        pub weight: f32,
        /// RED: the average, in bytes, from which something is dropped; infinite for a queue without RED.
        pub least: f32,
        /// RED: the average, in bytes, above which everything is dropped.
        pub most: f32,
        /// RED: by what the share that is dropped grows between the two, per byte.
        pub slope: f32,
        /// Bytes.
        pub length: f32,
        /// What rounding took from it.
        pub length_rest: f32,
        /// RED: the average length, in bytes.
        pub average: f32,
        /// The share of what arrived at the last step that was lost.
        pub loss: f32,
        /// What arrived at the last step, in bytes per second.
        pub arrivals: f32,
        /// The last step for which it is known what leaves.
        pub until: u32,
        /// What leaves then.
        pub latest: Passage,
    }

    /// A step of Runge and Kutta's fourth order for equation 1: by what a window grows.
    fn growth(window: f32, round_trip: f32, losses: f32, net: &Net) -> f32 {
        let gain = 1.0 / round_trip;
        let decay = losses / net.divisor;
        let half = net.step / 2.0;
        let first = gain - window * decay;
        let second = gain - (window + half * first) * decay;
        let third = gain - (window + half * second) * decay;
        let fourth = gain - (window + net.step * third) * decay;
        net.step / 6.0 * (first + 2.0 * second + 2.0 * third + fourth)
    }

    /// Equations 1, 6, 9 and 10: what flows send, by what they know. Gives how long the oldest of what arrives has been under way at the end.
    #[kernel(reduce = max)]
    pub fn send(
        me: &mut Flow,
        sent: &mut History<f32>,
        known: &mut History<Known>,
        passages: &History<Passage>,
        through: &History<Passage>,
        clock: &Clock,
        net: &Net,
    ) -> u32 {
        let mut oldest = 0;
        for i in 0..net.steps {
            let now = clock.first() + i;
            let last = through.get(me.queue, now - me.lag);
            let mut arrived = nothing();
            let mut lost = 0.0;
            if last.since > 0 {
                arrived = onward(passages.get(me.last, last.since), last);
            }
            if arrived.since > 0 {
                lost = arrived.lost * sent.own(arrived.since);
            }
            oldest = age(&arrived, now);
            known.set(now + me.back, Known { waited: arrived.waited, lost });
            let seen = known.own(now);
            me.round_trip = seen.waited + me.way;
            let mut rate = 0.0;
            if now < me.start || now >= me.stop {
                me.window = 0.0;
                me.window_rest = 0.0;
                me.losses = 0.0;
            } else if me.packets == 0.0 {
                rate = me.rate;
            } else {
                me.losses = net.losses_seen * seen.lost / me.packets;
                if me.window < 1.0 {
                    me.window = 1.0;
                }
                rate = me.packets * me.window / me.round_trip;
                let more = growth(me.window, me.round_trip, me.losses, net) - me.window_rest;
                let next = me.window + more;
                me.window_rest = (next - me.window) - more;
                me.window = next.max(1.0).min(net.largest);
                if me.window != next {
                    me.window_rest = 0.0;
                }
            }
            sent.set(now, rate);
        }
        oldest
    }

    /// Equations 2, 3, 4, 5 and 8: how long queues are, what they lose, what leaves them, and when.
    #[kernel]
    pub fn pass(
        me: &mut Queue,
        passing: &mut History<Passing>,
        through: &mut History<Passage>,
        entering: &mut History<f32>,
        clock: &Clock,
        net: &Net,
    ) {
        for i in 0..net.steps {
            let now = clock.first() + i;
            let arrivals = entering.own(now);
            // The next launch begins to sum at the same place.
            entering.set(now, 0.0);
            let mut dropped = 0.0;
            if me.average >= me.least {
                dropped = if me.average <= me.most { me.slope * (me.average - me.least) } else { 1.0 };
            }
            let rest = arrivals * (1.0 - dropped);
            let excess = rest - me.bandwidth;
            let mut spilt = 0.0;
            if excess > 0.0 {
                let full_after = ((me.capacity - me.length) / excess).max(0.0).min(net.step);
                spilt = excess * (net.step - full_after) / (rest * net.step);
            }
            let loss = dropped + (1.0 - dropped) * spilt;
            let mut share = 1.0 - loss;
            if arrivals * share > me.bandwidth {
                share = me.bandwidth / arrivals;
            }
            let waited = me.length / me.bandwidth;
            passing.set(now, Passing { arrivals, loss, waiting: waited });
            let leaves = (now + (waited / net.step).ceil() as u32).max(me.until);
            for step in me.until + 1..leaves {
                through.set(step, me.latest);
            }
            me.latest = Passage { since: now, share, waited, lost: loss };
            me.until = leaves;
            through.set(leaves, me.latest);
            me.average += me.weight * (me.length - me.average);
            let more = (arrivals * (1.0 - loss) - me.bandwidth) * net.step - me.length_rest;
            let next = me.length + more;
            me.length_rest = (next - me.length) - more;
            me.length = next.max(0.0).min(me.capacity);
            if me.length != next {
                me.length_rest = 0.0;
            }
            me.loss = loss;
            me.arrivals = arrivals;
        }
    }
}
