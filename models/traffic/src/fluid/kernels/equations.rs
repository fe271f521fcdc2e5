//! The fluid equations as kernels. They match the sequential simulation, but for all flows and queues at once.
//!
//! One launch makes as many steps as fit into the shortest link delay. Within it, nothing that leaves a queue reaches
//! the next one, so histories suffice. They begin as zeros, which is an empty network. For this reason a passage stores
//! its waiting time instead of its total delay.

/// Flows and queues of fluids.
#[imminent_core::kernels(Number = [f32 as single, f64 as double])]
pub mod fluids {
    use crate::fluid::kernels::known::Number::known::Known;
    use crate::fluid::kernels::passages::paths::Number::{Net, Passage, age, beside, nothing, onward};

    /// State of a queue at a step.
    pub struct Passing {
        /// Arrivals in bytes per second.
        pub arrivals: Number,
        /// Share of the arrivals that is lost.
        pub loss: Number,
        /// Waiting time of the arrivals, in seconds.
        pub waiting: Number,
    }

    /// Parameters shared by flows with the same path length and demand.
    #[derive(Row)]
    pub struct Terms {
        /// Bytes of a packet of every TCP session; 0 for UDP.
        pub packets: Number,
        /// Rate of UDP in bytes per second.
        pub rate: Number,
        /// Round-trip time without queueing, in seconds.
        pub way: Number,
        /// First step at which the flows send.
        pub start: u32,
        /// First step at which the flows no longer send.
        pub stop: u32,
        /// Steps of the path back.
        pub back: u32,
    }

    /// A flow.
    #[derive(Row)]
    pub struct Flow {
        /// Window of a session, in packets.
        pub window: Number,
        /// Rounding error of `window`.
        pub window_rest: Number,
        /// Index of the flow's terms.
        pub terms: u32,
        /// Branch of the last link of the flow.
        pub last: u32,
        /// Queue of the last link of the flow.
        pub queue: u32,
    }

    /// State of a flow after the last step.
    #[derive(Row)]
    pub struct Look {
        /// Window of a session, in packets.
        pub window: Number,
        /// Round-trip time, in seconds.
        pub round_trip: Number,
        /// Losses that a session saw, in packets per second.
        pub losses: Number,
    }

    /// Queue of a link.
    #[derive(Row)]
    pub struct Queue {
        /// Rate of the link, in bytes per second.
        pub bandwidth: Number,
        /// Delay of the link, in steps.
        pub lag: u32,
        /// Share of the departures that the link loses.
        pub link_loss: Number,
        /// Capacity in bytes.
        pub capacity: Number,
        /// RED: weight of the current length in the average, per step.
        pub weight: Number,
        /// RED: average length, in bytes, from which the queue drops; infinite for a queue without RED.
        pub least: Number,
        /// RED: average length, in bytes, above which the queue drops everything.
        pub most: Number,
        /// RED: increase of the drop probability between the two, per byte.
        pub slope: Number,
        /// Length in bytes.
        pub length: Number,
        /// Rounding error of `length`.
        pub length_rest: Number,
        /// RED: the average length, in bytes.
        pub average: Number,
        /// Share of the arrivals of the last step that was lost.
        pub loss: Number,
        /// Arrivals at the last step, in bytes per second.
        pub arrivals: Number,
        /// Last step whose departures are known.
        pub until: u32,
        /// Departures at that step.
        pub latest: Passage,
    }

    /// Returns the growth of a window by equation 1, with a fourth-order Runge-Kutta step.
    fn growth(window: Number, round_trip: Number, losses: Number, net: &Net) -> Number {
        let gain = 1.0 / round_trip;
        let decay = losses / net.divisor;
        let half = net.step / 2.0;
        let first = gain - window * decay;
        let second = gain - (window + half * first) * decay;
        let third = gain - (window + half * second) * decay;
        let fourth = gain - (window + net.step * third) * decay;
        net.step / 6.0 * (first + 2.0 * second + 2.0 * third + fourth)
    }

    /// Returns the share of round trips with a loss, if each of `packets` packets is lost with probability p: 1
    /// - (1 - p)^n. For 2n packets it is s(2 - s), for half as many s / (1 + sqrt(1 - s)), and for two numbers
    /// together s + t(1 - s). None of these cancels.
    fn some_lost(lost: Number, packets: Number) -> Number {
        let whole = packets.floor();
        let mut some = 0.0;
        let mut power = lost;
        let mut left = whole as u32;
        while left > 0 {
            if left % 2 == 1 {
                some += power * (1.0 - some);
            }
            power = power * (2.0 - power);
            left /= 2;
        }
        // The number of bits of the fraction bounds the loop.
        let mut part = packets - whole;
        let mut root = lost;
        while part > 0.0 {
            root = root / (1.0 + (1.0 - root).sqrt());
            part = 2.0 * part;
            if part >= 1.0 {
                some += root * (1.0 - some);
                part -= 1.0;
            }
        }
        some
    }

