//! PHOLD, the benchmark of parallel event simulation (Fujimoto 1990): each event schedules another one at a random
//! module after a random delay.

use super::event_types::First;
use super::simulation::Start;
use imminent_common::streams::StreamKey;
use imminent_core::random::Pcg32;
use std::sync::Arc;

mod handlers {
    crate::event_model! {
        /// Modules that pass events on to each other, or keep them.
        pub mod phold {
            events {
                /// Event that is passed on.
                Hop => hop,
            }

            optimistic;

            use imminent_core::random::{Pcg32, scaled_ticks};

            /// State of a module.
            #[derive(Row)]
            #[row(packed)]
            pub struct Module {
                /// Generator for the destinations and delays of events.
                pub rng: Pcg32,
                /// Number of events executed at this module.
                pub hops: u32,
                /// Hash of the events executed here and their order.
                pub trail: u64,
            }

            /// Payload of an event.
            pub struct Payload {
                /// Number of the event's token in its simulation.
                pub token: u32,
                /// Number of times that the token was passed on.
                pub hops: u32,
            }

            /// Parameters of a simulation.
            #[derive(Row)]
            pub struct Point {
                /// Mean delay beyond the lookahead, in ticks.
                pub mean: u64,
                /// Least delay of an event for another module, in ticks.
                pub lookahead: u64,
                /// Share of events for another module, in units of 2^-32.
                pub remote: u32,
            }

            fn hop(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
                me.hops += 1;
                me.trail = (me.trail ^ agenda.now()) * 0x0000_0100_0000_01B3 + u64::from(payload.token);
                let on = Payload { token: payload.token, hops: payload.hops + 1 };
                let delay = scaled_ticks(me.rng.exponential_q27(), point.mean);
                if me.rng.next_u32() < point.remote {
                    let to = me.rng.below(agenda.modules());
                    agenda.send(to, point.lookahead + delay, Kind::Hop, on);
                } else {
                    agenda.schedule(delay, Kind::Hop, on);
                }
            }
        }
    }
}

pub use handlers::phold;

/// Event model of the benchmark.
pub type Phold = phold::step;

/// Number of events that a handler schedules.
pub const MAX_SCHEDULED: u32 = 1;

/// Study of the benchmark. Times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PholdStudy {
    /// Number of simulations.
    pub simulations: u32,
    /// Number of modules per simulation.
    pub modules: u32,
    /// Initial number of events per module.
    pub tokens: u32,
    /// Least delay of an event for another module.
    pub lookahead: u64,
    /// Mean delay beyond the lookahead.
    pub mean: u64,
    /// Percentage of events for a random module, including the module itself.
    pub remote: u32,
    /// End of the simulations.
    pub end: u64,
    /// Seed of the random streams; each module of each simulation has its own.
    pub seed: u64,
}

impl PholdStudy {
    /// Returns one simulation of the study before its first event. It does not depend on the others.
    #[must_use]
    pub fn start(&self, simulation: u32) -> Start<Phold> {
        let key = StreamKey::new(self.seed, u64::from(simulation));
        let module = |module| {
            let seed = key.node(module);
            phold::Module { rng: Pcg32::new(seed.state, seed.stream), hops: 0, trail: 0 }
        };
        let events = (0..self.modules).flat_map(|module| {
            (0..self.tokens).map(move |place| {
                let payload = phold::Payload { token: module * self.tokens + place, hops: 0 };
                First { time: u64::from(place), module, kind: phold::Kind::Hop, payload }
            })
        });
        let share = (u64::from(self.remote.min(100)) << 32) / 100;
        Start {
            point: Arc::new(phold::Point {
                mean: self.mean,
                lookahead: self.lookahead,
                remote: u32::try_from(share).unwrap_or(u32::MAX),
            }),
            modules: (0..self.modules).map(module).collect(),
            events: events.collect(),
            lookahead: if self.remote > 0 { self.lookahead } else { 0 }.into(),
            end: self.end,
        }
    }

