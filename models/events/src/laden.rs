//! Overhead benchmark of the paper (section V-A2) with states of any size: every event updates the whole state of its
//! module, and schedules the next.

use super::event_types::First;
use super::simulation::Start;
use std::sync::Arc;

mod handlers {
    crate::event_model! {
        /// Modules that update their whole state with every event.
        pub mod laden {
            events {
                /// Increments every word of the state, and schedules the next event.
                Again => again,
            }

            /// State of a module.
            #[derive(Row)]
            pub struct Module {
                /// Number of executed events.
                pub seen: u32,
                /// Rest of the state.
                pub state: Lanes<u32>,
            }

            /// Payload, without any of the state: that belongs to the module.
            pub struct Payload {
                /// Number of events before this one.
                pub before: u32,
            }

            /// Parameters of a simulation.
            #[derive(Row)]
            pub struct Point {
                /// Ticks from an event to the next.
                pub delay: u64,
            }

            fn again(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
                me.seen += 1;
                for word in 0..me.state.capacity() {
                    me.state.set(word, me.state.get(word) + 1);
                }
                agenda.schedule(point.delay, Kind::Again, Payload { before: payload.before + 1 });
            }
        }
    }
}

pub use handlers::laden;

/// Event model of the benchmark.
pub type Laden = laden::step;

/// Number of events that a handler schedules.
pub const MAX_SCHEDULED: u32 = 1;

/// Creates a simulation of `modules` modules with `events` events each and states of `bytes`: at least 8, in whole
/// words.
#[must_use]
pub fn start(modules: u32, events: u32, bytes: u32) -> Start<Laden> {
    let words = (bytes / 4).max(2) - 1;
    let state = |module: u32| (0..words).map(|word| word ^ module << 16).collect::<Vec<_>>();
    let payload = laden::Payload { before: 0 };
    Start {
        point: Arc::new(laden::Point { delay: 1 }),
        modules: (0..modules).map(|module| laden::Module { seen: 0, state: state(module).into() }).collect(),
        events: (0..modules).map(|module| First { time: 0, module, kind: laden::Kind::Again, payload }).collect(),
        lookahead: 0.into(),
        end: u64::from(events),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Coprocessor, Engine, sequential};
    use imminent_core::{Device, Row};
    use imminent_cpu::{CpuBackend, Options};

    #[test]
    fn states_of_every_size_are_gone_over_wherever_they_are() {
        let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
        for bytes in [72, 1_024, 26_000] {
            let starts = [(); 3].map(|()| start(2, 4, bytes));
            let ends = Engine::new(&device, &starts, MAX_SCHEDULED).unwrap().run().unwrap();
            for copies in [false, true] {
                let mut engine = Coprocessor::new(&device, &starts, MAX_SCHEDULED, 2).unwrap();
                engine.set_copying(copies);
                assert_eq!(engine.run().unwrap(), ends, "lists on the host, states copied: {copies}");
            }
            for (simulation, end) in ends.iter().enumerate() {
                assert_eq!(end, &sequential(&starts[simulation], MAX_SCHEDULED, simulation).unwrap());
            }
            let end = ends[2].as_ref().unwrap();
            for (number, module) in (0..).zip(&end.modules) {
                assert_eq!((module.seen, 4 * (1 + module.capacity())), (4, bytes));
                assert!((0..module.capacity()).all(|word| module.state.get(word) == (word ^ number << 16) + 4));
            }
        }
    }
}
