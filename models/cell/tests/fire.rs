//! The fire: all engines against the sequential one, and against figures of the specification.

#![allow(clippy::unwrap_used, clippy::panic)]

use imminent_cell::fire::{DELAYS, DIRECTIONS, Fire, FireError, Outcome};
use imminent_cell::{Engine, Simulation};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

fn cpu() -> Device {
    Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap()
}

fn run(fire: &Fire, device: &Device, engine: Engine) -> imminent_cell::fire::Run {
    fire.run(device, engine, &mut |_| ControlFlow::Continue(())).unwrap()
}

/// Every engine gives the sequential one's outcome.
fn agree(fire: &Fire) {
    let device = cpu();
    let sequential = fire.run_sequentially().unwrap().outcome;
    let calendar = run(fire, &device, Engine::Auto);
    assert_eq!(calendar.engine, Engine::Window);
    assert_eq!(calendar.outcome, sequential, "calendar");
    for engine in [Engine::Window, Engine::Step] {
        let tiles = fire.run_by_tiles(&device, engine, &mut |_| ControlFlow::Continue(())).unwrap();
        assert_eq!((tiles.engine, &tiles.outcome), (engine, &sequential), "tiles");
    }
    let steps = run(fire, &device, Engine::Step);
    assert_eq!(steps.outcome, sequential, "steps");
    assert_eq!(steps.outcome.digest(), sequential.digest());
    agree_as_cells(fire, &device, &sequential);
}

/// Every engine of cells gives the sequential one's outcome for the same rule as a function of a kernel module.
fn agree_as_cells(fire: &Fire, device: &Device, expected: &Outcome) {
    let (cells, horizon, on) = (fire.cells().unwrap(), fire.horizon(), &mut |_| ControlFlow::Continue(()));
    let oracle = cells.run_sequentially(horizon, &mut |_| ()).unwrap().outcome;
    let outcomes = [
        cells.run(device, Engine::Auto, horizon, on),
        cells.run_by_tables(device, Engine::Window, horizon, on),
        cells.run_by_tables(device, Engine::Step, horizon, on),
    ];
    for run in outcomes {
        assert_eq!(run.unwrap().outcome, oracle, "cells");
    }
    assert_eq!(&as_fire(fire, &oracle), expected, "cells");
    assert_eq!(oracle.distinct_times, expected.distinct_times);
}

/// The outcome of a fire whose cells ignited as those of a model of cells did.
fn as_fire(fire: &Fire, cells: &imminent_cell::model::Outcome<u64>) -> Outcome {
    let ignited = |(&value, &time): (&u64, &u32)| if value > 0 { time } else { u32::MAX };
    let ignition = cells.values.iter().zip(&cells.times).map(ignited).collect();
    Outcome::new(fire.height(), fire.width(), fire.horizon(), ignition)
}

#[test]
fn a_whole_burn_agrees_and_differs_from_earliest_arrival() {
    let fire = Fire::new(30, 30, &[(19, 10)], 30.0).unwrap();
    agree(&fire);
    let outcome = run(&fire, &cpu(), Engine::Auto).outcome;
    assert_eq!(outcome.cells_burnt, 899);
    let earliest = earliest_arrival(30, 30, (19, 10));
    let different = outcome.ignition.iter().zip(&earliest).filter(|(fire, earliest)| fire != earliest).count();
    assert_eq!(different, 155);
}

/// Shortest paths over the directions' delays: the reading without pre-emption.
fn earliest_arrival(height: i32, width: i32, from: (i32, i32)) -> Vec<u32> {
    let mut times = vec![u32::MAX; (height * width) as usize];
    let mut queue = BinaryHeap::from([Reverse((0, from))]);
    while let Some(Reverse((time, (row, column)))) = queue.pop() {
        let cell = &mut times[(row * width + column) as usize];
        if *cell != u32::MAX {
            continue;
        }
        *cell = time;
        for (direction, delay) in DIRECTIONS.iter().zip(DELAYS) {
            let to = (row - direction.row, column - direction.column);
            if (0..height).contains(&to.0) && (0..width).contains(&to.1) {
                queue.push(Reverse((time + delay, to)));
            }
        }
    }
    times
}

