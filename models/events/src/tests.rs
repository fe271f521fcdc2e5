//! Tests of the engines' guarantees, with models made to break them.

use super::phold::{self, Phold, PholdStudy};
use super::{
    Engine, EngineError, Events, Execution, First, Lookahead, MAX_SCHEDULED, Mapping, MappingChoice, Parallelism,
    Start, StartError, State, StateError, Trouble, Whereabouts, coprocess, parallelism, sequential,
};
use imminent_core::fault::FaultKind;
use imminent_core::{Device, Row};
use imminent_cpu::{CpuBackend, Options};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

mod resuming;

mod handlers {
    crate::event_model! {
        /// Handlers that follow the instructions in the payload.
        pub mod obedient {
            events {
                /// Does nothing.
                Rest => rest,
                /// Schedules the given number of events at this module.
                Spread => spread,
                /// Sends one event.
                Send => send,
                /// Schedules itself again.
                Again => again,
                /// Stores the delay.
                Note => note,
            }

            /// Module that counts.
            #[derive(Row)]
            pub struct Module {
                /// Number of executed events.
                pub seen: u32,
                /// Hash of their times and order.
                pub trail: u64,
                /// Delays that were noted.
                pub notes: Lanes<u64>,
            }

            /// Instructions for a handler.
            pub struct Payload {
                /// Number of a module, or number of events.
                pub number: u32,
                /// Delay in ticks.
                pub delay: u64,
            }

            /// Parameters.
            #[derive(Row)]
            pub struct Point {
                /// Amount added to `seen`.
                pub step: u32,
            }

            fn rest(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
                me.seen += point.step;
                me.trail = me.trail * 31 + agenda.now() + u64::from(payload.number);
            }

            fn again(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
                me.seen += point.step;
                agenda.schedule(payload.delay, Kind::Again, payload);
            }

            fn note(me: &mut Module, payload: Payload, _point: &Point, _agenda: &mut Agenda) {
                me.notes.set(payload.number, payload.delay);
            }

            fn spread(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
                me.seen += point.step;
                for number in 0..payload.number {
                    agenda.schedule(payload.delay, Kind::Rest, Payload { number, delay: 0 });
                }
            }

            fn send(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
                me.seen += point.step;
                agenda.send(payload.number, payload.delay, Kind::Rest, Payload { number: 7, delay: 0 });
            }
        }
    }
}

mod heavy_handlers {
    crate::event_model! {
        /// Events with a payload one word larger than devices can pass.
        pub mod heavy {
            events {
                /// Passes the payload on.
                On => on,
            }

            /// Module that only stores a word.
            #[derive(Row)]
            pub struct Module {
                /// Last word received.
                pub last: u32,
            }

            /// Payload.
            pub struct Payload {
                /// Words of the payload.
                pub words: [u32; 257],
            }

            /// Parameters.
            #[derive(Row)]
            pub struct Point {
                /// Ticks to the next event.
                pub delay: u64,
            }

            fn on(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
                me.last = payload.words[256];
                agenda.schedule(point.delay, Kind::On, payload);
            }
        }
    }
}

use handlers::obedient::{self, Kind};
use heavy_handlers::heavy;

type Obedient = obedient::step;

fn start(modules: usize, events: &[(u64, u32, Kind, u32, u64)]) -> Start<Obedient> {
    let first = |&(time, module, kind, number, delay): &(u64, u32, Kind, u32, u64)| First {
        time,
        module,
        kind,
        payload: obedient::Payload { number, delay },
    };
    Start {
        point: Arc::new(obedient::Point { step: 1 }),
        modules: vec![obedient::Module::zeroed(2); modules],
        events: events.iter().map(first).collect(),
        lookahead: 5.into(),
        end: 1000,
    }
}

fn device() -> Device {
    Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap()
}

/// Ways of execution that an engine chooses between: steps of one stage, steps of two stages, simulations that go on by
/// themselves, and threads of the host.
const WAYS: [Mode; 4] = [
    (Execution::Device, Mapping::InOrder),
    (Execution::Device, Mapping::Due),
    (Execution::Device, Mapping::Apart),
    (Execution::Host, Mapping::InOrder),
];

type Mode = (Execution, Mapping);

fn on<E: Events>(way: Mode, starts: &[Start<E>], most: u32) -> Engine<E> {
    resumed(way, &device(), starts.to_vec(), [].into(), most).unwrap()
}

