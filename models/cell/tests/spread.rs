//! Fires that spread in all directions, against the ellipse of their equations and against an independent search.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use imminent_cell::landscape::behaviour::{CellFire, Conditions};
use imminent_cell::landscape::{
    Corners, Directions, Landscape, Layers, NEVER, Outcome, Site, State, Weather, Wildfire, synthetic,
};
use imminent_cell::rothermel::{LengthToWidth, Moisture};
use imminent_cell::{Engine, Simulation};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Side of a cell, in metres.
const SIDE: f64 = 15.0;

/// Chaparral: number 4 of Anderson. Its reaction intensity does not limit the winds of these tests.
const FUEL: u16 = 4;

fn weather(wind: f64, from: f64) -> Weather {
    Weather { hour: 0.0, wind, from, moisture: Moisture([0.03, 0.03, 0.03, 0.3, 0.6]), foliar_moisture: 1.0 }
}

fn flat(rows: u32, columns: u32) -> Landscape {
    let cells = (rows * columns) as usize;
    let (fuel, slope, aspect) = (vec![FUEL; cells], vec![0.0; cells], vec![-1.0; cells]);
    Landscape::new(Layers { rows, columns, cell_size: SIDE, fuel, slope, aspect, canopy: None }).unwrap()
}

fn burn(landscape: Landscape, given: &[Weather], lit: (u32, u32), hours: f64) -> Outcome {
    let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
    let fire = Wildfire::new(Arc::new(landscape), given, &[lit], hours).unwrap();
    fire.run(&device, Engine::Auto, &mut |_| ControlFlow::Continue(())).unwrap().outcome
}

/// Fire of flat chaparral under a wind that gives it a ratio of length to width by fireLib's formula.
fn fire_of(ratio: f64, from: f64) -> (Weather, CellFire) {
    let site = Site::new(FUEL, 0.0, -1.0, None).unwrap();
    // Miles an hour at midflame height, and m/s at 20 ft.
    let wind = (ratio - 1.0) / 0.25 * 0.447_04 / site.wind_factor;
    let weather = weather(wind, from);
    let fire = Conditions::new(&State::from(&weather)).fire(&site).unwrap();
    let eccentricity = (ratio * ratio - 1.0).sqrt() / ratio;
    assert!((fire.eccentricity - eccentricity).abs() < 1e-6, "{} {eccentricity}", fire.eccentricity);
    (weather, fire)
}

/// Errors of a fire on flat ground, as shares: of the burnt area, of the farthest cell along the heading, and the
/// largest of the arrival times of cells more than a few cells away.
fn errors(ratio: f64, from: f64, cells: f64, directions: Directions) -> [f64; 3] {
    let (given, fire) = fire_of(ratio, from);
    let (radians, e) = ((from + 180.0).to_radians(), fire.eccentricity);
    let (north, east) = (radians.cos(), radians.sin());
    let minutes = cells * SIDE / fire.rate;
    // Room for the ellipse: the fire is lit so that its middle is that of the grid.
    let middle = cells * e / (1.0 + e);
    let (row, column) = ((middle * north).round() as i64, (middle * -east).round() as i64);
    let side = 2 * (cells - middle) as u32 + 12;
    let lit = ((i64::from(side / 2) + row) as u32, (i64::from(side / 2) + column) as u32);
    let outcome = burn(flat(side, side).with_directions(directions), &[given], lit, minutes / 60.0);
    let (mut burnt, mut head, mut latest) = (0, 0.0_f64, 0.0_f64);
    for (cell, &time) in outcome.ignition.iter().enumerate() {
        let up = f64::from(lit.0) - (cell as u32 / side) as f64;
        let right = (cell as u32 % side) as f64 - f64::from(lit.1);
        let (distance, along) = (up.hypot(right), up * north + right * east);
        // Rate on the ellipse about its focus, in cells a minute.
        let exact = (distance - e * along) / (fire.rate * (1.0 - e)) * SIDE * 60_000.0;
        if time != NEVER {
            burnt += 1;
            head = head.max(along);
            assert!(f64::from(time) >= exact - 1.0 - 0.001 * exact, "cell {cell} burns at {time} before {exact}");
            if distance > 3.0 {
                latest = latest.max((f64::from(time) + 1.0) / exact - 1.0);
            }
        }
    }
    let (length, width) = (cells * 2.0 / (1.0 + e), cells * 2.0 / (1.0 + e) / ratio);
    let area = std::f64::consts::PI / 4.0 * length * width;
    [f64::from(burnt) / area - 1.0, head / cells - 1.0, latest]
}