    /// Returns all simulations of the study.
    #[must_use]
    pub fn starts(&self) -> Vec<Start<Phold>> {
        (0..self.simulations).map(|simulation| self.start(simulation)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, EngineError, Execution, Mapping, MappingChoice, sequential};
    use imminent_core::Device;
    use imminent_cpu::{CpuBackend, Options};
    use proptest::prelude::*;
    use std::ops::ControlFlow;

    fn study() -> impl Strategy<Value = PholdStudy> {
        let sizes = (1_u32..6, 1_u32..7, 0_u32..12);
        let times = (1_u64..50, 0_u64..40, prop::sample::select(vec![0_u32, 10, 60, 100]), 1_u64..400);
        (sizes, times, any::<u64>()).prop_map(
            |((simulations, modules, tokens), (lookahead, mean, remote, end), seed)| PholdStudy {
                simulations,
                modules,
                tokens,
                lookahead,
                mean: mean.max(u64::from(remote == 0)),
                remote,
                end,
                seed,
            },
        )
    }

    fn both_ways(study: &PholdStudy, threads: usize, events: u32) {
        let device =
            Device::open(CpuBackend::open(&Options { threads: Some(threads), ..Options::default() }).unwrap()).unwrap();
        // Beside a simulation of many modules the earliest events of all are reduced before each step.
        let many = PholdStudy { simulations: 1, modules: 60, tokens: 1, ..*study };
        for beside in [vec![], many.starts()] {
            let starts: Vec<_> = study.starts().into_iter().chain(beside).collect();
            let on_device =
                [Mapping::InOrder, Mapping::Due, Mapping::Apart].map(|mapping| (Execution::Device, mapping));
            for (execution, mapping) in on_device.into_iter().chain([(Execution::Host, Mapping::InOrder)]) {
                let mut engine = Engine::on(execution, &device, starts.clone(), [].into(), MAX_SCHEDULED).unwrap();
                engine.set_events_per_step(events);
                engine.set_mapping(MappingChoice::Always(mapping));
                let together = engine.run().unwrap();
                for (simulation, end) in together.iter().enumerate() {
                    let alone = sequential(&starts[simulation], MAX_SCHEDULED, simulation).unwrap();
                    assert_eq!(end, &alone, "{execution:?}, {mapping}: {study:?}");
                }
            }
        }
    }

    /// Groups hold eight simulations of 30 modules, so 16 rows of each but the last belong to none.
    #[test]
    fn simulations_of_several_groups_do_as_alone_by_every_mapping() {
        let study = PholdStudy {
            simulations: 20,
            modules: 30,
            tokens: 2,
            lookahead: 5,
            mean: 20,
            remote: 80,
            end: 3_000,
            seed: 11,
        };
        let (device, starts) = (Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap(), study.starts());
        let expected: Vec<_> =
            (0..).zip(&starts).map(|(number, start)| sequential(start, MAX_SCHEDULED, number).unwrap()).collect();
        for mapping in Mapping::ALL {
            let mut engine = Engine::on(Execution::Device, &device, starts.clone(), [].into(), MAX_SCHEDULED).unwrap();
            engine.set_mapping(MappingChoice::Always(mapping));
            engine.set_events_per_step(1);
            // What is left under way, and in rows of no module, is no matter of the mapping after it.
            let cancelled = engine.run_with(|_| ControlFlow::Break(()));
            assert!(matches!(cancelled, Err(EngineError::Cancelled { .. })), "{mapping} ended: {cancelled:?}");
            engine.set_mapping(MappingChoice::Always(Mapping::Apart));
            assert_eq!(engine.run().unwrap(), expected, "{mapping}, and then by themselves");
        }
    }

    /// A module whose list needs room reports less progress than it made; the step after that must advance all the
    /// same.
    #[test]
    fn a_list_that_grows_ends_no_simulation_early() {
        let study = PholdStudy {
            simulations: 1,
            modules: 4,
            tokens: 2,
            lookahead: 12,
            mean: 11,
            remote: 60,
            end: 26,
            seed: 8_427_360_946_733_189_030,
        };
        both_ways(&study, 1, 4);
    }

    fn many_modules(lookahead: u64, executions: &[Execution]) {
        let study = PholdStudy {
            simulations: 1,
            modules: 20_000,
            tokens: 1,
            lookahead,
            mean: 10_000,
            remote: 100,
            end: 12_000,
            seed: 3,
        };
        let options = Options { threads: Some(3), ..Options::default() };
        let device = Device::open(CpuBackend::open(&options).unwrap()).unwrap();
        let starts = study.starts();
        let expected = sequential(&starts[0], MAX_SCHEDULED, 0).unwrap();
        for execution in executions {
            let mut engine = Engine::on(*execution, &device, starts.clone(), [].into(), MAX_SCHEDULED).unwrap();
            let (mut reports, mut cancelled) = (0, 0);
            let ends = loop {
                // Every other report cancels the run.
                let ended = engine.run_with(|_| {
                    reports += 1;
                    if reports % 2 == 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                match ended {
                    Ok(ends) => break ends,
                    Err(EngineError::Cancelled { .. }) => cancelled += 1,
                    Err(error) => panic!("{error}"),
                }
            };
            assert_eq!(ends[0], expected, "{execution:?}");
            assert!(*execution == Execution::Device || cancelled > 0, "reports: {reports}");
        }
    }

    #[test]
    fn many_modules_in_one_simulation_do_as_one_after_the_other() {
        many_modules(1_000, &[Execution::Device, Execution::Host]);
    }

    /// Time windows have two events each: one thread continues alone.
    #[test]
    fn many_modules_with_few_events_in_a_window_do_as_one_after_the_other() {
        many_modules(1, &[Execution::Host]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Runs all simulations at once, with a few events per step: every module must end as in the sequential run.
        #[test]
        fn all_at_once_is_one_after_the_other(study in study(), threads in 1_usize..3, events in 1_u32..9) {
            prop_assume!(study.mean > 0 || study.remote == 100);
            both_ways(&study, threads, events);
        }
    }
}
