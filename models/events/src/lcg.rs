//! LCG benchmark of the paper (section V-B): handlers that only compute, all alike or of four different kinds.

use super::event_types::First;
use super::simulation::Start;
use std::sync::Arc;

/// Four linear congruential generators modulo 2^32, each with its own handler.
mod handlers {
    crate::event_model! {
        /// Modules that draw numbers from a generator repeatedly.
        pub mod lcg {
            events {
                /// Draws with the generator of Numerical Recipes.
                A => draw_a,
                /// Draws with the generator of Turbo C.
                B => draw_b,
                /// Draws with the generator of glibc.
                C => draw_c,
                /// Draws with the generator of Visual C++.
                D => draw_d,
            }

            /// State of a module: 72 bytes, as in the paper.
            #[derive(Row)]
            pub struct Module {
                /// Last number drawn.
                pub number: u32,
                /// Count of numbers drawn.
                pub draws: u32,
                /// Padding.
                pub rest: [u32; 16],
            }

            /// Payload. The generator's state belongs to the module.
            pub struct Payload {
                /// Number of events before this one.
                pub before: u32,
            }

            /// Parameters of a simulation: the work per event.
            #[derive(Row)]
            pub struct Point {
                /// Iterations of a generator for each number drawn.
                pub iterations: u32,
            }

            fn draw_a(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
                let mut x = me.number;
                for _ in 0..point.iterations {
                    x = x * 1_664_525 + 1_013_904_223;
                }
                me.drawn(x);
                agenda.schedule(1, Kind::A, payload.next());
            }

            fn draw_b(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
                let mut x = me.number;
                for _ in 0..point.iterations {
                    x = x * 22_695_477 + 1;
                }
                me.drawn(x);
                agenda.schedule(1, Kind::B, payload.next());
            }

            fn draw_c(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
                let mut x = me.number;
                for _ in 0..point.iterations {
                    x = x * 1_103_515_245 + 12_345;
                }
                me.drawn(x);
                agenda.schedule(1, Kind::C, payload.next());
            }

            fn draw_d(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
                let mut x = me.number;
                for _ in 0..point.iterations {
                    x = x * 214_013 + 2_531_011;
                }
                me.drawn(x);
                agenda.schedule(1, Kind::D, payload.next());
            }

            impl Module {
                fn drawn(&mut self, number: u32) {
                    self.number = number;
                    self.draws += 1;
                }
            }

            impl Payload {
                fn next(&self) -> Payload {
                    Payload { before: self.before + 1 }
                }
            }
        }
    }
}

pub use handlers::lcg;

/// Event model of the benchmark.
pub type Lcg = lcg::step;

/// Number of events that a handler schedules.
pub const MAX_SCHEDULED: u32 = 1;

/// Study of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LcgStudy {
    /// Number of simulations.
    pub simulations: u32,
    /// Number of modules per simulation, which share its events.
    pub modules: u32,
    /// Number of events per simulation.
    pub events: u32,
    /// Iterations of a generator for each event.
    pub iterations: u32,
    /// Number of generators in use, 1 to 4: simulation `i` uses generator `i` modulo this number.
    pub generators: u32,
}

impl Default for LcgStudy {
    /// Returns the paper's study: 300 events of 20,000 iterations, one generator.
    fn default() -> Self {
        LcgStudy { simulations: 128, modules: 1, events: 300, iterations: 20_000, generators: 1 }
    }
}

impl LcgStudy {
    /// Returns the simulations before their first event.
    #[must_use]
    pub fn starts(&self) -> Vec<Start<Lcg>> {
        let start = |simulation: u32| {
            let first = simulation * self.modules;
            let generator = simulation % self.generators.clamp(1, 4);
            start(generator, first..first + self.modules, self.events, self.iterations)
        };
        (0..self.simulations).map(start).collect()
    }
}

/// Creates a simulation with the given number of events and iterations per event. Its modules have the given initial
/// numbers, draw from the given generator, 0 to 3, and share the events. If the events cannot be divided evenly, the
/// first modules have one more.
pub fn start(generator: u32, numbers: impl IntoIterator<Item = u32>, events: u32, iterations: u32) -> Start<Lcg> {
    let kind = match generator {
        0 => lcg::Kind::A,
        1 => lcg::Kind::B,
        2 => lcg::Kind::C,
        _ => lcg::Kind::D,
    };
    let payload = lcg::Payload { before: 0 };
    let module = |number| lcg::Module { number, draws: 0, rest: [0; 16] };
    let modules: Vec<_> = numbers.into_iter().map(module).collect();
    let count = modules.len() as u32;
    let fuller = match events % count.max(1) {
        0 => count,
        rest => rest,
    };
    Start {
        point: Arc::new(lcg::Point { iterations }),
        // A module has one event per tick. Modules with one event less skip the first tick.
        events: (0..count).map(|module| First { time: u64::from(module >= fuller), module, kind, payload }).collect(),
        modules,
        lookahead: 0.into(),
        end: u64::from(events.div_ceil(count.max(1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, sequential};
    use imminent_core::Device;
    use imminent_cpu::{CpuBackend, Options};

    #[test]
    fn every_generator_draws_its_own_numbers() {
        let study = LcgStudy { simulations: 9, modules: 2, events: 10, iterations: 3, generators: 4 };
        let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
        let starts = study.starts();
        let ends = Engine::new(&device, &starts, MAX_SCHEDULED).unwrap().run().unwrap();
        let constants =
            [(1_664_525_u32, 1_013_904_223), (22_695_477, 1), (1_103_515_245, 12_345), (214_013, 2_531_011)];
        for (simulation, end) in ends.into_iter().enumerate() {
            let end = end.unwrap();
            let (a, c) = constants[simulation % 4];
            for (module, state) in end.modules.iter().enumerate() {
                let first = (simulation * 2 + module) as u32;
                let number = (0..15).fold(first, |x, _| x.wrapping_mul(a).wrapping_add(c));
                assert_eq!((state.number, state.draws), (number, 5));
            }
            assert_eq!((end.handled, end.waiting), (10, 2));
            assert_eq!(sequential(&starts[simulation], MAX_SCHEDULED, simulation).unwrap().unwrap(), end);
        }
    }
}
