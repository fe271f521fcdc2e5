//! What engines promise, by models made to break the promises.

use super::phold::{self, PholdStudy};
use super::{Engine, EngineError, First, MOST, Start, StartError, Trouble, coprocess, sequential};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use std::ops::ControlFlow;

mod handlers {
    crate::event_model! {
        /// Handlers that do what the payload says.
        pub mod obedient {
            events {
                /// Nothing comes of it.
                Rest => rest,
                /// Schedules as many events as it is told, here.
                Spread => spread,
                /// Sends one event.
                Send => send,
            }

            /// A module that counts.
            #[derive(Row)]
            pub struct Module {
                /// Events that happened.
                pub seen: u32,
                /// A mark of their times and order.
                pub trail: u64,
            }

            /// What to do.
            pub struct Payload {
                /// Which module, or how many events.
                pub number: u32,
                /// After how many ticks.
                pub delay: u64,
            }

            /// There is nothing to choose.
            #[derive(Row)]
            pub struct Point {
                /// Added to what is seen.
                pub step: u32,
            }

            fn rest(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda, _post: &mut Post) {
                me.seen += point.step;
                me.trail = me.trail * 31 + agenda.now() + u64::from(payload.number);
            }

            fn spread(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda, _post: &mut Post) {
                me.seen += point.step;
                for number in 0..payload.number {
                    agenda.schedule(payload.delay, Kind::Rest, Payload { number, delay: 0 });
                }
            }

            fn send(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda, post: &mut Post) {
                me.seen += point.step;
                agenda.send(post, payload.number, payload.delay, Kind::Rest, Payload { number: 7, delay: 0 });
            }
        }
    }
}

use handlers::obedient::{self, Kind};

type Obedient = obedient::step;

fn start(modules: usize, events: &[(u64, u32, Kind, u32, u64)]) -> Start<Obedient> {
    let first = |&(time, module, kind, number, delay): &(u64, u32, Kind, u32, u64)| First {
        time,
        module,
        kind,
        payload: obedient::Payload { number, delay },
    };
    Start {
        point: obedient::Point { step: 1 },
        modules: vec![obedient::Module { seen: 0, trail: 0 }; modules],
        events: events.iter().map(first).collect(),
        lookahead: 5,
        end: 1000,
    }
}

fn device() -> Device {
    Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap()
}

fn ends(starts: &[Start<Obedient>], most: u32) -> Vec<super::Outcome<Obedient>> {
    let ends = Engine::new(&device(), starts, most).unwrap().run().unwrap();
    for streams in [1, 2] {
        assert_eq!(coprocess(&device(), starts, most, streams).unwrap(), ends, "lists on the host");
    }
    for (simulation, end) in ends.iter().enumerate() {
        assert_eq!(end, &sequential(&starts[simulation], most, simulation).unwrap());
    }
    ends
}

#[test]
fn a_simulation_in_trouble_stops_and_the_others_go_on() {
    let starts = [
        start(2, &[(3, 1, Kind::Send, 2, 9), (1, 0, Kind::Rest, 0, 0)]),
        start(2, &[(3, 1, Kind::Send, 0, 4)]),
        start(2, &[(3, 1, Kind::Send, 0, 5), (7, 0, Kind::Spread, 2, 1)]),
        start(1, &[(2, 0, Kind::Spread, 3, 0)]),
    ];
    let ends = ends(&starts, 2);
    let text = |end: &Result<_, Trouble>| end.as_ref().err().map(ToString::to_string).unwrap_or_default();
    assert!(matches!(ends[0], Err(Trouble::NoSuchModule(_))), "{ends:?}");
    assert!(text(&ends[0]).starts_with("simulation 0, module 1, event `Send` at tick 3: "), "{}", text(&ends[0]));
    assert!(matches!(ends[1], Err(Trouble::TooSoon(_))), "{ends:?}");
    assert!(matches!(ends[3], Err(Trouble::TooMany(_))), "{ends:?}");
    let end = ends[2].as_ref().unwrap();
    assert_eq!((end.modules[0].seen, end.modules[1].seen, end.handled), (4, 1, 5));
}

