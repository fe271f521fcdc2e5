//! Compares the cost of fires in all directions with that of fires to eight neighbours.
//!
//! `cargo run --release -p imminent-cell --example directions -- 300 1500 12` (rows and columns of a synthetic
//! landscape, fires of 24 hours, wind in m/s) prints a line for each weather and rule: processor seconds of an ensemble
//! on one thread, and the cells that burn. One weather is constant; in the other the wind turns by 100 degrees in 12
//! hours. Each ensemble runs twice, by turns, and the second runs are printed. Processor time is what Linux tells.

use imminent_cell::landscape::{Directions, Ensemble, Weather, synthetic};
use imminent_cell::rothermel::Moisture;
use imminent_cell::{Engine, Simulation};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use std::error::Error;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Seed of the landscape.
const SEED: u64 = 7;

/// Clock ticks of a second.
const TICKS: f64 = 100.0;

/// Returns the processor seconds of all threads of this process so far.
fn processor_seconds() -> Result<f64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/self/stat")?;
    let ticks = text.split(' ').skip(13).take(2).map(str::parse::<f64>);
    Ok(ticks.sum::<Result<f64, _>>()? / TICKS)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<f64> = std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let [side, fires, wind] = arguments[..] else { return Err("give rows, fires and wind".into()) };
    let device = Device::open(CpuBackend::open(&Options { threads: Some(1), ..Options::default() })?)?;
    let ground = synthetic(side as u32, side as u32, SEED)?;
    let moisture = Moisture([0.03, 0.04, 0.05, 0.4, 0.7]);
    let weather = |hour, from| Weather { hour, wind, from, moisture, foliar_moisture: 1.0 };
    println!("weather,directions,processor seconds,cells");
    for (name, given) in [
        ("constant", vec![weather(0.0, 250.0)]),
        ("turning", vec![weather(0.0, 250.0), weather(6.0, 300.0), weather(12.0, 350.0)]),
    ] {
        for is_printed in [false, true] {
            for directions in [Directions::Eight, Directions::Adaptive] {
                let landscape = Arc::new(ground.clone().with_directions(directions));
                let start = processor_seconds()?;
                let ensemble = Ensemble::drawn(landscape, std::slice::from_ref(&given), fires as u32, 1, 24.0)?;
                let run = ensemble.run(&device, Engine::Auto, &mut |_| ControlFlow::Continue(()))?;
                let spent = processor_seconds()? - start;
                let cells: u64 = run.outcome.sizes.iter().map(|size| u64::from(*size)).sum();
                if is_printed {
                    println!("{name},{directions:?},{spent:.2},{cells}");
                }
            }
        }
    }
    Ok(())
}
