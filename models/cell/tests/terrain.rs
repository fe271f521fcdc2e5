//! Floods on terrains: both engines against a plain loop over all cells, and the water's balance.

#![allow(clippy::unwrap_used, clippy::panic)]

use imminent_cell::flood::terrain::{Balance, Edge, NEVER, Outcome, Rain, Spring, TerrainFlood, Zone};
use imminent_cell::{Engine, Simulation};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use proptest::prelude::*;
use std::ops::ControlFlow;

const METRE: i64 = 1 << 32;

fn cpu() -> Device {
    Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap()
}

/// The outcome of both engines, after a comparison.
fn agree(flood: &TerrainFlood) -> Outcome {
    let on = &mut |_| ControlFlow::Continue(());
    let rows = flood.run(&cpu(), Engine::Auto, on).unwrap().outcome;
    let tiles = flood.run_by_tiles(&cpu(), Engine::Auto, on).unwrap().outcome;
    assert_eq!(rows, tiles);
    assert_eq!(rows.digest(), tiles.digest());
    assert!(rows.balance.is_exact(), "{:?}", rows.balance);
    rows
}

/// Depths after some seconds, by the rule as it is stated: every cell looks at all others.
fn plainly(rows: i32, columns: i32, ground: &[f64], open: bool, rain: i64, seconds: u32) -> Vec<i64> {
    let ground: Vec<Option<i64>> = ground
        .iter()
        .map(|&metres| (!metres.is_nan()).then(|| (metres * METRE as f64).round_ties_even() as i64))
        .collect();
    let mut depths: Vec<i64> = ground.iter().map(|ground| ground.map_or(-1, |_| 0)).collect();
    let at = |row: i32, column: i32| {
        ((0..rows).contains(&row) && (0..columns).contains(&column)).then_some((row * columns + column) as usize)
    };
    let flow = |depths: &[i64], from: usize, to: usize| {
        let difference = ground[from].unwrap() + depths[from] - ground[to].unwrap() - depths[to];
        if difference > 0 { difference.min(depths[from]) / 9 } else { 0 }
    };
    for _ in 0..seconds {
        let before = depths.clone();
        for row in 0..rows {
            for column in 0..columns {
                let own = at(row, column).unwrap();
                if ground[own].is_none() {
                    continue;
                }
                for (dy, dx) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dy, dx))).filter(|&by| by != (0, 0)) {
                    match at(row + dy, column + dx).filter(|&other| ground[other].is_some()) {
                        Some(other) => depths[own] += flow(&before, other, own) - flow(&before, own, other),
                        None if open => depths[own] -= before[own] / 9,
                        None => {}
                    }
                }
                depths[own] += rain;
            }
        }
    }
    depths
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn drawn_terrains_agree_with_the_rule(
        rows in 1_u32..30,
        columns in 1_u32..70,
        heights in proptest::collection::vec(prop_oneof![8 => (-3.0..3.0).boxed(), 1 => Just(f64::NAN).boxed()], 1..99),
        open in any::<bool>(),
        seconds in 0_u32..12,
    ) {
        let ground: Vec<f64> = (0..(rows * columns) as usize).map(|cell| heights[cell * 7 % heights.len()]).collect();
        let hours = f64::from(seconds) / 3600.0;
        // A quarter of a metre a second.
        let (intensity, rain) = (900_000.0 / 10.0, METRE / 40);
        let flood = TerrainFlood::new(rows, columns, 1.0, &ground, hours).unwrap();
        let flood = flood.rain(Rain::everywhere(intensity)).unwrap().edge(if open { Edge::Open } else { Edge::Closed });
        let outcome = agree(&flood);
        prop_assert_eq!(outcome.steps, seconds);
        // The rate is rounded to 2^-20 units, so both may differ by a unit or two of 2^-32 m in each step.
        let expected = plainly(rows as i32, columns as i32, &ground, open, rain, seconds);
        for (found, expected) in outcome.depths.iter().zip(&expected) {
            prop_assert!(found.abs_diff(*expected) <= 40 * u64::from(seconds), "{} {}", found, expected);
        }
    }
}

/// A bowl whose rim is higher than any water in the test.
fn bowl(side: u32) -> Vec<f64> {
    let middle = f64::from(side - 1) / 2.0;
    let height = |cell: u32| {
        let (row, column) = (f64::from(cell / side) - middle, f64::from(cell % side) - middle);
        0.05 * (row * row + column * column)
    };
    (0..side * side).map(height).collect()
}