/// Small fires, whose area and head are also rounded to cells. Times are latest where fire is slow: at its back.
#[test]
fn fires_are_near_their_ellipse_for_all_winds() {
    for (ratio, step) in [(1.0, 15.0), (1.5, 10.0), (2.0, 10.0), (3.0, 5.0), (4.0, 5.0), (6.0, 10.0)] {
        for from in (0..72).map(|number| step * f64::from(number)).take_while(|from| *from < 360.0) {
            let [area, head, time] = errors(ratio, from, 60.0, Directions::Adaptive);
            assert!(area.abs() < 0.04 && head > -0.04 && head < 0.001, "{ratio} {from}: {area} {head}");
            assert!(time < 0.09, "{ratio} {from}: {time}");
        }
    }
}

#[test]
fn area_and_head_of_a_large_fire_are_within_three_percent() {
    for (ratio, from) in [(4.0, 22.5), (4.0, 200.0), (3.0, 3.0), (2.0, 350.0), (1.0, 0.0), (6.0, 67.0)] {
        let [area, head, _] = errors(ratio, from, 200.0, Directions::Adaptive);
        assert!(area.abs() < 0.03 && head.abs() < 0.03, "{ratio} {from}: {area} {head}");
    }
    // To eight neighbours, head and area depend on the angle between wind and grid.
    let [area, head, _] = errors(4.0, 202.5, 200.0, Directions::Eight);
    assert!(area < -0.5 && head < -0.5, "{area} {head}");
    let [_, head, _] = errors(4.0, 180.0, 200.0, Directions::Eight);
    assert!(head.abs() < 0.01, "{head}");
}

/// A slope without wind, up which fire runs as an ellipse in its plane.
#[test]
fn a_fire_up_a_slope_is_the_projection_of_its_ellipse() {
    let (rows, columns, lit) = (160, 160, (110, 60));
    for aspect in [201.0_f32, 250.0] {
        let cells = (rows * columns) as usize;
        let layers = Layers {
            rows,
            columns,
            cell_size: SIDE,
            fuel: vec![FUEL; cells],
            slope: vec![0.6; cells],
            aspect: vec![aspect; cells],
            canopy: None,
        };
        let given = weather(1.0, 230.0);
        let site = Site::new(FUEL, 0.6, aspect, None).unwrap();
        let fire = Conditions::new(&State::from(&given)).fire(&site).unwrap();
        let outcome = burn(Landscape::new(layers).unwrap(), &[given], lit, 1.0);
        let mut burnt = 0;
        for (cell, &time) in outcome.ignition.iter().enumerate().filter(|(_, time)| **time != NEVER) {
            let up = f64::from(lit.0) - (cell as u32 / columns) as f64;
            let right = (cell as u32 % columns) as f64 - f64::from(lit.1);
            let distance = up.hypot(right);
            if distance > 3.0 {
                let exact = distance * SIDE / fire.horizontal_rate([up / distance, right / distance]) * 60_000.0;
                let error = f64::from(time) / exact - 1.0;
                assert!((-0.001..0.09).contains(&error), "cell {cell}: {error}");
                burnt += 1;
            }
        }
        assert!(burnt > 1000, "{burnt}");
    }
}

#[test]
fn fires_are_narrower_or_wider_by_the_formula_of_their_ratio() {
    let (given, _) = fire_of(3.0, 260.0);
    let width = |formula: LengthToWidth| {
        let outcome = burn(flat(120, 200).with_length_to_width(formula), &[given], (60, 20), 0.15);
        outcome.size()
    };
    let [library, plus, farsite] =
        [LengthToWidth::FireLib, LengthToWidth::BehavePlus, LengthToWidth::Farsite].map(width);
    // 8 mi/h give 3 by fireLib, and 0.936 e^0.9176 + 0.461 e^-0.5536 - 0.397 = 2.21 by FARSITE.
    assert!(library.abs_diff(plus) <= 5 && farsite as f64 > 1.25 * library as f64, "{library} {plus} {farsite}");
}

