//! Models with a rule of their own: all engines against the sequential oracle, and the texts of errors.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use imminent_cell::model::{CellModel, Cells, CellsError, Event, Outcome, RunError};
use imminent_cell::sequential::{Delay, Reason};
use imminent_cell::{Border, CellSpace, Engine};
use imminent_core::{Determinism, Device};
use imminent_cpu::{CpuBackend, Options};
use proptest::prelude::*;
use std::ops::ControlFlow;

fn cpu() -> Device {
    Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap()
}

/// Values that depend on everything that a rule sees.
#[imminent_core::kernels]
pub mod mixture {
    use imminent_cell::model::here::Here;
    use imminent_core::random::Pcg32;

    #[derive(Params)]
    pub struct Mixture {
        pub most: u32,
        pub weights: [u32; 8],
        pub delays: [u32; 8],
        pub idle: u32,
    }

    pub struct Pair {
        pub small: u32,
        pub wide: u64,
    }

    pub struct Next {
        pub value: Pair,
        pub delay: u32,
    }

    pub fn alike(a: Pair, b: Pair, _mixture: &Mixture) -> bool {
        a.small == b.small && a.wide == b.wide
    }

    pub fn mix(random: &mut Pcg32, here: &Here, own: Pair, seen: &[Pair; 6], input: Pair, mixture: &Mixture) -> Next {
        let mut sum = own.small * 3 + here.zone + here.coordinate(0) + 5 * here.coordinate(1) + here.time % 3;
        for at in 0..here.neighbours {
            if here.sees(at) {
                sum += mixture.weights[at as usize] * seen[at as usize].small;
            } else {
                sum += 11;
            }
        }
        if here.fed {
            sum += 1 + input.small;
        }
        if sum % 16 < mixture.idle {
            return Next { value: own, delay: sum % 3 };
        }
        let small = sum % mixture.most;
        let delay = mixture.delays[((sum + random.below(3)) % 8) as usize];
        Next { value: Pair { small, wide: ((own.wide << 3) | small as u64) % 4099 }, delay }
    }
}

imminent_cell::cell_model! {
    /// Kernels of the mixture.
    pub mod mixing for mixture {
        model: Mixture,
        value: Pair,
        undefined: Pair { small: 7, wide: 7 },
        neighbours: 6,
        same: alike,
        rule: mix(random, here, own, seen, input, model),
    }
}

use mixture::{Mixture, Pair};

/// Most outputs of a drawn model. One whose time stands still has 10,000 rounds of them.
const MAX_OUTPUTS: u64 = 200_000;