#[test]
fn a_lake_becomes_level() {
    let spring = Spring { row: 3, column: 4, discharge: 20.0, start: 0.0, end: 30.0 / 3600.0 };
    let flood = TerrainFlood::new(17, 17, 2.0, &bowl(17), 0.5).unwrap().spring(spring).unwrap();
    let outcome = agree(&flood);
    let volume = Balance::cubic_metres(outcome.balance.stored, 2.0);
    assert!((volume - 600.0).abs() < 1e-3, "{volume}");
    let wet: Vec<(f64, f64)> = outcome
        .depths_in_metres()
        .into_iter()
        .zip(bowl(17))
        .filter(|&(depth, _)| depth > 0.05)
        .map(|(depth, ground)| (depth, depth + ground))
        .collect();
    assert!(wet.len() > 20, "{}", wet.len());
    let level = wet[0].1;
    assert!(wet.iter().all(|wet| (wet.1 - level).abs() < 0.01), "{wet:?}");
    assert_eq!(outcome.balance.left, 0);
    // The spring's cell is wet first, and its peak is higher than what is left there.
    let source = 3 * 17 + 4;
    assert_eq!(outcome.arrivals[source], 1);
    assert!(outcome.arrivals.iter().all(|&step| step == NEVER || step >= 1));
    assert!(outcome.peaks[source] > outcome.depths[source]);
    assert!(outcome.cells_reached() < 17 * 17 && outcome.deepest() > 1.0);
}

#[test]
fn rain_starts_and_ends_and_falls_on_its_zone() {
    let zone = Zone::Rectangle { row: 2, column: 0, rows: 3, columns: 50 };
    let shower = Rain { intensity: 3600.0, zone, start: 10.0 / 3600.0, end: 30.0 / 3600.0 };
    let mut ground = vec![f64::NAN; 9 * 40];
    ground.iter_mut().skip(2 * 40).take(5 * 40).for_each(|ground| *ground = 1.0);
    let flood = TerrainFlood::new(9, 40, 10.0, &ground, 5.0 / 60.0).unwrap().rain(shower).unwrap();
    let outcome = agree(&flood);
    // One millimetre a second, for 20 s, on 120 cells.
    let expected = (120.0 * 0.02 * METRE as f64) as i128;
    assert!((outcome.balance.received - expected).abs() < 1000, "{:?}", outcome.balance);
    // It spreads over the 200 cells of the terrain.
    assert!(
        outcome.depths_in_metres().iter().filter(|depth| !depth.is_nan()).all(|depth| (depth - 0.012).abs() < 1e-3)
    );
    assert!(outcome.arrivals.iter().zip(&ground).all(|(&step, ground)| ground.is_nan() == (step == NEVER)));
    // Ten steps of rain, whose rate is rounded down, are a little less than 1 cm.
    assert_eq!(outcome.arrivals_in_seconds()[2 * 40], 21.0);
    assert_eq!(outcome.arrivals[0], NEVER);
}

#[test]
fn an_open_edge_drains_a_slope() {
    let ground: Vec<f64> = (0..12 * 45).map(|cell| f64::from(cell % 45)).collect();
    let wet = vec![0.5; ground.len()];
    let flood = |edge| TerrainFlood::new(12, 45, 5.0, &ground, 0.5).unwrap().depths(&wet).unwrap().edge(edge);
    let open = agree(&flood(Edge::Open));
    assert!(open.balance.left > open.balance.initial * 99 / 100, "{:?}", open.balance);
    let closed = agree(&flood(Edge::Closed));
    assert_eq!((closed.balance.left, closed.balance.stored), (0, closed.balance.initial));
    assert!(closed.depths[0] > closed.depths[44]);
    assert_eq!(closed.arrivals[3], 0);
    // The length of a step scales the time alone.
    let slow = TerrainFlood::new(12, 45, 5.0, &ground, 0.5).unwrap().depths(&wet).unwrap().step(10.0).unwrap();
    assert_eq!((slow.steps(), agree(&slow).steps), (180, 180));
}

#[test]
fn bad_terrains_are_refused() {
    let new = |ground: &[f64], size, hours| TerrainFlood::new(1, 2, size, ground, hours);
    let flood = || new(&[0.0, f64::NAN], 1.0, 1.0).unwrap();
    let spring = |row, column, discharge| Spring { row, column, discharge, start: 0.0, end: f64::INFINITY };
    let texts = [
        new(&[0.0], 1.0, 1.0).unwrap_err().to_string(),
        new(&[0.0, f64::INFINITY], 1.0, 1.0).unwrap_err().to_string(),
        new(&[0.0, 1.0], 0.0, 1.0).unwrap_err().to_string(),
        new(&[0.0, 1.0], 1.0, f64::NAN).unwrap_err().to_string(),
        flood().step(0.0).unwrap_err().to_string(),
        flood().rain(Rain::everywhere(-1.0)).unwrap_err().to_string(),
        flood().spring(spring(0, 2, 1.0)).unwrap_err().to_string(),
        flood().spring(spring(0, 1, 1.0)).unwrap_err().to_string(),
        flood().spring(spring(0, 0, -1.0)).unwrap_err().to_string(),
        flood().depths(&[1.0]).unwrap_err().to_string(),
        flood().depths(&[-1.0, 1.0]).unwrap_err().to_string(),
        new(&[0.0, 1.0], 1.0, 1e6)
            .unwrap()
            .spring(spring(0, 0, 999.0))
            .unwrap()
            .run_by_tiles(&cpu(), Engine::Auto, &mut |_| ControlFlow::Continue(()))
            .unwrap_err()
            .to_string(),
    ];
    insta::assert_snapshot!(texts.join("\n"));
}
