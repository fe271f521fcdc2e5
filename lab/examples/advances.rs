//! Measures the advances of fire, flood, terrain and rule files on a device, and those of the sequential oracle.
//!
//! `cargo run --release -p imminent-lab --example advances -- fire 1024 50` (side and hours), `flood 1024 0.1`,
//! `terrain 1024 1`, `cells FILE.ma 1`, `rules 1024 50`. A fourth argument names the engines, separated by commas,
//! instead of all: `auto`, `tiles`, `window`, `step`, `sequential`, and for a flood a number of steps per launch. A
//! fifth is the backend, `cpu` by default; with `--features full` the others are available too.
//!
//! `rules SIDE HOURS` burns one fire by hand-written kernels, by the text of its rules, and by its rule as a model of
//! cells, and compares them: a row for each, and the ratio of its time to that of the kernels. All run by tables, on
//! hosts too, unless the engine is `sequential`. `models SIDE HOURS` does so with the engines of the device: on hosts,
//! those for hosts.

use imminent::models::cell::fire::{self, DIRECTIONS, Direction, Fire};
use imminent::models::cell::flood::Flood;
use imminent::models::cell::flood::terrain::{Edge, Rain, TerrainFlood};
use imminent::models::cell::model as cells;
use imminent::models::cell::rules::{self, Model};
use imminent::models::cell::{Engine, Simulation, Spent};
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
        "{engine:<16} {simulation:>10.3?} set-up {set_up:>10.3?} reading {reading:>10.3?} steps {steps:>8} {what}"
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
            "tiles" => flood.run_by_tiles(device, Engine::Auto, &mut on)?,
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
            "tiles" => flood.run_by_tiles(device, Engine::Auto, &mut on)?,
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

/// The fire as a rule file, with the cell in the south-west corner lit.
fn fire_file(side: u32) -> String {
    let rule = |direction: &Direction| {
        let Direction { row, column, distance, rate } = direction;
        let from = format!("({row},{column})");
        format!(
            "rule : {{ {from} + {distance} / {rate} }} {{ {distance} / {rate} * 60000 }} \
             {{ (0,0) = 0 and {from} != ? and {from} > 0 }}\n"
        )
    };
    let rules: String = DIRECTIONS.iter().map(rule).collect();
    format!(
        "[top]\ncomponents : fire\n[fire]\ntype : cell\ndim : ({side},{side})\ndelay : inertial\nborder : nowrapped\n\
         neighbors : fire(-1,-1) fire(-1,0) fire(-1,1) fire(0,-1) fire(0,0) fire(0,1) fire(1,-1) fire(1,0) fire(1,1)\n\
         initialvalue : 0\nlocaltransition : spread\n[spread]\n{rules}rule : {{ (0,0) }} 0 {{ t }}\n"
    )
}

/// The fire in a grid of this side, and the same as a rule file.
fn both(side: u32, hours: f64) -> Result<(Fire, Model), Box<dyn Error>> {
    let fire = Fire::new(side, side, &[(side - 1, 0)], hours)?;
    let none = |file: &str| Err(std::io::Error::new(std::io::ErrorKind::NotFound, file.to_owned()));
    let mut model = Model::parse("fire.ma", &fire_file(side), &none)?;
    model.set_initial((side - 1) * side, 1.0);
    Ok((fire, model))
}

/// Microseconds of the simulation for each distinct time.
fn per_time(spent: Spent, times: u64) -> f64 {
    spent.simulation.as_secs_f64() * 1e6 / times.max(1) as f64
}

/// Tells whether cells with these values and times of their last outputs are those that a fire ignites.
fn ignites<V>(fire: &fire::Outcome, values: &[V], times: &[u32], burns: impl Fn(&V) -> bool) -> &'static str {
    let same = fire.ignition.iter().zip(values.iter().zip(times)).all(|(&ignition, (value, &time))| {
        if ignition == u32::MAX { !burns(value) } else { burns(value) && time == ignition }
    });
    if same { "the same" } else { "OTHERWISE" }
}

