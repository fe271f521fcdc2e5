//! What packets and fluids tell each other, as kernels.

macro_rules! kernels {
    ($size:ident, $module:ident: $number:ident) => {
        /// Queues that packets share with fluids.
        #[imminent_core::kernels]
        pub mod $module {
            use crate::fluid::kernels::equations::$size::fluids::{Passing, Queue};
            use crate::fluid::kernels::passages::$size::ways::Net;

            /// The place of a queue that stands in no list.
            pub const NOWHERE: u32 = 4294967295;

            /// Whether packets come into a queue.
            #[derive(Row)]
            pub struct Place {
                /// Its place among those into which they do, or [`NOWHERE`].
                pub listed: u32,
            }

            /// The packets of a queue.
            #[derive(Row)]
            pub struct Packets {
                /// Their bytes.
                pub bytes: $number,
            }

            /// Something that packets are told of a queue, for one step of a launch.
            #[derive(Row)]
            pub struct Note {
                /// The queue.
                pub queue: u32,
                /// The step, from the first of the launch on.
                pub step: u32,
                /// Whether it is the share that is lost, and not the level.
                pub lost: bool,
                /// The share of what arrived in the step that was lost; or after it the level: the length in bytes, below 0 what more the link could have sent.
                pub value: $number,
            }

            /// The packets that came join the fluid of their queue, as far as they fit.
            #[kernel]
            pub fn join(me: &mut Queue, place: &Place, packets: &Rows<Packets>) {
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

            /// After the queues' launch: how long they were after each step, what they lost, and what they could have sent (equation 12).
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
    };
}

/// In numbers of 32 bits.
pub(super) mod single {
    kernels!(single, meeting: f32);
}

/// In numbers of 64 bits.
pub(super) mod double {
    kernels!(double, meeting: f64);
}