fn resumed<E: Events>(
    (execution, mapping): Mode,
    device: &Device,
    starts: Vec<Start<E>>,
    states: BTreeMap<usize, State<E>>,
    most: u32,
) -> Result<Engine<E>, EngineError> {
    let mut engine = Engine::on(execution, device, starts, states, most)?;
    engine.set_mapping(MappingChoice::Always(mapping));
    Ok(engine)
}

fn ends(starts: &[Start<Obedient>], most: u32) -> Vec<super::Outcome<Obedient>> {
    let ends = on(WAYS[0], starts, most).run().unwrap();
    assert_eq!(on(WAYS[1], starts, most).run().unwrap(), ends, "in two stages");
    assert_eq!(on(WAYS[2], starts, most).run().unwrap(), ends, "by themselves");
    // Beside a simulation of many modules the earliest events of all are reduced.
    let beside: Vec<_> = starts.iter().cloned().chain([start(200, &[])]).collect();
    for way in WAYS {
        let mut found = on(way, &beside, most).run().unwrap();
        found.truncate(starts.len());
        assert_eq!(found, ends, "{way:?}, beside a large simulation");
    }
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
    // The delay is below the lookahead: the event could arrive in the past of the other module.
    assert!(matches!(ends[1], Err(Trouble::TooSoon(_, 5))), "{ends:?}");
    assert!(text(&ends[1]).starts_with("simulation 1, module 1, event `Send` at tick 3: "), "{}", text(&ends[1]));
    assert!(matches!(ends[3], Err(Trouble::TooMany(_, 2))), "{ends:?}");
    assert!(text(&ends[3]).starts_with("simulation 3, module 0, event `Spread` at tick 2: "), "{}", text(&ends[3]));
    let end = ends[2].as_ref().unwrap();
    assert_eq!((end.modules[0].seen, end.modules[1].seen, end.handled), (4, 1, 5));
}

#[test]
fn a_module_whose_clock_stands_still_stops_its_simulation() {
    let starts = [start(2, &[(4, 1, Kind::Again, 0, 0)]), start(1, &[(0, 0, Kind::Again, 0, 7)])];
    for way in WAYS {
        let ends = on(way, &starts, 1).run().unwrap();
        assert!(matches!(ends[0], Err(Trouble::Endless(Whereabouts { module: 1, time: 4, .. }))), "{ends:?}");
        assert_eq!(ends[0], sequential(&starts[0], 1, 0).unwrap());
        assert_eq!(ends[1].as_ref().unwrap().handled, 143);
    }
}

#[test]
fn rounds_wait_for_what_may_come_and_chains_do_not() {
    let found = |start: &Start<Obedient>| {
        let Parallelism { events, rounds, chain } = parallelism(start, 3).unwrap().unwrap();
        (events, rounds, chain)
    };
    // Three events scheduled by one, at one module.
    assert_eq!(found(&start(1, &[(0, 0, Kind::Spread, 3, 2)])), (4, 4, 4));
    // Four events of five ticks each, at two modules. The second module's events wait for those of the first, which
    // could affect them, but do not.
    let two = [(0, 0), (2, 0), (4, 0), (6, 0), (10, 1), (12, 1), (14, 1), (16, 1)];
    let two = two.map(|(time, module)| (time, module, Kind::Rest, 0, 0));
    assert_eq!(found(&start(2, &two)), (8, 7, 4));
    assert_eq!(found(&Start { lookahead: 8.into(), ..start(2, &two) }), (8, 6, 4));
    assert_eq!(found(&Start { lookahead: 0.into(), ..start(2, &two) }), (8, 4, 4));
    // A sent event depends on the event that sent it.
    let sent = [(0, 0, Kind::Rest, 0, 0), (1, 0, Kind::Send, 1, 9), (2, 1, Kind::Rest, 0, 0)];
    assert_eq!(found(&start(2, &sent)), (4, 3, 3));
    assert!(matches!(parallelism(&start(1, &[(0, 0, Kind::Spread, 4, 2)]), 3).unwrap(), Err(Trouble::TooMany(_, 3))));
    assert!(matches!(parallelism(&start(0, &[]), 3), Err(EngineError::Start(_))));
}

