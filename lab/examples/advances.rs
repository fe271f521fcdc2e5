//! Times the advances of fire, flood, terrain and rule files on a device, and the sequential oracle beside them.
//!
//! `cargo run --release -p imminent-lab --example advances -- fire 1024 50` (side and hours), `flood 1024 0.1`, `terrain
//! 1024 1`, `cells FILE.ma 1`. A fourth argument names the engines, separated by commas, instead of all: `auto`,
//! `tiles`, `window`, `step`, `sequential`, and of a flood a number of steps in a launch. A fifth is the backend, `cpu`
//! if there is none; with `--features full` the others are there too.

use imminent::models::cell::fire::Fire;
use imminent::models::cell::flood::Flood;
use imminent::models::cell::flood::terrain::{Edge, Rain, TerrainFlood};
use imminent::models::cell::rules::Model;
use imminent::models::cell::{Engine, Spent};
use imminent::{Device, DeviceSelection};
use imminent_core::Progress;
use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;

fn on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn tell(engine: &str, spent: Spent, steps: u64, what: &str) {
    let Spent { set_up, simulation, reading } = spent;
    println!(
        "{engine:<11} {simulation:>10.3?} set-up {set_up:>10.3?} reading {reading:>10.3?} steps {steps:>8} {what}"
    );
}

fn fire(device: &Device, side: u32, hours: f64, engines: &[&str]) -> Result<(), Box<dyn Error>> {
    let fire = Fire::new(side, side, &[(side - 1, 0)], hours)?;
    for &engine in engines {
        let run = match engine {
            "tiles" => fire.run_by_tiles(device, Engine::Window, &mut on)?,
            _ => fire.run(device, by_name(engine)?, &mut on)?,
        };
        let outcome = &run.outcome;
        let figures = format!(
            "distinct {} burnt {} simultaneous {} digest {}",
            outcome.distinct_times,
            outcome.cells_burnt,
            outcome.most_simultaneous,
            outcome.digest()
        );
        tell(engine, run.spent, run.steps, &figures);
    }
    Ok(())
}

fn flood(device: &Device, side: u32, hours: f64, engines: &[&str]) -> Result<(), Box<dyn Error>> {
    let flood = Flood::dense(side, side, 1.0, hours)?;
    for &engine in engines {
        let run = match engine {
            "tiles" => flood.run_by_tiles(device, &mut on)?,
            steps if steps.parse::<u32>().is_ok() => flood.run_in_batches(device, steps.parse()?, &mut on)?,
            _ => flood.run(device, by_name(engine)?, &mut on)?,
        };
        let outcome = &run.outcome;
        let figures = format!("outputs {} water {} digest {}", outcome.outputs, outcome.water(), outcome.digest());
        tell(engine, run.spent, run.steps, &figures);
    }
    Ok(())
}

fn terrain(device: &Device, side: u32, hours: f64, engines: &[&str]) -> Result<(), Box<dyn Error>> {
    // Hills and hollows of about 20 cells on a slope.
    let height = |cell: u32| {
        let (row, column) = (f64::from(cell / side), f64::from(cell % side));
        0.01 * column + (row / 3.0).sin() + (column / 3.5).sin()
    };
    let ground: Vec<f64> = (0..side * side).map(height).collect();
    let flood = TerrainFlood::new(side, side, 10.0, &ground, hours)?.rain(Rain::everywhere(20.0))?.edge(Edge::Open);
    for &engine in engines {
        let run = match engine {
            "tiles" => flood.run_by_tiles(device, &mut on)?,
            _ => flood.run(device, by_name(engine)?, &mut on)?,
        };
        let outcome = &run.outcome;
        let figures =
            format!("reached {} deepest {} digest {}", outcome.cells_reached(), outcome.deepest(), outcome.digest());
        tell(engine, run.spent, run.steps, &figures);
    }
    Ok(())
}

fn cells(device: &Device, file: &str, hours: f64, engines: &[&str]) -> Result<(), Box<dyn Error>> {
    let model = Model::read(Path::new(file))?;
    for &engine in engines.iter().filter(|&&engine| engine != "tiles") {
        let run = model.run(device, by_name(engine)?, 1, (hours * 3_600_000.0) as u32, &mut on)?;
        let outcome = &run.outcome;
        let figures =
            format!("distinct {} outputs {} digest {}", outcome.distinct_times, outcome.outputs, outcome.digest());
        tell(engine, run.spent, run.steps, &figures);
    }
    Ok(())
}

fn by_name(engine: &str) -> Result<Engine, Box<dyn Error>> {
    Ok(match engine {
        "auto" => Engine::Auto,
        "window" => Engine::Window,
        "step" => Engine::Step,
        "sequential" => Engine::Sequential,
        _ => return Err(format!("there is no engine `{engine}`: use auto, tiles, window, step or sequential").into()),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let backend = words.get(4).copied().unwrap_or("cpu").parse()?;
    let device = imminent::open(&DeviceSelection::of(backend))?;
    let engines: Vec<&str> = words.get(3).copied().unwrap_or("auto,tiles,step,sequential").split(',').collect();
    match words.as_slice() {
        ["fire", side, hours, ..] => fire(&device, side.parse()?, hours.parse()?, &engines),
        ["flood", side, hours, ..] => flood(&device, side.parse()?, hours.parse()?, &engines),
        ["terrain", side, hours, ..] => terrain(&device, side.parse()?, hours.parse()?, &engines),
        ["cells", file, hours, ..] => cells(&device, file, hours.parse()?, &engines),
        _ => Err("give `fire SIDE HOURS`, `flood SIDE HOURS`, `terrain SIDE HOURS` or `cells FILE.ma HOURS`".into()),
    }
}
