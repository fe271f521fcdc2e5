//! A program that writes an HTML report: how long customers wait at a desk, drawn as a plot.
//!
//! `cargo run -p imminent --features models --example 09_html_report -- report.html`

use imminent::DeviceSelection;
use imminent::models::queueing::engine::{Schedule, exact};
use imminent::models::queueing::measures::Measures;
use imminent::models::queueing::{Builder, Law, Network, NetworkError, Scenario, Start, Station};
use std::error::Error;
use std::fmt::Write;
use std::ops::ControlFlow;

/// Makes a desk that customers reach every minute, and where a service takes `load` minutes on average.
fn desk(load: f64) -> Result<Network, NetworkError> {
    let mut builder = Builder::new();
    let customer = builder.class("customer");
    let door = builder.source("door", customer, Law::Exponential { mean: 1.0 });
    let desk = builder.station("desk", Station::with_servers(1));
    builder.serve_all(desk, Law::Exponential { mean: load });
    builder.edge(door, desk);
    builder.exit(desk);
    builder.build()
}

fn main() -> Result<(), Box<dyn Error>> {
    let device = imminent::open(&DeviceSelection::default())?;
    let (mut rows, mut points) = (String::new(), String::new());
    for percent in (10..=90).step_by(10) {
        let load = f64::from(percent) / 100.0;
        let network = desk(load)?;
        let horizon = network.tick().ticks(20_000.0)?;
        let scenario = Scenario::new(&network, Start::One, horizon, 1, 0)?;
        let ran = exact(&device, &scenario, Schedule::Auto, &mut |_| ControlFlow::Continue(()))?;
        let [_, desk] = ran.outcome.statistics.as_slice() else { continue };
        let wait = Measures::of_node(desk, ran.outcome.horizon).waiting.unwrap_or(0.0);
        // Theory of M/M/1, with an arrival a minute.
        let theory = load * load / (1.0 - load);
        writeln!(rows, "<tr><td>{percent} %<td>{wait:.2}<td>{theory:.2}")?;
        write!(points, "{},{:.1} ", 5 * percent, 300.0 - 30.0 * wait)?;
    }
    let page = format!(
        "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Waiting at a desk</title>\
         <h1>Waiting at a desk</h1><p>Simulated on {}.</p>\
         <svg width=500 height=300 role=img aria-label='Mean wait by load'>\
         <polyline points='{points}' fill=none stroke=steelblue stroke-width=3 /></svg>\
         <table><tr><th>Load<th>Mean wait, minutes<th>Theory\n{rows}</table></html>\n",
        device.info().name
    );
    match std::env::args().nth(1) {
        Some(file) => std::fs::write(file, page)?,
        None => print!("{page}"),
    }
    Ok(())
}