fn rules(device: &Device, side: u32, hours: f64, engines: &[&str]) -> Result<(), Box<dyn Error>> {
    let (fire, model) = both(side, hours)?;
    for &engine in engines.iter().filter(|&&engine| engine != "tiles") {
        let by = by_name(engine)?;
        let compiled = match by {
            Engine::Sequential => fire.run_sequentially()?,
            // A rule file has no windows of compiled rules' kind, so steps are compared with steps.
            _ => fire.run_by_tiles(device, Engine::Step, &mut on)?,
        };
        let text = match by {
            Engine::Sequential => model.run_sequentially(1, fire.horizon())?,
            _ => model.run_by_tables(device, by, 1, fire.horizon(), &mut on)?,
        };
        let cells = match by {
            Engine::Sequential => fire.cells()?.run_sequentially(fire.horizon(), &mut |_| ())?,
            _ => fire.cells()?.run_by_tables(device, by, fire.horizon(), &mut on)?,
        };
        compare(engine, &compiled, &text, &cells);
    }
    Ok(())
}

/// The engines of [`Fire::run`], and on hosts the calendars of active cells of the other two.
fn models(device: &Device, side: u32, hours: f64, engines: &[&str]) -> Result<(), Box<dyn Error>> {
    let (fire, model) = both(side, hours)?;
    for &engine in engines.iter().filter(|&&engine| engine != "tiles") {
        let by = by_name(engine)?;
        let compiled = fire.run(device, by, &mut on)?;
        let text = model.run(device, by, 1, fire.horizon(), &mut on)?;
        let cells = fire.cells()?.run(device, by, fire.horizon(), &mut on)?;
        compare(engine, &compiled, &text, &cells);
    }
    Ok(())
}

/// Prints a row for each form of the fire, with the ratio of its time to that of the hand-written kernels.
fn compare(engine: &str, compiled: &fire::Run, text: &rules::Run, cells: &cells::Run<u64>) {
    let burnt = &compiled.outcome;
    let base = compiled.spent.simulation.as_secs_f64();
    let figures = |times: u64, spent: Spent, digest: String, ignites: &str| {
        let ratio = spent.simulation.as_secs_f64() / base;
        format!(
            "distinct {times} digest {digest}; ignites {ignites}; {:.2} us a distinct time, {ratio:.2} times",
            per_time(spent, times)
        )
    };
    let own = figures(burnt.distinct_times, compiled.spent, burnt.digest().to_string(), "the same");
    tell("compiled", compiled.spent, compiled.steps, &own);
    let outcome = &text.outcome;
    let same = ignites(burnt, &outcome.values, &outcome.times, |&value| value > 0.0);
    let digest = outcome.digest().to_string();
    let by = format!("by {}s; {}", text.engine, figures(outcome.distinct_times, text.spent, digest, same));
    tell(&format!("file {engine}"), text.spent, text.steps, &by);
    let outcome = &cells.outcome;
    let same = ignites(burnt, &outcome.values, &outcome.times, |&value| value > 0);
    let digest = outcome.digest().to_string();
    let by = format!("by {}s; {}", cells.engine, figures(outcome.distinct_times, cells.spent, digest, same));
    tell(&format!("cells {engine}"), cells.spent, cells.steps, &by);
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
    let backend = words.get(4).copied().unwrap_or("cpu");
    let device = imminent::open(&DeviceSelection::backend(backend))?;
    let engines: Vec<&str> = words.get(3).copied().unwrap_or("auto,tiles,step,sequential").split(',').collect();
    match words.as_slice() {
        ["fire", side, hours, ..] => fire(&device, side.parse()?, hours.parse()?, &engines),
        ["flood", side, hours, ..] => flood(&device, side.parse()?, hours.parse()?, &engines),
        ["terrain", side, hours, ..] => terrain(&device, side.parse()?, hours.parse()?, &engines),
        ["cells", file, hours, ..] => cells(&device, file, hours.parse()?, &engines),
        ["rules", side, hours, ..] => rules(&device, side.parse()?, hours.parse()?, &engines),
        ["models", side, hours, ..] => models(&device, side.parse()?, hours.parse()?, &engines),
        _ => {
            Err("give `fire`, `flood`, `terrain`, `rules` or `models` with SIDE HOURS, or `cells FILE.ma HOURS`".into())
        }
    }
}
