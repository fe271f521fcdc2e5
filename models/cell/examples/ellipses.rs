//! Compares fires on flat ground with the ellipse of their equations, over winds all around.
//!
//! `cargo run --release -p imminent-cell --example ellipses -- 100 72` (cells from the ignition to the head, winds)
//! prints a line for each rule of directions, each ratio of length to width and each wind: errors of the burnt area, of
//! the head, and the largest one of the arrival times of cells more than three cells away, in percent.

use imminent_cell::landscape::behaviour::Conditions;
use imminent_cell::landscape::{Directions, Landscape, Layers, NEVER, Site, State, Weather, Wildfire};
use imminent_cell::rothermel::Moisture;
use imminent_cell::{Engine, Simulation};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use std::error::Error;
use std::f64::consts::FRAC_PI_4;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Side of a cell, in metres.
const SIDE: f64 = 15.0;

/// Chaparral, whose reaction intensity does not limit the winds.
const FUEL: u16 = 4;

/// Errors in percent: of area, head, and the latest arrival.
fn errors(
    device: &Device,
    directions: Directions,
    ratio: f64,
    from: f64,
    cells: f64,
) -> Result<[f64; 3], Box<dyn Error>> {
    let site = Site::new(FUEL, 0.0, -1.0, None).ok_or("the fuel does not burn")?;
    // Miles an hour at midflame height, and m/s at 20 ft.
    let wind = (ratio - 1.0) / 0.25 * 0.447_04 / site.wind_factor;
    let moisture = Moisture([0.03, 0.03, 0.03, 0.3, 0.6]);
    let weather = Weather { hour: 0.0, wind, from, moisture, foliar_moisture: 1.0 };
    let fire = Conditions::new(&State::from(&weather)).fire(&site).ok_or("nothing spreads")?;
    let (sine, cosine) = (from + 180.0).to_radians().sin_cos();
    let e = fire.eccentricity;
    // The middle of the ellipse is that of the grid.
    let middle = cells * e / (1.0 + e);
    let side = 2 * (cells - middle) as u32 + 12;
    let at = |along: f64| (f64::from(side / 2) + along).round() as u32;
    let (row, column) = (at(middle * cosine), at(-middle * sine));
    let count = (side * side) as usize;
    let (fuel, slope, aspect) = (vec![FUEL; count], vec![0.0; count], vec![-1.0; count]);
    let layers = Layers { rows: side, columns: side, cell_size: SIDE, fuel, slope, aspect, canopy: None };
    let landscape = Arc::new(Landscape::new(layers)?.with_directions(directions));
    let fire_of_grid = Wildfire::new(landscape, &[weather], &[(row, column)], cells * SIDE / fire.rate / 60.0)?;
    let outcome = fire_of_grid.run(device, Engine::Auto, &mut |_| ControlFlow::Continue(()))?.outcome;
    let (mut burnt, mut head, mut latest) = (0, 0.0_f64, 0.0_f64);
    for (cell, &time) in outcome.ignition.iter().enumerate().filter(|(_, time)| **time != NEVER) {
        let up = f64::from(row) - f64::from(cell as u32 / side);
        let right = f64::from(cell as u32 % side) - f64::from(column);
        let (distance, along) = (up.hypot(right), up * cosine + right * sine);
        let exact = (distance - e * along) / (fire.rate * (1.0 - e)) * SIDE * 60_000.0;
        burnt += 1;
        head = head.max(along);
        if distance > 3.0 {
            latest = latest.max(f64::from(time) / exact - 1.0);
        }
    }
    let length = cells * 2.0 / (1.0 + e);
    let area = FRAC_PI_4 * length * length / ratio;
    Ok([f64::from(burnt) / area - 1.0, head / cells - 1.0, latest].map(|share| 100.0 * share))
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [cells, winds] = args.as_slice() else { return Err("give cells to the head, and a number of winds".into()) };
    let (cells, winds): (f64, u32) = (cells.parse()?, winds.parse()?);
    let device = Device::open(CpuBackend::open(&Options::default())?)?;
    println!("directions,ratio,wind from (degrees),area (%),head (%),latest arrival (%)");
    for (name, directions) in [("adaptive", Directions::Adaptive), ("eight", Directions::Eight)] {
        for ratio in [1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0] {
            for wind in 0..winds {
                let from = 360.0 * f64::from(wind) / f64::from(winds);
                let [area, head, time] = errors(&device, directions, ratio, from, cells)?;
                println!("{name},{ratio},{from},{area:.2},{head:.2},{time:.2}");
            }
        }
    }
    Ok(())
}