#[test]
fn the_first_trouble_is_told() {
    let starts = [start(3, &[(9, 0, Kind::Send, 8, 9), (4, 2, Kind::Send, 8, 9), (4, 1, Kind::Send, 8, 9)])];
    let at = ends(&starts, 1)[0].as_ref().unwrap_err().whereabouts();
    assert_eq!((at.time, at.module), (4, 1));
    // Here modules run apart, and the first trouble comes after many events.
    let many = (0..20_000).map(|_| (1, 1, Kind::Rest, 0, 0));
    let events: Vec<_> = many.chain([(10, 0, Kind::Send, 8, 9), (5, 1, Kind::Send, 0, 9)]).collect();
    let at = ends(&[Start { lookahead: 0.into(), ..start(2, &events) }], 1)[0].as_ref().unwrap_err().whereabouts();
    assert_eq!((at.time, at.module), (5, 1));
}

#[test]
fn events_go_along_links() {
    let links = Lookahead::of_links([vec![(1, 7), (2, 3)], vec![(0, 3)], vec![]]);
    let start = |event| Start { lookahead: links.clone(), ..start(3, &[event]) };
    let starts = [
        start((2, 0, Kind::Send, 1, 7)),
        start((2, 0, Kind::Send, 1, 6)),
        start((2, 1, Kind::Send, 2, 9)),
        start((2, 2, Kind::Send, 0, 9)),
        start((2, 2, Kind::Send, 3, 9)),
        start((2, 2, Kind::Send, 2, 0)),
    ];
    let ends = ends(&starts, 1);
    assert_eq!(ends[0].as_ref().unwrap().handled, 2);
    assert!(matches!(ends[1], Err(Trouble::TooSoon(..))), "{ends:?}");
    assert!(matches!(ends[2], Err(Trouble::NotLinked(_))), "{ends:?}");
    assert!(matches!(ends[3], Err(Trouble::NotLinked(_))), "{ends:?}");
    assert!(matches!(ends[4], Err(Trouble::NoSuchModule(_))), "{ends:?}");
    assert_eq!(ends[5].as_ref().unwrap().handled, 2, "a module needs no link to itself");
}

#[test]
fn a_fault_in_a_handler_is_an_error_of_every_call() {
    let starts =
        [start(1, &[(2, 0, Kind::Rest, 0, 0)]), start(3, &[(7, 2, Kind::Note, 4, 0), (9, 1, Kind::Rest, 0, 0)])];
    let error = |way| {
        let mut engine = on(way, &starts, 1);
        let error = engine.run().unwrap_err();
        for again in [engine.run().err(), engine.outcomes([0]).err(), engine.states([0]).err()] {
            let Some(EngineError::Device(again)) = again else { panic!("the fault is forgotten: {again:?}") };
            assert!(again.fault().is_some(), "{again}");
        }
        let EngineError::Device(imminent_core::Error::Fault(fault)) = error else { panic!("{error}") };
        fault
    };
    let [on_device @ .., host] = WAYS.map(error);
    assert_eq!(on_device.map(|fault| (fault.kind, fault.line)), [(host.kind, host.line); 3]);
    assert_eq!((host.kind, host.row), (FaultKind::LaneOutOfRange, 2));
    assert!(host.to_string().contains("index 4, length 2"), "{host}");
}

/// A queue gives its events by their times, in whatever order they were inserted. The right trails are computed here.
#[test]
fn shuffled_queues_give_the_events_of_sorted_ones() {
    let event = |number: u32| (u64::from(number * 13 + 1), number % 3, Kind::Rest, number, 0);
    let orders: [fn(u32) -> u32; 5] =
        [|i| i, |i| 59 - i, |i| i * 23 % 60, |i| (i * 47 + 31) % 60, |i| if i < 30 { 2 * i } else { 119 - 2 * i }];
    let starts = orders.map(|order| start(3, &(0..60).map(|i| event(order(i))).collect::<Vec<_>>()));
    let trail = |module| {
        let numbers = (0..60_u32).filter(|number| number % 3 == module);
        numbers.fold(0_u64, |trail, number| trail.wrapping_mul(31).wrapping_add(u64::from(number * 14 + 1)))
    };
    for end in ends(&starts, 1) {
        let end = end.unwrap();
        assert_eq!(end.modules.iter().map(|module| module.trail).collect::<Vec<_>>(), [0, 1, 2].map(trail));
        assert_eq!((end.handled, end.waiting), (60, 0));
    }
}

