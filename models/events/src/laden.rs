//! The overhead benchmark of the paper (section V-A2) with states of any size: every event goes over all of its module's state, and schedules the next.

use super::simulation::{First, Start};
use std::sync::Arc;

mod handlers {
    crate::event_model! {
        /// Modules that go over all of their state with every event.
        pub mod laden {
            events {
                /// Every word of the state is one more, and the next event is scheduled.
                Again => again,
            }

            /// The state of a module.
            #[derive(Row)]
            pub struct Module {
                /// Events that happened.
                pub seen: u32,
                /// What else there is.
                pub state: Lanes<u32>,
            }

            /// Events carry nothing of the state: it is the module's.
            pub struct Payload {
                /// The number of events before this one.
                pub before: u32,
            }

            /// The parameters of a simulation.
            #[derive(Row)]
            pub struct Point {
                /// Ticks from an event to the next.
                pub delay: u64,
            }

            fn again(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda, _post: &mut Post) {
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

/// The events of the benchmark.
pub type Laden = laden::step;

/// Events that a handler schedules.
pub const MOST: u32 = 1;

/// A study of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LadenStudy {
    /// Simulations.
    pub simulations: u32,
    /// Modules of each.
    pub modules: u32,
    /// Events at each module.
    pub per_module: u32,
    /// Bytes of a module's state, 8 at least, in whole words.
    pub bytes: u32,
}

impl LadenStudy {
    /// The simulations, as they start.
    #[must_use]
    pub fn starts(&self) -> Vec<Start<Laden>> {
        let words = (self.bytes / 4).max(2) - 1;
        let state = |module: u32| (0..words).map(|word| word ^ module << 16).collect::<Vec<_>>();
        let module = |module| laden::Module { seen: 0, state: state(module).into() };
        let payload = laden::Payload { before: 0 };
        let first = |module| First { time: 0, module, kind: laden::Kind::Again, payload };
        let start = |_| Start {
            point: Arc::new(laden::Point { delay: 1 }),
            modules: (0..self.modules).map(module).collect(),
            events: (0..self.modules).map(first).collect(),
            lookahead: 0,
            end: u64::from(self.per_module),
        };
        (0..self.simulations).map(start).collect()
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
            let starts = LadenStudy { simulations: 3, modules: 2, per_module: 4, bytes }.starts();
            let ends = Engine::new(&device, &starts, MOST).unwrap().run().unwrap();
            for copies in [false, true] {
                let mut engine = Coprocessor::new(&device, &starts, MOST, 2).unwrap();
                engine.set_copying(copies);
                assert_eq!(engine.run().unwrap(), ends, "lists on the host, states copied: {copies}");
            }
            for (simulation, end) in ends.iter().enumerate() {
                assert_eq!(end, &sequential(&starts[simulation], MOST, simulation).unwrap());
            }
            let end = ends[2].as_ref().unwrap();
            for (number, module) in (0..).zip(&end.modules) {
                assert_eq!((module.seen, 4 * (1 + module.capacity())), (4, bytes));
                assert!((0..module.capacity()).all(|word| module.state.get(word) == (word ^ number << 16) + 4));
            }
        }
    }
}
