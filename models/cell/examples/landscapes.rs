//! Times fires on a synthetic landscape on the host: one fire by every engine, then an ensemble.
//!
//! `cargo run --release -p imminent-cell --example landscapes -- 613 549 1000 24` (rows, columns, fires, hours). Words
//! after these: `tiles` also runs the ensemble by tiles on the CPU backend; `drawn` gives its fires 50 constant
//! weathers that are drawn from ranges.

use imminent_cell::landscape::{Ensemble, Weather, WeatherRanges, Wildfire, synthetic};
use imminent_cell::rothermel::Moisture;
use imminent_cell::{Digest, Engine, Simulation, Spent};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use std::error::Error;
use std::ops::ControlFlow;
use std::sync::Arc;

fn on<R>(_: R) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn tell(what: &str, spent: Spent, steps: u64, cells: u64, digest: Digest) {
    let Spent { set_up, simulation, reading } = spent;
    println!(
        "{what:<18} {simulation:>10.3?} set-up {set_up:>10.3?} reading {reading:>10.3?} steps {steps:>8} \
         cells {cells:>10} digest {digest}"
    );
}

/// Makes a wind that turns and freshens towards the afternoon.
fn scenario(number: u32, hours: u32) -> Vec<Weather> {
    let state = |hour: u32| {
        let day = f64::from(hour % 24) / 24.0;
        // Zero at midnight, one at noon.
        let warmth = 4.0 * day * (1.0 - day);
        let dead = 0.11 - 0.05 * warmth;
        Weather {
            hour: f64::from(hour),
            wind: 2.0 + 5.0 * warmth + f64::from(number),
            from: (200.0 + 40.0 * f64::from(number) + 4.0 * f64::from(hour)).rem_euclid(360.0),
            moisture: Moisture([dead, dead + 0.01, dead + 0.02, 0.6, 0.9]),
            foliar_moisture: 0.95,
        }
    };
    (0..=hours).map(state).collect()
}

/// Ranges of a summer.
const DRAWN: WeatherRanges = WeatherRanges {
    wind: [4.0, 12.0],
    from: [180.0, 300.0],
    moisture: [[0.03, 0.08], [0.04, 0.09], [0.05, 0.10], [0.6, 0.6], [0.7, 0.9]],
    foliar_moisture: [0.9, 1.2],
};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [rows, columns, fires, hours, rest @ ..] = args.as_slice() else {
        return Err("give rows, columns, fires and hours".into());
    };
    let (rows, columns, fires, hours): (u32, u32, u32, u32) =
        (rows.parse()?, columns.parse()?, fires.parse()?, hours.parse()?);
    let device = Device::open(CpuBackend::open(&Options::default())?)?;
    let landscape = Arc::new(synthetic(rows, columns, 1)?);
    let scenarios = [0, 1, 2].map(|number| scenario(number, hours)).to_vec();
    let first = Ensemble::drawn(landscape.clone(), &scenarios, 1, 1, f64::from(hours))?;
    let cells = first.ignition(0).map(|ignition| ignition.cells).unwrap_or_default();
    let [weather, ..] = scenarios.as_slice() else { return Ok(()) };
    let fire = Wildfire::new(landscape.clone(), weather, &cells, f64::from(hours))?;
    for run in [
        fire.run(&device, Engine::Auto, &mut on)?,
        fire.run_by_tiles(&device, Engine::Auto, &mut on)?,
        fire.run_sequentially()?,
    ] {
        let size = run.outcome.size() as u64;
        tell(&format!("fire, {}", run.engine), run.spent, run.steps, size, run.outcome.digest());
    }
    let is_drawn = rest.iter().any(|word| word == "drawn");
    let drawn = DRAWN.draw(if is_drawn { 50 } else { 0 }, 1)?;
    let scenarios = if is_drawn { drawn.into_iter().map(|weather| vec![weather]).collect() } else { scenarios };
    let ensemble = Ensemble::drawn(landscape, &scenarios, fires, 1, f64::from(hours))?;
    let mut runs = vec![("ensemble, window", ensemble.run(&device, Engine::Auto, &mut on)?)];
    if rest.iter().any(|word| word == "tiles") {
        runs.push(("ensemble, tiles", ensemble.run_by_tiles(&device, Engine::Auto, &mut on)?));
    }
    for (what, run) in runs {
        let cells = run.outcome.sizes.iter().copied().map(u64::from).sum();
        tell(what, run.spent, run.steps, cells, run.outcome.digest());
    }
    Ok(())
}
