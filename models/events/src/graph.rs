//! PHOLD on a graph: each event schedules another one at a random neighbour. The delays of edges differ.

use super::event_types::First;
use super::lookahead::Lookahead;
use super::simulation::Start;
use imminent_common::streams::StreamKey;
use imminent_core::random::Pcg32;
use std::sync::Arc;

mod handlers {
    crate::event_model! {
        /// Modules that pass events on to their neighbours.
        pub mod graph {
            events {
                /// Event that is passed on.
                Hop => hop,
            }

            use imminent_core::random::{Pcg32, scaled_ticks};

            /// Edge to a neighbour.
            pub struct Edge {
                /// Number of the neighbour.
                pub to: u32,
                /// Least delay of events on the edge, in ticks.
                pub delay: u64,
            }

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
                /// Edges to the neighbours.
                pub edges: Lanes<Edge>,
            }

            /// Payload of an event.
            pub struct Payload {
                /// Number of the event's token in its simulation.
                pub token: u32,
            }

            /// Parameters of a simulation.
            #[derive(Row)]
            pub struct Point {
                /// Mean delay beyond that of the edge, in ticks.
                pub mean: u64,
            }

            fn hop(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
                me.hops += 1;
                me.trail = (me.trail ^ agenda.now()) * 0x0000_0100_0000_01B3 + u64::from(payload.token);
                let delay = scaled_ticks(me.rng.exponential_q27(), point.mean);
                let edge = me.edges.get(me.rng.below(me.edges.capacity()));
                agenda.send(edge.to, edge.delay + delay, Kind::Hop, payload);
            }
        }
    }
}

pub use handlers::graph;

/// Event model of the benchmark.
pub type Graph = graph::step;

/// Number of events that a handler schedules.
pub const MAX_SCHEDULED: u32 = 1;

/// Study of the benchmark. The modules of a simulation are on a ring, and a module has edges to the nearest ones. Times
/// are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphStudy {
    /// Number of simulations.
    pub simulations: u32,
    /// Number of modules per simulation, at least 2.
    pub modules: u32,
    /// Initial number of events per module.
    pub tokens: u32,
    /// Number of neighbours on each side.
    pub reach: u32,
    /// Least delay of the fastest edges.
    pub least: u64,
    /// Number of times that the delay of an edge may double. Each number from 0 on is equally probable.
    pub doublings: u32,
    /// Mean delay beyond that of the edge.
    pub mean: u64,
    /// `true` if simulations declare their links; otherwise their lookahead is the least delay of all edges.
    pub has_links: bool,
    /// End of the simulations.
    pub end: u64,
    /// Seed of the random streams; each module of each simulation has its own.
    pub seed: u64,
}

impl GraphStudy {
    /// Returns one simulation of the study before its first event. It does not depend on the others.
    #[must_use]
    pub fn start(&self, simulation: u32) -> Start<Graph> {
        let key = StreamKey::new(self.seed, u64::from(simulation));
        let modules: Vec<_> = (0..self.modules.max(2)).map(|module| self.module(&key, module)).collect();
        let events = (0..).zip(&modules).flat_map(|(module, _)| {
            (0..self.tokens).map(move |place| {
                let payload = graph::Payload { token: module * self.tokens + place };
                First { time: u64::from(place), module, kind: graph::Kind::Hop, payload }
            })
        });
        let lookahead = if self.has_links {
            Lookahead::of_links(modules.iter().map(edges))
        } else {
            modules.iter().flat_map(edges).map(|(_, delay)| delay).min().unwrap_or(0).into()
        };
        let events = events.collect();
        Start { point: Arc::new(graph::Point { mean: self.mean }), modules, events, lookahead, end: self.end }
    }

    fn module(&self, key: &StreamKey, module: u32) -> graph::Module {
        let seed = key.node(module);
        let (mut rng, modules) = (Pcg32::new(seed.state, seed.stream), self.modules.max(2));
        let neighbours = (1..=self.reach.clamp(1, modules - 1)).flat_map(|step| [step, modules - step]);
        let edges: Vec<_> = neighbours
            .map(|step| graph::Edge {
                to: (module + step) % modules,
                delay: self.least.max(1) << rng.below(self.doublings.min(32) + 1),
            })
            .collect();
        graph::Module { rng, hops: 0, trail: 0, edges: edges.into() }
    }