/// Landscape of one row of text for each row of cells; `#` does not burn.
fn drawn(rows: &[&str]) -> (Landscape, u32) {
    let columns = rows[0].len() as u32;
    let walls: Vec<(u32, u32)> = (0..)
        .zip(rows)
        .flat_map(|(row, text)| {
            (0..).zip(text.bytes()).filter(|(_, at)| *at == b'#').map(move |(column, _)| (row, column))
        })
        .collect();
    (flat(rows.len() as u32, columns).with_barriers(&walls).unwrap(), columns)
}

/// Fire does not leak through walls that touch at corners, whatever the slope of the wall.
#[test]
fn walls_hold() {
    let steep = [
        "....#.....",
        "....#.....",
        "...#......",
        "...#......",
        "...#......",
        "..#.......",
        "..#.......",
        ".#........",
        ".#........",
        "#.........",
    ];
    let diagonal = [
        "......#...",
        ".....#....",
        "....#.....",
        "...#......",
        "..#.......",
        ".#........",
        "#.........",
        "..........",
        "..........",
        "..........",
    ];
    for (rows, right) in [(steep, (5, 7)), (diagonal, (8, 8))] {
        let (landscape, columns) = drawn(&rows);
        let is_right = |cell: usize| {
            let text = rows[cell / columns as usize];
            text.find('#').is_none_or(|wall| cell % columns as usize > wall)
        };
        for from in (0..24).map(|step| 15.0 * f64::from(step)) {
            let outcome = burn(landscape.clone(), &[weather(12.0, from)], right, 500.0);
            for (cell, &time) in outcome.ignition.iter().enumerate() {
                let burns = rows[cell / columns as usize].as_bytes()[cell % columns as usize] != b'#';
                assert_eq!(time != NEVER, burns && is_right(cell), "{from}: cell {cell}");
            }
            let open = burn(landscape.clone().with_corners(Corners::Open), &[weather(12.0, from)], right, 500.0);
            assert_eq!(open.size(), 100 - rows.concat().matches('#').count());
        }
    }
}

/// A gap of one cell lets fire pass, and no more of it than through the gap.
#[test]
fn fire_passes_a_gap() {
    let rows = [".....#.....", ".....#.....", "...........", ".....#.....", ".....#....."];
    let (landscape, _) = drawn(&rows);
    let outcome = burn(landscape, &[weather(8.0, 300.0)], (4, 1), 50.0);
    assert_eq!(outcome.size(), 55 - 4);
    let gap = outcome.ignition[2 * 11 + 5];
    for (cell, &time) in outcome.ignition.iter().enumerate().filter(|(cell, _)| cell % 11 > 5) {
        assert!(time > gap, "cell {cell}");
    }
}

/// Independent search on a landscape: fires of all cells, and times along segments by a walk in small steps.
struct Search {
    landscape: Landscape,
    fires: Vec<Option<CellFire>>,
}

impl Search {
    fn new(landscape: Landscape, given: &Weather) -> Self {
        let conditions = Conditions::new(&State::from(given));
        let fires = (0..landscape.cells()).map(|cell| landscape.site(cell).and_then(|site| conditions.fire(site)));
        let fires = fires.collect();
        Search { landscape, fires }
    }