/// Returns `true` if a model has more outputs than a test has time for.
fn is_endless<M: CellModel>(cells: &Cells<M>, horizon: u32) -> bool {
    let outputs = std::cell::Cell::new(0);
    let go_on = &mut |_| match outputs.get() {
        0..MAX_OUTPUTS => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let ran = cells.run_sequentially_while(horizon, go_on, &mut |_| outputs.set(outputs.get() + 1));
    matches!(ran, Err(RunError::Cancelled { .. })) || outputs.get() >= MAX_OUTPUTS
}

/// The outcome or the error of the oracle, which every engine has to give.
fn agree<M: CellModel>(cells: &Cells<M>, horizon: u32) -> Result<Outcome<M::Value>, RunError> {
    let device = cpu();
    let on = &mut |_| ControlFlow::Continue(());
    let (mut told, mut observed) = (Vec::new(), Vec::new());
    let expected = cells.run_sequentially(horizon, &mut |output| told.push(output)).map(|run| run.outcome);
    let host = cells.run_on_host(horizon, on, &mut |output| observed.push(output)).map(|run| run.outcome);
    assert_eq!(host, expected, "host");
    assert_eq!(observed, told);
    for engine in [Engine::Step, Engine::Window, Engine::Auto] {
        let tables = cells.run_by_tables(&device, engine, horizon, on).map(|run| run.outcome);
        assert_eq!(tables, expected, "{engine}");
        if let (Ok(tables), Ok(expected)) = (&tables, &expected) {
            assert_eq!(tables.digest(), expected.digest());
        }
    }
    expected
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn drawn_models_agree_with_the_oracle(
        dimensions in proptest::collection::vec(1_u32..24, 1..5),
        offsets in proptest::collection::vec(proptest::collection::vec(-9_i32..10, 4), 1..7),
        delay in prop_oneof![Just(Delay::Inertial), Just(Delay::Transport), Just(Delay::TransportAll)],
        wrapped in any::<bool>(),
        (most, idle, seed) in (2_u32..9, 0_u32..9, any::<u64>()),
        weights in any::<[u8; 8]>(),
        delays in proptest::array::uniform8(prop_oneof![24 => 1_u32..90, 4 => 0_u32..2, 1 => Just(u32::MAX)]),
        values in proptest::collection::vec(0_u32..9, 1..50),
        events in proptest::collection::btree_map((0_u32..200, any::<u32>()), 0_u32..20, 0..20),
        zones in any::<bool>(),
        lookahead in proptest::option::of(0_u32..100),
    ) {
        let number: u32 = dimensions.iter().product();
        prop_assume!(number <= 1_500);
        let neighbours: Vec<Vec<i32>> = offsets.iter().map(|offset| offset[..dimensions.len()].to_vec()).collect();
        let border = if wrapped { Border::Wrapped } else { Border::Open };
        let space = CellSpace::new(&dimensions, border, &neighbours).unwrap();
        let mixture = Mixture { most, weights: weights.map(u32::from), delays, idle };
        let initial = (0..number).map(|cell| Pair { small: values[cell as usize % values.len()], wide: 0 }).collect();
        let event = |(&(time, cell), &small): (&(u32, u32), &u32)| {
            Event { time, cell: cell % number, value: Pair { small, wide: 1 } }
        };
        let merge = |a: Pair, b: Pair| Pair { small: a.small + b.small, wide: 0 };
        let mut cells = Cells::new(mixture, space, delay, initial).unwrap().with_seed(seed);
        cells = cells.with_merged_events(events.iter().map(event), merge).unwrap();
        if zones {
            cells = cells.with_zones((0..number).map(|cell| cell * cell % 5).collect()).unwrap();
        }
        if let Some(lookahead) = lookahead {
            cells = cells.with_lookahead(lookahead);
        }
        let horizon = if delay == Delay::Inertial { 150 } else { 40 };
        prop_assume!(!is_endless(&cells, horizon));
        let _ = agree(&cells, horizon);
    }
}

/// Cells wake one another in turn at one time: every engine names the first cell of the round that is one too many.
#[test]
fn time_that_stands_still_between_cells_names_the_next_of_them() {
    let neighbours = [[-2, 3], [9, -2], [-4, 8], [4, -2], [6, -2]].map(|offset| offset.to_vec());
    let space = CellSpace::new(&[4, 22], Border::Wrapped, &neighbours).unwrap();
    let weights = [16, 27, 102, 235, 112, 0, 2, 4];
    let mixture = Mixture { most: 2, weights, delays: [39, 0, 1, 55, 76, 63, 0, 0], idle: 2 };
    let values = "7075451551142350406562672031231252135504685025057".bytes().map(|digit| u32::from(digit - b'0'));
    let initial = values.cycle().take(88).map(|small| Pair { small, wide: 0 }).collect();
    let cells = Cells::new(mixture, space, Delay::Transport, initial).unwrap().with_seed(8_718_316_552_765_264_721);
    let events = [(7, 78, 12), (14, 75, 19)];
    let events = events.map(|(time, cell, small)| Event { time, cell, value: Pair { small, wide: 1 } });
    let cells = cells.with_merged_events(events, |a, _| a).unwrap();
    let cells = cells.with_zones((0..88).map(|cell| cell * cell % 5).collect()).unwrap().with_lookahead(79);
    let reason = Reason::StandsStill { rounds: 10_001 };
    let Err(RunError::Rule(error)) = agree(&cells, 40) else { panic!("time goes on") };
    assert_eq!(error.reason, reason, "{error}");
}

/// Counts up while a neighbour is ahead, and asserts a bound.
#[imminent_core::kernels]
pub mod counting {
    use imminent_cell::model::here::Here;

    #[derive(Params)]
    pub struct Counting {
        pub bound: i32,
        pub delay: u32,
    }

    pub struct Next {
        pub value: i32,
        pub delay: u32,
    }

    pub fn count(here: &Here, own: i32, input: i32, counting: &Counting) -> Next {
        let value = if here.fed { input } else { own + 1 };
        assert!(value < counting.bound, "the count is below the bound");
        Next { value, delay: if here.cell == 3 { 0 } else { counting.delay } }
    }
}

imminent_cell::cell_model! {
    /// Kernels of the counting.
    pub mod counters for counting {
        model: Counting,
        value: i32,
        undefined: -1,
        neighbours: 3,
        rule: count(here, own, input, model),
    }
}

/// Averages of floats, and nothing once they are undefined.
#[imminent_core::kernels]
pub mod averages {
    #[derive(Params)]
    pub struct Average {
        pub keep: f32,
    }

    pub struct Next {
        pub value: f32,
        pub delay: u32,
    }

    pub fn average(own: f32, seen: &[f32; 2], average: &Average) -> Next {
        Next { value: own * average.keep + (seen[0] + seen[1]) * (0.5 - 0.5 * average.keep), delay: 10 }
    }
}

imminent_cell::cell_model! {
    /// Kernels of the averages.
    pub mod averaging for averages {
        model: Average,
        value: f32,
        undefined: f32::NAN,
        neighbours: 2,
        rule: average(own, seen, model),
    }
}

use averages::Average;
use counting::Counting;

fn line(cells: u32) -> CellSpace {
    CellSpace::new(&[cells], Border::Open, &[vec![0], vec![-1]]).unwrap()
}

fn counters(bound: i32, delay: u32, kind: Delay) -> Cells<Counting> {
    Cells::new(Counting { bound, delay }, line(600), kind, vec![0; 600]).unwrap()
}

#[test]
fn a_rule_that_fails_names_cell_time_and_line_by_every_engine() {
    let event = Event { time: 33, cell: 407, value: 50 };
    let mut cells = counters(40, 10, Delay::Inertial).with_events([event]).unwrap();
    // Cell 3 has no delay, so it reaches the bound at time 0.
    let RunError::Rule(error) = agree(&cells, 90).unwrap_err() else { panic!("no error of the rule") };
    assert_eq!((error.cell, error.time), (3, 0));
    let text = error.to_string();
    assert!(text.starts_with("cell 3 at 0 ms: assertion failed, at ") && text.contains("tests/model.rs:"), "{text}");
    assert!(text.ends_with("the count is below the bound: `value < counting.bound`"), "{text}");
    cells = Cells::new(Counting { bound: 40, delay: 10 }, line(3), Delay::Inertial, vec![0; 3]).unwrap();
    let event = Event { cell: 1, ..event };
    let RunError::Rule(error) = agree(&cells.with_events([event]).unwrap(), 90).unwrap_err() else { panic!() };
    assert_eq!((error.cell, error.time), (1, 33));
    // All fail at once, and the host evaluates cell 1 before cell 0.
    let space = CellSpace::new(&[3], Border::Open, &[vec![-1], vec![0]]).unwrap();
    let cells = Cells::new(Counting { bound: 5, delay: 10 }, space, Delay::Inertial, vec![0; 3]).unwrap();
    let RunError::Rule(error) = agree(&cells, 90).unwrap_err() else { panic!() };
    assert_eq!((error.cell, error.time), (0, 40));
}

#[test]
fn outputs_without_delay_and_without_end_name_cell_and_time() {
    for kind in [Delay::Inertial, Delay::Transport] {
        let error = agree(&counters(1_000_000, 7, kind), 100).unwrap_err();
        let RunError::Rule(error) = error else { panic!("{error}") };
        assert_eq!((error.cell, error.time, &error.reason), (3, 0, &Reason::StandsStill { rounds: 10_001 }));
    }
    let text = agree(&counters(1_000_000, 7, Delay::Transport), 100).unwrap_err().to_string();
    assert_eq!(
        text,
        "cell 3 at 0 ms: time stands still after 10001 rounds of outputs: give the rule a delay above 0, or the model the delay `inertial` if outputs of transport cells add up"
    );
}

#[test]
fn a_queue_keeps_many_outputs_and_the_last_of_one_time_counts() {
    // Inputs every millisecond become outputs after 60 ms, so 60 outputs wait; that of 31 ms replaces that of 30 ms.
    let space = CellSpace::new(&[2, 2], Border::Open, &[vec![0, 1]]).unwrap();
    let cells = Cells::new(Counting { bound: 1_000, delay: 60 }, space, Delay::Transport, vec![0; 4]).unwrap();
    let events = (1..100).map(|time| Event { time, cell: 2, value: 100 + time as i32 });
    let outcome = agree(&cells.with_events(events).unwrap(), 159).unwrap();
    assert_eq!((outcome.values[2], outcome.times[2]), (199, 159));
}

/// Two cells that see each other. Cell 0 is due at even times and cell 1 at odd times, by delays of 1 or 2 ms.
#[imminent_core::kernels]
pub mod doubling {
    use imminent_cell::model::here::Here;
    use imminent_core::random::Pcg32;

    #[derive(Params)]
    pub struct Doubling {
        /// Delay of cell 0 instead, if it is above 0.
        pub slow: u32,
    }

    pub struct Next {
        pub value: i32,
        pub delay: u32,
    }

    /// Returns values that all differ.
    pub fn double(random: &mut Pcg32, here: &Here, doubling: &Doubling) -> Next {
        let mut delay = 2 - (here.time + here.cell) % 2;
        if here.cell == 0 && doubling.slow > 0 {
            delay = doubling.slow;
        }
        Next { value: random.below(1 << 30) as i32, delay }
    }
}

imminent_cell::cell_model! {
    /// Kernels of the doubling.
    pub mod doubles for doubling {
        model: Doubling,
        value: i32,
        undefined: 0,
        neighbours: 2,
        rule: double(random, here, model),
    }
}

#[test]
fn outputs_that_add_up_end_a_run_early() {
    let space = CellSpace::new(&[2], Border::Wrapped, &[vec![0], vec![1]]).unwrap();
    let of = |slow| {
        let doubling = doubling::Doubling { slow };
        Cells::new(doubling, space.clone(), Delay::TransportAll, vec![0; 2]).unwrap()
    };
    // Each round gives each cell an output, so the rounds at a time are those of both times before: Fibonacci numbers.
    let mut rounds = vec![1_u64, 1];
    while rounds.len() < 19 {
        rounds.push(rounds[rounds.len() - 1] + rounds[rounds.len() - 2]);
    }
    assert_eq!(agree(&of(0), 12).unwrap().outputs, rounds[1..=12].iter().sum::<u64>());
    // At 17 ms the queue of cell 0 grows to the outputs of 18 ms.
    assert!(rounds[17] <= 4096 && rounds[18] > 4096);
    let error = agree(&of(0), 100).unwrap_err().to_string();
    assert_eq!(
        error,
        "cell 0 at 17 ms: 4097 outputs of the cell would be pending, and 4096 are the most: give the model the delay `inertial`, or the rule shorter delays"
    );
    // Outputs after the end of the run do not count: cell 0 computes one each second time, and cell 1 goes on alone.
    assert_eq!(agree(&of(1_000_000), 9000).unwrap().outputs, 4500);
}

#[test]
fn floats_are_reproducible_and_integers_exact() {
    let space = CellSpace::new(&[40], Border::Wrapped, &[vec![-1], vec![1]]).unwrap();
    let initial: Vec<f32> = (0..40).map(|cell| (cell % 7) as f32 / 3.0).collect();
    let cells = Cells::new(Average { keep: 0.25 }, space, Delay::Transport, initial.clone()).unwrap();
    assert_eq!(cells.class(), Determinism::Reproducible);
    assert!(agree(&cells, 300).unwrap().outputs > 1_000);
    assert_eq!(counters(9, 9, Delay::Inertial).class(), Determinism::Exact);
    // What lies beyond an open border spreads, one cell every ten milliseconds, and stays as it is.
    let space = CellSpace::new(&[40], Border::Open, &[vec![-1], vec![1]]).unwrap();
    let cells = Cells::new(Average { keep: 0.25 }, space, Delay::Inertial, initial).unwrap();
    let outcome = cells.run_on_host(50, &mut |_| ControlFlow::Continue(()), &mut |_| ()).unwrap().outcome;
    let undefined = outcome.values.iter().filter(|value| value.is_nan()).count();
    assert_eq!(undefined, 10);
    let steps = cells.run(&cpu(), Engine::Step, 50, &mut |_| ControlFlow::Continue(())).unwrap().outcome;
    assert_eq!(steps.digest(), outcome.digest());
}

#[test]
fn scenarios_and_runs_that_cannot_be_are_errors() {
    let wide = CellSpace::plane(4, 4, Border::Open).unwrap();
    let parameters = || Counting { bound: 9, delay: 9 };
    let error = Cells::new(parameters(), wide, Delay::Inertial, vec![0; 16]).unwrap_err();
    assert_eq!(error, CellsError::Neighbours { found: 9, most: 3 });
    let error = Cells::new(parameters(), line(5), Delay::Inertial, vec![0; 4]).unwrap_err();
    assert_eq!(error.to_string(), "there are 4 initial values for 5 cells: give each cell one, in the order of cells");
    let cells = || Cells::new(parameters(), line(5), Delay::Inertial, vec![0; 5]).unwrap();
    assert!(matches!(cells().with_zones(vec![1]), Err(CellsError::Length { what: "zones", .. })));
    let event = |time, cell, value| Event { time, cell, value };
    let error = cells().with_events([event(3, 5, 0)]).unwrap_err();
    assert_eq!(error.to_string(), "an event at 3 ms comes to cell 5, and the space has 5 cells: number cells from 0");
    let error = cells().with_events([event(3, 4, 0), event(2, 4, 0), event(3, 4, 1)]).unwrap_err();
    assert_eq!(error, CellsError::Twice { cell: 4, time: 3 });
    let merged = cells().with_merged_events([event(3, 4, 5), event(2, 4, 0), event(3, 4, 2)], |a, b| a - b).unwrap();
    assert_eq!(merged.events(), [event(2, 4, 0), event(3, 4, 3)]);
    let on = &mut |_| ControlFlow::Continue(());
    for engine in [Engine::Auto, Engine::Step, Engine::Sequential] {
        let error = cells().run(&cpu(), engine, u32::MAX - 1, on).unwrap_err();
        assert_eq!(error, RunError::Horizon { horizon: u32::MAX - 1 });
    }
}

#[test]
fn a_run_can_be_cancelled() {
    let cells = Cells::new(Counting { bound: i32::MAX, delay: 1 }, line(3), Delay::Inertial, vec![0; 3]).unwrap();
    let device = cpu();
    let stop = &mut |_| ControlFlow::Break(());
    for engine in [Engine::Auto, Engine::Step, Engine::Sequential] {
        let error = cells.run(&device, engine, 20_000, stop).unwrap_err();
        assert!(matches!(error, RunError::Cancelled { .. }), "{engine}: {error}");
    }
}
