//! Tests of speculative time windows: outcomes are those of the sequential program.

use super::fickle::fickle::{self, Kind};
use super::phold::{Phold, PholdStudy};
use super::{Engine, EngineError, Execution, First, Lookahead, Outcome, Room, Speculation, Start, Trouble, sequential};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;

fn device() -> Device {
    Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap()
}

fn engine<E: super::Events>(device: &Device, starts: &[Start<E>], window: u64) -> Engine<E> {
    let mut engine = Engine::on(Execution::Device, device, starts.to_vec(), [].into(), 1).unwrap();
    engine.set_window(Some(window)).unwrap();
    engine
}

/// Runs simulations in windows, and compares their outcomes with those of the sequential program.
fn in_windows<E: super::Events>(starts: &[Start<E>], window: u64) -> (Vec<Outcome<E>>, Speculation)
where
    E::Module: PartialEq + std::fmt::Debug,
{
    let mut engine = engine(&device(), starts, window);
    let ends = engine.run().unwrap();
    for (simulation, end) in ends.iter().enumerate() {
        assert_eq!(end, &sequential(&starts[simulation], 1, simulation).unwrap(), "window {window}");
    }
    let work = engine.speculation().unwrap().unwrap();
    (ends, work)
}

const STUDY: PholdStudy =
    PholdStudy { simulations: 1, modules: 50, tokens: 4, lookahead: 1, mean: 100, remote: 90, end: 1_000, seed: 5 };

#[test]
fn a_window_takes_fewer_steps_and_more_events() {
    let starts = STUDY.starts();
    let mut conservative = Engine::on(Execution::Device, &device(), starts.clone(), [].into(), 1).unwrap();
    let handled = conservative.run().unwrap()[0].as_ref().unwrap().handled;
    let (ends, work) = in_windows(&starts, 50);
    assert_eq!(ends[0].as_ref().unwrap().handled, handled);
    assert!(work.rounds < conservative.steps() / 2, "{work:?}, {} steps", conservative.steps());
    assert!((handled..8 * handled).contains(&work.executed), "{work:?}, {handled} events");
    // A window as long as the lookahead rolls nothing back, unless a list or a post is too small.
    let (_, work) = in_windows(&starts, 1);
    assert!((handled..handled + handled / 10).contains(&work.executed), "{work:?}, {handled} events");
}

#[test]
fn simulations_of_many_modules_and_of_few_run_side_by_side() {
    let few = PholdStudy { simulations: 3, modules: 3, tokens: 2, lookahead: 7, ..STUDY };
    let alone = PholdStudy { remote: 0, modules: 2, ..STUDY };
    let starts = [STUDY.starts(), few.starts(), alone.starts()].concat();
    for window in [0, 30, 5_000, u64::MAX] {
        in_windows(&starts, window);
    }
}

#[test]
fn a_cancelled_run_goes_on_in_other_steps() {
    let starts = PholdStudy { end: 20_000, ..STUDY }.starts();
    let mut engine = engine(&device(), &starts, 40);
    let mut stage = 0;
    let ends = loop {
        match engine.run_with(|_| if stage < 6 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }) {
            Ok(ends) => break ends,
            Err(EngineError::Cancelled { .. }) => stage += 1,
            Err(error) => panic!("{error}"),
        }
        engine.set_window([None, Some(40), Some(200)][stage % 3]).unwrap();
    };
    assert_eq!(ends[0], sequential(&starts[0], 1, 0).unwrap());
}

/// Without memory for the posts of a window, windows become shorter.
#[test]
fn windows_fit_into_memory() {
    let device = device();
    let starts = PholdStudy { tokens: 30, modules: 200, ..STUDY }.starts();
    let mut ample = engine(&device, &starts, 1_000);
    ample.run().unwrap();
    let (steps, mut engine) = (ample.steps(), engine(&device, &starts, 1_000));
    device.set_memory_limit(Some(device.memory().current + 2_000_000));
    let ends = engine.run().unwrap();
    device.set_memory_limit(None);
    assert!(ends[0] == sequential(&starts[0], 1, 0).unwrap());
    assert!(engine.steps() > steps, "{} and {steps} windows", engine.steps());
}

