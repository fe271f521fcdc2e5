//! The flood: all engines against the sequential one, and against figures of the specification.

#![allow(clippy::unwrap_used, clippy::panic)]

use imminent_cell::flood::{Flood, FloodError, FloodRule};
use imminent_cell::sequential::{self, Delay, LocalRule, Next, Seen};
use imminent_cell::{Border, CellSpace, Engine, Simulation};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use proptest::prelude::*;
use std::ops::ControlFlow;

fn cpu() -> Device {
    Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap()
}

/// Every engine gives the sequential one's outcome, and keeps the water but for what the tolerance takes.
fn agree(flood: &Flood) {
    let (device, on) = (cpu(), &mut |_| ControlFlow::Continue(()));
    let sequential = flood.run_sequentially().unwrap().outcome;
    assert_eq!(flood.run(&device, Engine::Auto, on).unwrap().outcome, sequential, "rows");
    let tiles = flood.run_by_tiles(&device, Engine::Auto, on).unwrap().outcome;
    assert_eq!(tiles, sequential, "tiles");
    assert_eq!(tiles.digest(), sequential.digest());
    for steps in [1, 3, 8] {
        let batches = flood.run_in_batches(&device, steps, on).unwrap().outcome;
        assert_eq!(batches, sequential, "{steps} steps a launch");
    }
    let before: i64 = flood.amounts().iter().filter(|&&amount| amount > 0).sum();
    let most = 42 * flood.amounts().len() as i64 * sequential.distinct_times as i64;
    assert!((sequential.volume() - before).abs() <= most, "{} of {before}", sequential.volume());
}

/// The 25 x 25 cells of the public model with water in some of them.
fn field(water: &[((usize, usize), f64)]) -> Vec<f64> {
    let mut cells = vec![0.0; 625];
    for &((row, column), amount) in water {
        cells[row * 25 + column] = amount;
    }
    cells
}

fn four_sources() -> Vec<f64> {
    field(&[((6, 6), 4.0), ((6, 18), 4.0), ((18, 6), 4.0), ((18, 18), 4.0)])
}

/// The rule as the public model states it, over reals.
struct Reals;

impl LocalRule for Reals {
    type Value = f64;
    type Input = ();

    fn same(&self, a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-8
    }

    fn evaluate(&mut self, seen: &Seen<'_, f64, ()>) -> Result<Option<Next<f64>>, String> {
        let own = seen.neighbours[4].unwrap();
        let wet = seen.neighbours.iter().flatten().filter(|&&other| other >= 0.0);
        let value = if own >= 0.0 { own - wet.map(|other| (own - other) / 9.0).sum::<f64>() } else { own };
        Ok(Some(Next { value, delay: 1000 }))
    }
}

#[test]
fn the_first_three_seconds_change_36_96_and_132_cells() {
    let space = CellSpace::plane(25, 25, Border::Open).unwrap();
    let flood = Flood::new(25, 25, &four_sources(), 3.0 / 3600.0).unwrap();
    let history = sequential::simulate(&space, Delay::Transport, &mut FloodRule, flood.amounts(), 3000).unwrap();
    assert_eq!(history.early, [(1000, 36), (2000, 96), (3000, 132)]);
    agree(&flood);
    // The model over reals changes the same cells to nearly the same amounts.
    let reals = sequential::simulate(&space, Delay::Transport, &mut Reals, &four_sources(), 3000).unwrap();
    assert_eq!(reals.early, history.early);
    for (whole, real) in history.values.iter().zip(&reals.values) {
        assert!((imminent_cell::flood::water(*whole) - real).abs() < 5e-6, "{whole} {real}");
    }
}

#[test]
fn water_levels_out_to_its_mean() {
    let flood = Flood::new(25, 25, &four_sources(), 2.0).unwrap();
    let outcome = flood.run(&cpu(), Engine::Auto, &mut |_| ControlFlow::Continue(())).unwrap().outcome;
    let mean = 16.0 / 625.0;
    for &amount in &outcome.amounts {
        assert!((imminent_cell::flood::water(amount) - mean).abs() < 1e-4, "{amount}");
    }
    assert!((outcome.water() - 16.0).abs() < 625.0 * 1e-8 * outcome.distinct_times as f64, "{}", outcome.water());
}