#[test]
fn the_first_trouble_is_told() {
    let starts = [start(3, &[(9, 0, Kind::Send, 8, 9), (4, 2, Kind::Send, 8, 9), (4, 1, Kind::Send, 8, 9)])];
    let at = ends(&starts, 1)[0].as_ref().unwrap_err().whereabouts();
    assert_eq!((at.time, at.module), (4, 1));
}

#[test]
fn lists_grow_and_lose_nothing() {
    // 40 events at once from each of many modules, to a list that began with room for far fewer.
    let senders = (1..40_u32).map(|module| (u64::from(module % 3), module, Kind::Send, 0, 50));
    let events: Vec<_> = senders.chain([(0, 0, Kind::Spread, 30, 60), (60, 0, Kind::Rest, 1, 0)]).collect();
    let ends = ends(&[start(40, &events), start(40, &events[3..9])], 30);
    assert_eq!(ends[0].as_ref().unwrap().modules[0].seen, 39 + 1 + 30 + 1);
}

#[test]
fn what_would_happen_at_the_end_does_not() {
    let ends = ends(&[start(1, &[(999, 0, Kind::Rest, 0, 0), (1000, 0, Kind::Rest, 0, 0)])], 1);
    let end = ends[0].as_ref().unwrap();
    assert_eq!((end.handled, end.waiting, end.modules[0].seen), (1, 1, 1));
}

#[test]
fn simulations_that_cannot_start_are_refused() {
    let refused = |start: Start<Obedient>| Engine::new(&device(), &[start], 1).unwrap_err();
    let error = refused(start(0, &[]));
    assert_eq!(error, EngineError::Start(StartError::NoModules { simulation: 0 }));
    let error = refused(start(2, &[(0, 2, Kind::Rest, 0, 0)]));
    assert_eq!(error, EngineError::Start(StartError::NoSuchModule { simulation: 0, module: 2, modules: 2 }));
    let error = Engine::new(&device(), &[start(1, &[])], MOST + 1).unwrap_err();
    assert_eq!(error, EngineError::Start(StartError::TooManyPromised { most: MOST + 1 }));
    assert!(Engine::<Obedient>::new(&device(), &[], 1).unwrap().run().unwrap().is_empty());
}

const PHOLD: PholdStudy =
    PholdStudy { simulations: 6, modules: 5, tokens: 4, lookahead: 20, mean: 30, remote: 50, end: 2_000, seed: 11 };

#[test]
fn a_simulation_does_not_notice_what_runs_beside_it() {
    let starts = PHOLD.starts();
    let together = Engine::new(&device(), &starts, phold::MOST).unwrap().run().unwrap();
    for (start, end) in starts.iter().zip(&together) {
        let alone = Engine::new(&device(), std::slice::from_ref(start), phold::MOST).unwrap().run().unwrap();
        assert_eq!(&alone[0], end);
    }
}

#[test]
fn a_cancelled_run_goes_on_where_it_was() {
    // A run is heard of now and then; one that is long enough, several times.
    let mut stopped = 0;
    let mut end = 100_000;
    while stopped == 0 {
        let starts = PholdStudy { end, ..PHOLD }.starts();
        let whole = Engine::new(&device(), &starts, phold::MOST).unwrap().run().unwrap();
        let mut engine = Engine::new(&device(), &starts, phold::MOST).unwrap();
        let ends = loop {
            match engine.run_with(|_| if stopped < 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }) {
                Ok(ends) => break ends,
                Err(EngineError::Cancelled { .. }) => stopped += 1,
                Err(error) => panic!("{error}"),
            }
        };
        assert_eq!(ends, whole);
        end *= 4;
    }
}