#[test]
fn the_memory_of_windows_is_known() {
    let (device, starts) = (device(), STUDY.starts());
    let mut room = Room::new(1);
    for start in &starts {
        room.add(start);
    }
    let mut engine = Engine::on(Execution::Device, &device, starts, [].into(), 1).unwrap();
    let before = device.memory().current;
    engine.set_window(Some(50)).unwrap();
    // Rows of the host have padding, which those of other devices have not.
    let (found, known) = (device.memory().current - before, room.window_bytes());
    assert!((known..known * 3 / 2).contains(&found), "{found} bytes, {known} are known");
}

fn start(events: &[(u64, u32, Kind, u32, u64)], end: u64) -> Start<fickle::step> {
    let first = |&(time, module, kind, to, delay): &(u64, u32, Kind, u32, u64)| First {
        time,
        module,
        kind,
        payload: fickle::Payload { to, delay },
    };
    Start {
        point: Arc::new(fickle::Point { unused: 0 }),
        modules: vec![fickle::Module { is_open: false, entered: 0, trail: 0 }; 3],
        events: events.iter().map(first).collect(),
        lookahead: 5.into(),
        end,
    }
}

/// Module 1 fails unless it is opened first. In the first round of a window it does not know that it will be.
#[test]
fn an_error_counts_only_if_it_is_not_rolled_back() {
    let opened = [(10, 0, Kind::Unlock, 1, 5), (20, 1, Kind::Enter, 2, 6)];
    let closed = [(10, 0, Kind::Unlock, 1, 15), (20, 1, Kind::Enter, 2, 6), (12, 2, Kind::Enter, 0, 9)];
    let starts = [start(&opened, 1_000), start(&closed[..2], 1_000), start(&closed, 1_000), start(&opened, 21)];
    for window in [0, 7, 100, 10_000] {
        let (ends, _) = in_windows(&starts, window);
        assert_eq!(ends[0].as_ref().unwrap().modules[2].entered, 1);
        let failed = |simulation: usize| ends[simulation].as_ref().unwrap_err().whereabouts();
        assert!(matches!(ends[1], Err(Trouble::NoSuchModule(_))), "{ends:?}");
        assert_eq!((failed(1).module, failed(1).time), (1, 20));
        assert_eq!((failed(2).module, failed(2).time), (2, 12));
        assert_eq!(ends[3].as_ref().unwrap().waiting, 1);
    }
}

/// Module 1 fills its list without end until it learns that it is open.
#[test]
fn a_flood_that_is_rolled_back_is_no_error() {
    let flood = [(10, 0, Kind::Unlock, 1, 5), (20, 1, Kind::Flood, 2, 5)];
    let (ends, _) = in_windows(&[start(&flood, 300), start(&flood[..1], 300)], 100);
    assert_eq!(ends[0].as_ref().unwrap().handled, 4);
}

#[test]
fn windows_are_refused_where_they_cannot_be() {
    let linked = Start { lookahead: Lookahead::of_links([vec![(1, 5)], vec![], vec![]]), ..start(&[], 9) };
    let mut engine = Engine::on(Execution::Device, &device(), vec![linked], [].into(), 1).unwrap();
    assert_eq!(engine.set_window(Some(10)), Err(EngineError::WindowWithLinks));
    let starts = super::lcg::LcgStudy::default().starts();
    let mut engine = Engine::on(Execution::Device, &device(), starts, [].into(), 1).unwrap();
    assert_eq!(engine.set_window(Some(10)), Err(EngineError::NotOptimistic));
    assert_eq!(engine.set_window(None), Ok(()));
    assert_eq!(engine.speculation(), Ok(None));
}

fn study() -> impl Strategy<Value = PholdStudy> {
    let sizes = (1_u32..4, 2_u32..40, 1_u32..8);
    let times = (1_u64..6, 1_u64..60, prop::sample::select(vec![10_u32, 60, 100]), 1_u64..400);
    (sizes, times, any::<u64>()).prop_map(|((simulations, modules, tokens), (lookahead, mean, remote, end), seed)| {
        PholdStudy { simulations, modules, tokens, lookahead, mean, remote, end, seed }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn windows_of_any_length_change_nothing(study in study(), window in 0_u64..300) {
        in_windows::<Phold>(&study.starts(), window);
    }
}