#[test]
fn walls_hold_water_back() {
    // A block of 6 x 6 whose border is wall holds 32 units in its inner 4 x 4 cells: 2 in each.
    let mut cells = vec![0.0; 625];
    for row in 3..9 {
        for column in 3..9 {
            let wall = row == 3 || row == 8 || column == 3 || column == 8;
            cells[row * 25 + column] = if wall { -1.0 } else { 0.0 };
        }
    }
    cells[5 * 25 + 5] = 32.0;
    for (row, column) in [(2, 20), (20, 2), (20, 20), (12, 12)] {
        cells[row * 25 + column] = 147.25;
    }
    let flood = Flood::new(25, 25, &cells, 1.0).unwrap();
    let outcome = flood.run(&cpu(), Engine::Auto, &mut |_| ControlFlow::Continue(())).unwrap().outcome;
    let water = |row: usize, column: usize| imminent_cell::flood::water(outcome.amounts[row * 25 + column]);
    assert!((water(4, 4) - 2.0).abs() < 1e-3 && (water(7, 7) - 2.0).abs() < 1e-3);
    assert!((water(0, 0) - 1.0).abs() < 1e-2 && (water(24, 24) - 1.0).abs() < 1e-2, "{}", water(0, 0));
    assert_eq!(water(3, 5), -1.0);
    agree(&Flood::new(25, 25, &cells, 20.0 / 3600.0).unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn drawn_floods_agree(
        height in 1_u32..40,
        width in 1_u32..70,
        water in proptest::collection::vec((0_usize..4000, -1.0..50.0), 0..40),
        seconds in 0_u32..9,
    ) {
        let mut cells = vec![0.0; (height * width) as usize];
        let number = cells.len();
        water.iter().for_each(|&(at, water)| cells[at % number] = water);
        agree(&Flood::new(height, width, &cells, f64::from(seconds) / 3600.0 + 1e-7).unwrap());
    }
}

#[test]
fn a_dense_flood_agrees() {
    agree(&Flood::dense(40, 40, 1.0, 31.0 / 3600.0).unwrap());
}

#[test]
fn a_flood_on_several_threads_agrees() {
    // As many cells as threads are used for; the water crosses from band to band.
    let flood = Flood::dense(330, 200, 1.0, 40.0 / 3600.0).unwrap();
    let sequential = flood.run_sequentially().unwrap().outcome;
    for threads in [1, 2, 3] {
        let options = Options { threads: Some(threads), ..Options::default() };
        let device = Device::open(CpuBackend::open(&options).unwrap()).unwrap();
        let outcome = flood.run(&device, Engine::Auto, &mut |_| ControlFlow::Continue(())).unwrap().outcome;
        assert_eq!(outcome, sequential, "{threads} threads");
    }
}

#[test]
fn bad_floods_are_refused() {
    let message = |cells: &[f64], hours| Flood::new(1, 2, cells, hours).unwrap_err().to_string();
    assert_eq!(message(&[1.0], 1.0), "a grid of 1 rows and 2 columns has 2 cells, not 1");
    assert_eq!(message(&[f64::NAN, 1.0], 1.0), "the cells hold NaN units of water, which is no amount up to 536870912");
    assert_eq!(
        message(&[1.0, 1e12], 1.0),
        "the cells hold 1.000000000001e12 units of water, which is no amount up to 536870912"
    );
    assert_eq!(message(&[1.0, 1.0], f64::INFINITY), "a flood can run for 0 to 1193 hours, not inf");
}

#[test]
fn the_event_list_asks_whether_it_goes_on() {
    let flood = Flood::dense(100, 100, 1.0, 1.0).unwrap();
    let error = flood.run_sequentially_while(&mut |_| ControlFlow::Break(())).unwrap_err();
    assert!(matches!(error, FloodError::Cancelled { .. }), "{error}");
}