    /// Returns all simulations of the study.
    #[must_use]
    pub fn starts(&self) -> Vec<Start<Graph>> {
        (0..self.simulations).map(|simulation| self.start(simulation)).collect()
    }
}

/// Returns the neighbours of a module, with the delays of the edges.
fn edges(module: &graph::Module) -> impl Iterator<Item = (u32, u64)> + '_ {
    (0..module.edges.capacity()).map(|place| module.edges.get(place)).map(|edge| (edge.to, edge.delay))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, Execution, Mapping, MappingChoice, coprocess, parallelism, sequential};
    use imminent_core::Device;
    use imminent_cpu::{CpuBackend, Options};
    use proptest::prelude::*;

    fn study() -> impl Strategy<Value = GraphStudy> {
        let sizes = (1_u32..4, 2_u32..50, 0_u32..4, 1_u32..4);
        let times = (1_u64..50, 0_u32..8, 0_u64..40, 1_u64..1_000);
        (sizes, times, any::<u64>()).prop_map(
            |((simulations, modules, tokens, reach), (least, doublings, mean, end), seed)| GraphStudy {
                simulations,
                modules,
                tokens,
                reach,
                least,
                doublings,
                mean,
                has_links: true,
                end,
                seed,
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Links change no outcome: that of the sequential run is the one without links.
        #[test]
        fn links_change_no_outcome(study in study(), threads in 1_usize..3, events in 1_u32..9) {
            let options = Options { threads: Some(threads), ..Options::default() };
            let device = Device::open(CpuBackend::open(&options).unwrap()).unwrap();
            let without = GraphStudy { has_links: false, ..study };
            let expected: Vec<_> =
                (0..).zip(&without.starts()).map(|(number, start)| sequential(start, MAX_SCHEDULED, number).unwrap()).collect();
            // Simulations without links may run beside others that have some.
            for starts in [study.starts(), [study.start(0)].into_iter().chain(without.starts()).skip(1).collect()] {
                let ways = [Mapping::InOrder, Mapping::Due, Mapping::Apart, Mapping::Sorted].map(|mapping| (Execution::Device, mapping));
                for (execution, mapping) in ways.into_iter().chain([(Execution::Host, Mapping::InOrder)]) {
                    let mut engine = Engine::on(execution, &device, starts.clone(), [].into(), MAX_SCHEDULED).unwrap();
                    engine.set_events_per_step(events);
                    engine.set_mapping(MappingChoice::Always(mapping));
                    let ends = engine.run().unwrap();
                    prop_assert_eq!(&ends[..], &expected[expected.len() - ends.len()..], "{:?}, {}", execution, mapping);
                }
            }
            prop_assert_eq!(coprocess(&device, &study.starts(), MAX_SCHEDULED, 2).unwrap(), expected);
        }
    }

    /// Modules with short edges hold up only those nearby.
    #[test]
    fn links_allow_fewer_steps() {
        let study = GraphStudy {
            simulations: 1,
            modules: 400,
            tokens: 1,
            reach: 2,
            least: 10,
            doublings: 7,
            mean: 0,
            has_links: true,
            end: 20_000,
            seed: 3,
        };
        let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
        let run = |study: GraphStudy| {
            let mut engine = Engine::on(Execution::Device, &device, study.starts(), [].into(), MAX_SCHEDULED).unwrap();
            let ends = engine.run().unwrap();
            let rounds = parallelism(&study.start(0), MAX_SCHEDULED).unwrap().unwrap().rounds;
            (ends, engine.steps(), rounds)
        };
        let (ends, steps, rounds) = run(study);
        let (expected, steps_without, rounds_without) = run(GraphStudy { has_links: false, ..study });
        assert_eq!(ends, expected);
        assert!(steps * 3 < steps_without, "steps: {steps} with links, {steps_without} without");
        assert!(rounds * 3 < rounds_without, "rounds: {rounds} with links, {rounds_without} without");
    }
}