#[test]
fn the_first_sixteen_minutes_ignite_84_cells() {
    // The last ignition of the public log is at 968,985 ms. The lit cell is none of the 84.
    let fire = Fire::new(30, 30, &[(19, 10)], 968_985.5 / 3_600_000.0).unwrap();
    let outcome = run(&fire, &cpu(), Engine::Auto).outcome;
    assert_eq!(outcome.cells_burnt, 84);
    assert_eq!(outcome.ignition.iter().copied().filter(|&time| time != u32::MAX).max(), Some(968_985));
}

#[test]
fn grids_that_tiles_do_not_divide_agree() {
    for (height, width, ignitions) in
        [(1, 1, vec![(0, 0)]), (1, 40, vec![(0, 3)]), (33, 17, vec![(32, 0), (5, 16), (5, 14)])]
    {
        agree(&Fire::new(height, width, &ignitions, 6.0).unwrap());
    }
    agree(&Fire::new(20, 20, &[], 1.0).unwrap());
    agree(&Fire::new(20, 20, &[(1, 1)], 0.0).unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn drawn_fires_agree(
        height in 1_u32..40,
        width in 1_u32..40,
        lit in proptest::collection::vec((0_u32..1000, 0_u32..1000), 1..6),
        hours in 0.0..12.0,
    ) {
        let lit: Vec<(u32, u32)> = lit.iter().map(|(row, column)| (row % height, column % width)).collect();
        agree(&Fire::new(height, width, &lit, hours).unwrap());
    }
}

#[test]
fn lines_of_cells_that_ignite_at_once_agree() {
    // Cells at one place of several tiles, and neighbours, ignite at the same times.
    let line: Vec<(u32, u32)> = (0..70).map(|column| (20, column)).collect();
    let corners = [(0, 0), (0, 69), (39, 0), (39, 69), (16, 16), (15, 15)];
    for ignitions in [&line[..], &line[3..40], &corners[..], &[]] {
        let fire = Fire::new(40, 70, ignitions, 5.0).unwrap();
        agree(&fire);
    }
}

#[test]
fn bad_fires_are_refused() {
    let error = Fire::new(10, 20, &[(10, 0)], 1.0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "ignition 10,0 is outside the grid of 10 rows and 20 columns: rows and columns count from 0"
    );
    assert!(matches!(Fire::new(10, 0, &[], 1.0), Err(FireError::Space(_))));
    assert_eq!(Fire::new(1, 1, &[], -1.0).unwrap_err().to_string(), "a fire can burn for 0 to 1193 hours, not -1");
}

/// Distinct times, cells burnt and largest simultaneous set of fifty hours on 1024 x 1024 cells (MODELS 1.2).
#[test]
fn four_ignitions_have_the_figures_of_the_specification() {
    let device = cpu();
    for ((row, column), figures) in [
        ((1023, 0), (524_514, 1_048_005, 2)),
        ((512, 512), (249_537, 497_746, 4)),
        ((649, 341), (374_726, 723_659, 4)),
        ((0, 0), (160_991, 160_991, 1)),
    ] {
        let fire = Fire::new(1024, 1024, &[(row, column)], 50.0).unwrap();
        let outcome = run(&fire, &device, Engine::Auto).outcome;
        let found = (outcome.distinct_times, outcome.cells_burnt, outcome.most_simultaneous);
        assert_eq!(found, figures, "ignition {row},{column}");
        // The least of the four: a scan for each distinct time takes longer without optimization.
        if (row, column) == (0, 0) {
            let steps = run(&fire, &device, Engine::Step);
            assert_eq!((steps.steps, steps.outcome.digest()), (figures.0 + 1, outcome.digest()));
            let cells =
                fire.cells().unwrap().run_on_host(fire.horizon(), &mut |_| ControlFlow::Continue(()), &mut |_| ());
            let cells = cells.unwrap().outcome;
            assert_eq!((cells.distinct_times, cells.outputs), (figures.0, figures.1));
            assert_eq!(as_fire(&fire, &cells).digest(), outcome.digest());
        }
    }
}

#[test]
fn every_engine_asks_whether_it_goes_on() {
    let fire = Fire::new(100, 100, &[(50, 50)], 50.0).unwrap();
    for engine in [Engine::Window, Engine::Step, Engine::Sequential] {
        let error = fire.run(&cpu(), engine, &mut |_| ControlFlow::Break(())).unwrap_err();
        assert!(matches!(error, FireError::Cancelled { .. }), "{engine}: {error}");
    }
}