    /// Equations 1, 6, 9 and 10: computes the sending rates from the senders' knowledge of their flows.
    #[kernel]
    pub fn send(
        me: &mut Flow,
        terms: &Rows<Terms>,
        sent: &mut History<Number>,
        known: &mut History<Known>,
        passages: &History<Passage>,
        through: &History<Passage>,
        clock: &Clock,
        net: &Net,
    ) {
        let terms = terms.get(me.terms);
        let mut window = me.window;
        let mut window_rest = me.window_rest;
        let mut now = clock.first();
        while now < clock.first() + net.steps {
            let next = beside(now, clock, net);
            let last = through.get(me.queue, now);
            let last_later = through.get(me.queue, next);
            // The path back is longer than a launch, so these values were written before it.
            let known_now = known.own(now);
            let known_next = known.own(next);
            let mut arrived = nothing();
            let mut later = nothing();
            if last.since > 0 {
                arrived = passages.get(me.last, last.since);
            }
            if last_later.since > 0 {
                later = passages.get(me.last, last_later.since);
            }
            arrived = onward(arrived, last);
            later = onward(later, last_later);
            let mut lost = 0.0;
            let mut lost_later = 0.0;
            // Each flow's sending rate is elsewhere in memory. It is only needed if something is lost.
            if arrived.lost > 0.0 {
                lost = arrived.lost * sent.own(arrived.since);
            }
            if later.lost > 0.0 {
                lost_later = later.lost * sent.own(later.since);
            }
            known.set(now + terms.back, Known::of(arrived.waited, lost));
            known.set(next + terms.back, Known::of(later.waited, lost_later));
            for step in now..=next {
                let seen = if step == now { known_now } else { known_next };
                let mut rate = 0.0;
                if step < terms.start || step >= terms.stop {
                    window = 0.0;
                    window_rest = 0.0;
                } else if terms.packets == 0.0 {
                    rate = terms.rate;
                } else {
                    let round_trip = seen.waited() + terms.way;
                    let losses = net.losses_seen * seen.lost() / terms.packets;
                    if window < 1.0 {
                        window = 1.0;
                    }
                    rate = terms.packets * window / round_trip;
                    let mut counted = losses;
                    if net.once {
                        let lost = (losses * round_trip / window).min(1.0);
                        counted = some_lost(lost, window) / round_trip;
                    }
                    let more = growth(window, round_trip, counted, net) - window_rest;
                    let grown = window + more;
                    window_rest = (grown - window) - more;
                    window = grown.max(1.0).min(net.largest);
                    if window != grown {
                        window_rest = 0.0;
                    }
                }
                sent.set(step, rate);
            }
            now += 2;
        }
        me.window = window;
        me.window_rest = window_rest;
    }

    /// Equations 9 and 10 at the last step, for results only.
    #[kernel]
    pub fn look(
        me: &mut Look,
        flow: &Flow,
        row: u32,
        terms: &Rows<Terms>,
        known: &History<Known>,
        clock: &Clock,
        net: &Net,
    ) {
        let terms = terms.get(flow.terms);
        let step = clock.first() - 1;
        let seen = known.get(row, step);
        me.window = flow.window;
        me.round_trip = seen.waited() + terms.way;
        me.losses = 0.0;
        if terms.packets > 0.0 && step >= terms.start && step < terms.stop {
            me.losses = net.losses_seen * seen.lost() / terms.packets;
        }
    }

    /// Age of the oldest fluid that reaches a receiver next.
    #[kernel(reduce = max)]
    pub fn oldest(me: &Flow, passages: &History<Passage>, through: &History<Passage>, clock: &Clock) -> u32 {
        let last = through.get(me.queue, clock.first());
        let mut arrives = nothing();
        if last.since > 0 {
            arrives = passages.get(me.last, last.since);
        }
        age(&arrives, clock.first())
    }

    /// Equations 2, 3, 4, 5 and 8: computes lengths, losses, departures and departure times of queues.
    #[kernel]
    pub fn pass(
        me: &mut Queue,
        passing: &mut History<Passing>,
        through: &mut History<Passage>,
        entering: &mut History<Number>,
        clock: &Clock,
        net: &Net,
    ) {
        let mut length = me.length;
        let mut length_rest = me.length_rest;
        let mut average = me.average;
        let mut until = me.until;
        let mut latest = me.latest;
        let mut loss = me.loss;
        let mut arrivals = me.arrivals;
        for i in 0..net.steps {
            let now = clock.first() + i;
            arrivals = entering.own(now);
            // The next launch begins its sum in the same place.
            entering.set(now, 0.0);
            let mut dropped = 0.0;
            if average >= me.least {
                dropped = if average <= me.most { me.slope * (average - me.least) } else { 1.0 };
            }
            let rest = arrivals * (1.0 - dropped);
            let excess = rest - me.bandwidth;
            let mut spilt = 0.0;
            if excess > 0.0 {
                let full_after = ((me.capacity - length) / excess).max(0.0).min(net.step);
                spilt = excess * (net.step - full_after) / (rest * net.step);
            }
            loss = dropped + (1.0 - dropped) * spilt;
            let mut share = 1.0 - loss;
            if arrivals * share > me.bandwidth {
                share = me.bandwidth / arrivals;
            }
            let waited = length / me.bandwidth;
            passing.set(now, Passing { arrivals, loss, waiting: waited });
            let leaves = (now + (waited / net.step).ceil() as u32).max(until);
            // Departures are written at the step at which they reach the end of the link.
            for step in until + 1..leaves {
                through.set(step + me.lag, latest);
            }
            let arrives = share * (1.0 - me.link_loss);
            latest = Passage { since: now, share: arrives, waited, lost: loss + share * me.link_loss };
            until = leaves;
            through.set(leaves + me.lag, latest);
            average += me.weight * (length - average);
            let more = (arrivals * (1.0 - loss) - me.bandwidth) * net.step - length_rest;
            let next = length + more;
            length_rest = (next - length) - more;
            length = next.max(0.0).min(me.capacity);
            if length != next {
                length_rest = 0.0;
            }
        }
        me.length = length;
        me.length_rest = length_rest;
        me.average = average;
        me.until = until;
        me.latest = latest;
        me.loss = loss;
        me.arrivals = arrivals;
    }
}