#[test]
fn lists_grow_and_lose_nothing() {
    // 40 events at once from each of many modules, to a list with far less initial room.
    let senders = (1..40_u32).map(|module| (u64::from(module % 3), module, Kind::Send, 0, 50));
    let events: Vec<_> = senders.chain([(0, 0, Kind::Spread, 30, 60), (60, 0, Kind::Rest, 1, 0)]).collect();
    let ends = ends(&[start(40, &events), start(40, &events[3..9])], 30);
    assert_eq!(ends[0].as_ref().unwrap().modules[0].seen, 39 + 1 + 30 + 1);
}

/// A list may have room for events behind the end, and none for those before it. Devices receive messages in orders of
/// their own.
#[test]
fn simulations_do_not_end_before_late_messages() {
    let senders = |late: fn(u32) -> bool| {
        let send = |module| (0, module, Kind::Send, 0, if late(module) { 2_000 } else { 50 });
        start(30, &(1..30).map(send).collect::<Vec<_>>())
    };
    // Beside one that has ended already: two of them are in groups.
    let of = |sent| {
        let end = ends(&[sent, start(1, &[])], 1).remove(0).unwrap();
        (end.modules[0].seen, end.waiting)
    };
    assert_eq!(of(senders(|_| true)), (0, 29));
    assert_eq!([of(senders(|module| module > 9)), of(senders(|module| module < 21))], [(9, 20); 2]);
}

/// If a list exceeds the available memory, its simulation stops with an error, and the others end as they would have.
#[test]
fn a_list_without_room_stops_its_simulation_alone() {
    let flood: Vec<_> = (0..40).map(|time| (time, 1, Kind::Spread, 30, 500)).collect();
    let starts = [start(2, &[(3, 0, Kind::Send, 1, 9), (900, 1, Kind::Rest, 0, 0)]), start(2, &flood)];
    for way in &WAYS[..3] {
        stops_alone(*way, &starts);
    }
}

fn stops_alone(way: Mode, starts: &[Start<Obedient>]) {
    let device = device();
    let on_device = || resumed(way, &device, starts.to_vec(), [].into(), 30).unwrap();
    let mut engine = on_device();
    device.set_memory_limit(Some(device.memory().current + 100_000));
    let ends = engine.run().unwrap();
    assert_eq!(ends[0], sequential(&starts[0], 30, 0).unwrap());
    let trouble = ends[1].as_ref().unwrap_err();
    let Trouble::NoRoom(Whereabouts { simulation: 1, module: 1, time, event: "Spread" }) = *trouble else {
        panic!("{trouble}");
    };
    assert!((1..40).contains(&time), "{trouble}");
    let text = trouble.to_string();
    let begins =
        format!("simulation 1, module 1, event `Spread` at tick {time}: the device has no memory for the pending");
    assert!(text.starts_with(&begins) && text.contains("run fewer simulations together"), "{text}");
    // With more memory the simulation continues.
    device.set_memory_limit(None);
    assert_eq!(on_device().run().unwrap()[1], sequential(&starts[1], 30, 1).unwrap());
}

#[test]
fn payloads_for_which_there_is_no_memory_are_refused() {
    let device = device();
    device.set_memory_limit(Some(device.memory().current + 10_000));
    let error = Engine::on(Execution::Device, &device, vec![start(1_000, &[])], [].into(), 30).unwrap_err();
    assert!(matches!(error, EngineError::Device(imminent_core::Error::OutOfMemory { .. })), "{error}");
    assert!(error.to_string().contains("Post"), "{error}");
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
    let error = Engine::new(&device(), &[start(1, &[])], MAX_SCHEDULED + 1).unwrap_err();
    assert_eq!(error, EngineError::Start(StartError::TooManyPromised { most: MAX_SCHEDULED + 1 }));
    assert!(Engine::<Obedient>::new(&device(), &[], 1).unwrap().run().unwrap().is_empty());
}

#[test]
fn events_that_carry_too_much_are_refused() {
    let start = Start::<heavy::step> {
        point: Arc::new(heavy::Point { delay: 1 }),
        modules: vec![heavy::Module { last: 0 }],
        events: vec![First { time: 0, module: 0, kind: heavy::Kind::On, payload: heavy::Payload { words: [1; 257] } }],
        lookahead: 0.into(),
        end: 3,
    };
    let starts = [start];
    let errors = [
        Engine::new(&device(), &starts, 1).unwrap_err(),
        coprocess(&device(), &starts, 1, 1).unwrap_err(),
        sequential(&starts[0], 1, 0).unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error, EngineError::Start(StartError::PayloadTooLarge { bytes: 1028 }));
        assert!(error.to_string().contains("1028 bytes, more than the limit of 1024"), "{error}");
    }
}
