//! Times the advances of fire, flood and rule files on the host, and the sequential oracle beside them.
//!
//! `cargo run --release -p imminent-cell --example advances -- fire 1024 50` (side and hours), `flood 1024 0.1`, `cells
//! FILE.ma 1`. A fourth argument names the engines, separated by commas, instead of all: `auto`, `tiles`, `step`,
//! `sequential`.

use imminent_cell::fire::Fire;
use imminent_cell::flood::Flood;
use imminent_cell::rules::Model;
use imminent_cell::{Engine, Spent};
use imminent_core::{Device, Progress};
use imminent_cpu::{CpuBackend, Options};
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
            _ => flood.run(device, by_name(engine)?, &mut on)?,
        };
        let outcome = &run.outcome;
        let figures = format!("outputs {} water {} digest {}", outcome.outputs, outcome.water(), outcome.digest());
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
        "step" => Engine::Step,
        "sequential" => Engine::Sequential,
        _ => return Err(format!("there is no engine `{engine}`: use auto, tiles, step or sequential").into()),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let device = Device::open(CpuBackend::open(&Options::default())?)?;
    let engines: Vec<&str> = words.get(3).copied().unwrap_or("auto,tiles,step,sequential").split(',').collect();
    match words.as_slice() {
        ["fire", side, hours, ..] => fire(&device, side.parse()?, hours.parse()?, &engines),
        ["flood", side, hours, ..] => flood(&device, side.parse()?, hours.parse()?, &engines),
        ["cells", file, hours, ..] => cells(&device, file, hours.parse()?, &engines),
        _ => Err("give `fire SIDE HOURS`, `flood SIDE HOURS` or `cells FILE.ma HOURS`".into()),
    }
}
