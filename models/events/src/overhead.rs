//! Overhead benchmark of the paper (section V-C): handlers that only schedule the next event.

use super::event_types::First;
use super::simulation::Start;
use std::sync::Arc;

mod handlers {
    crate::event_model! {
        /// Modules with one event after the other, and nothing else.
        pub mod overhead {
            events {
                /// Schedules the next event.
                Again => again,
            }

            /// State of a module.
            #[derive(Row)]
            pub struct Module {
                /// Number of executed events.
                pub seen: u32,
            }

            /// Payload of an event: 72 bytes, as in the paper.
            pub struct Payload {
                /// Number of events before this one.
                pub before: u32,
                /// Padding.
                pub rest: [u32; 17],
            }

            /// Parameters of a simulation.
            #[derive(Row)]
            pub struct Point {
                /// Ticks from an event to the next.
                pub delay: u64,
            }

            fn again(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
                me.seen += 1;
                let next = Payload { before: payload.before + 1, rest: payload.rest };
                agenda.schedule(point.delay, Kind::Again, next);
            }
        }
    }
}

pub use handlers::overhead;

/// Event model of the benchmark.
pub type Overhead = overhead::step;

/// Number of events that a handler schedules.
pub const MAX_SCHEDULED: u32 = 1;

/// Creates a simulation of `modules` modules with `events` events each.
#[must_use]
pub fn start(modules: u32, events: u32) -> Start<Overhead> {
    let payload = overhead::Payload { before: 0, rest: [0; 17] };
    let first = |module| First { time: 0, module, kind: overhead::Kind::Again, payload };
    Start {
        point: Arc::new(overhead::Point { delay: 1 }),
        modules: vec![overhead::Module { seen: 0 }; modules as usize],
        events: (0..modules).map(first).collect(),
        lookahead: 0.into(),
        end: u64::from(events),
    }
}