    /// Milliseconds along a segment, as an interval by the length of the steps; `None` where something does not burn.
    fn time(&self, from: usize, (down, right): (i32, i32)) -> Option<[f64; 2]> {
        let columns = self.landscape.columns() as i32;
        let (row, column) = (from as i32 / columns, from as i32 % columns);
        let length = f64::from(down).hypot(f64::from(right));
        let toward = [-f64::from(down) / length, f64::from(right) / length];
        let steps = 64 * down.abs().max(right.abs());
        let (mut sum, mut slowest) = (0.0, 0.0_f64);
        for step in 0..steps {
            let along = (f64::from(step) + 0.5) / f64::from(steps);
            let at_row = f64::from(row) + along * f64::from(down);
            let at_column = f64::from(column) + along * f64::from(right);
            let cell = self.landscape.cell(at_row.round() as u32, at_column.round() as u32)?;
            let slowness = 1.0 / self.fires[cell]?.horizontal_rate(toward);
            sum += slowness;
            slowest = slowest.max(slowness);
        }
        let whole = self.landscape.cell_size() * length * 60_000.0;
        let (time, step) = (whole * sum / f64::from(steps), whole * slowest / f64::from(steps));
        // Each border may be off by half a step.
        let slack = step * f64::from(down.abs() + right.abs()) + 1.0 + 1e-5 * time;
        Some([time - slack, time + slack])
    }

    /// Bounds of all arrival times: from below along all segments, from above along those to neighbours.
    fn bounds(&self, lit: usize, reach: i32) -> Vec<f64> {
        let (rows, columns) = (self.landscape.rows() as i32, self.landscape.columns() as i32);
        let mut times = vec![f64::INFINITY; self.landscape.cells()];
        times[lit] = 0.0;
        let mut events = BinaryHeap::from([(Reverse(0_u64), lit)]);
        let mut over = vec![false; times.len()];
        while let Some((_, cell)) = events.pop() {
            if std::mem::replace(&mut over[cell], true) {
                continue;
            }
            let (row, column) = (cell as i32 / columns, cell as i32 % columns);
            for (down, right) in (-reach..=reach).flat_map(|down| (-reach..=reach).map(move |right| (down, right))) {
                let inside = (0..rows).contains(&(row + down)) && (0..columns).contains(&(column + right));
                if (down, right) == (0, 0) || !inside {
                    continue;
                }
                let Some([least, most]) = self.time(cell, (down, right)) else { continue };
                let other = ((row + down) * columns + column + right) as usize;
                let due = times[cell] + if reach == 1 { most } else { least.max(0.0) };
                if due < times[other] {
                    times[other] = due;
                    events.push((Reverse(due as u64), other));
                }
            }
        }
        times
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    /// On landscapes of slopes, fuels and trees every arrival is that of a segment from a cell that burns earlier. None
    /// is earlier than along all segments, or later than along those to neighbours.
    #[test]
    fn arrivals_are_those_of_segments(
        seed in 0_u64..10_000, wind in 0.0..9.0_f64, from in 0.0..360.0_f64, at in (0_u32..18, 0_u32..20),
    ) {
        let landscape = synthetic(18, 20, seed).unwrap().with_corners(Corners::Open);
        let lit = landscape.cell(at.0, at.1).unwrap();
        prop_assume!(landscape.site(lit).is_some());
        let given = weather(wind, from);
        let outcome = burn(landscape.clone(), &[given], at, 1000.0);
        let search = Search::new(landscape, &given);
        let (below, above) = (search.bounds(lit, 15), search.bounds(lit, 1));
        for (cell, &time) in outcome.ignition.iter().enumerate() {
            let found = if time == NEVER { f64::INFINITY } else { f64::from(time) };
            if above[cell] < 3.5e9 {
                prop_assert!(found <= above[cell] * 1.000_01 + 40.0, "cell {cell}: {found} after {}", above[cell]);
            }
            if time == NEVER || cell == lit {
                continue;
            }
            prop_assert!(found + 40.0 >= below[cell] * 0.999_99, "cell {cell}: {found} before {}", below[cell]);
            let comes = |other: usize, earlier: u32| {
                let (row, column) = (cell as i32 / 20, cell as i32 % 20);
                let step = (row - other as i32 / 20, column - other as i32 % 20);
                step.0.abs().max(step.1.abs()) <= 15
                    && search.time(other, step).is_some_and(|[least, most]| {
                        (least - 2.0..=most + 2.0).contains(&f64::from(time - earlier))
                    })
            };
            let explained = outcome.ignition.iter().enumerate().any(|(other, &earlier)| earlier < time && comes(other, earlier));
            prop_assert!(explained, "nothing explains cell {cell} at {time}");
        }
    }
}
