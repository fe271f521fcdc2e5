//! Kernels that exchange data between packets and fluids.

/// Queues that packets share with fluids.
#[imminent_core::kernels(Number = [f32 as single, f64 as double])]
pub mod meeting {
    use crate::fluid::kernels::equations::fluids::Number::{Passing, Queue};
    use crate::fluid::kernels::passages::paths::Number::Net;

    /// Index of a queue that is not listed.
    pub const NOWHERE: u32 = 4294967295;

    /// Link from a queue to its packets.
    #[derive(Row)]
    pub struct PacketQueue {
        /// Index of the queue among those with packets, or [`NOWHERE`].
        pub listed: u32,
    }

    /// Packets of a queue.
    #[derive(Row)]
    pub struct Packets {
        /// Bytes of the packets.
        pub bytes: Number,
    }

    /// One value of a queue for packets, at one step of a launch.
    #[derive(Row)]
    pub struct Note {
        /// Row of the queue.
        pub queue: u32,
        /// Step, counted from the first of the launch.
        pub step: u32,
        /// `true` for the lost share, `false` for the level.
        pub lost: bool,
        /// Share of the step's arrivals that was lost, or the level after the step. The level is the length in
        /// bytes; below 0 it is what the link could have sent in addition.
        pub value: Number,
    }

    /// Adds packets to the fluid of their queue, as far as they fit.
    #[kernel]
    pub fn join(me: &mut Queue, place: &PacketQueue, packets: &Rows<Packets>) {
        if place.listed != NOWHERE {
            let more = packets.get(place.listed).bytes - me.length_rest;
            let next = me.length + more;
            me.length_rest = (next - me.length) - more;
            me.length = next.min(me.capacity);
            if me.length != next {
                me.length_rest = 0.0;
            }
        }
    }

    /// Writes level and loss of the queues after each step, and what they could have sent (equation 12). Runs
    /// after the queues' launch.
    #[kernel]
    pub fn note(me: &mut Note, passing: &History<Passing>, queues: &Rows<Queue>, clock: &Clock, net: &Net) {
        let now = clock.first() + me.step;
        let queue = queues.get(me.queue);
        let at = passing.get(me.queue, now);
        if me.lost {
            me.value = at.loss;
        } else {
            let mut length = queue.length;
            if me.step + 1 < net.steps {
                length = passing.get(me.queue, now + 1).waiting * queue.bandwidth;
            }
            if length > 0.0 {
                me.value = length;
            } else {
                let before = at.waiting * queue.bandwidth;
                me.value = (before - (queue.bandwidth - at.arrivals) * net.step).min(0.0);
            }
        }
    }
}
