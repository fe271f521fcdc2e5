//! A queueing network built in code, with results for each node: an emergency department.
//!
//! `cargo run -p imminent --features models --example 07_network_in_code`

use imminent::DeviceSelection;
use imminent::models::queueing::engine::{Schedule, exact};
use imminent::models::queueing::measures::{Basis, Measures};
use imminent::models::queueing::network::Onward;
use imminent::models::queueing::{Builder, Law, Scenario, Start, Station};
use std::error::Error;
use std::ops::ControlFlow;

fn main() -> Result<(), Box<dyn Error>> {
    // Times are in minutes.
    let mut department = Builder::new();
    let patient = department.class("patient");
    let door = department.source("door", patient, Law::Exponential { mean: 6.0 });
    let triage = department.station("triage", Station::with_servers(1));
    let doctors = department.station("doctors", Station::with_servers(4));
    let x_ray = department.station("x-ray", Station::with_servers(1));
    department.serve_all(triage, Law::Uniform { low: 2.0, high: 6.0 });
    department.serve_all(doctors, Law::LogNormal { mean: 14.0, cv: 0.8 });
    department.serve_all(x_ray, Law::Deterministic { value: 12.0 });
    department.edge(door, triage);
    department.edge(triage, doctors);
    // Three in ten visits to a doctor lead to the x-ray, and from there back to a doctor.
    department.route_all(doctors, Onward::out().with(0.7));
    department.route_all(doctors, Onward::to(x_ray).with(0.3));
    department.edge(x_ray, doctors);
    department.fit_tick();
    let network = department.build()?;

    let horizon = network.tick().ticks(30.0 * 24.0 * 60.0)?;
    let scenario = Scenario::new(&network, Start::One, horizon, 1, 0)?;
    let device = imminent::open(&DeviceSelection::default())?;
    let ran = exact(&device, &scenario, Schedule::Auto, &mut |_| ControlFlow::Continue(()))?;

    println!("{:>8}  {:>7}  {:>7}  {:>12}", "node", "visits", "busy", "mean wait");
    for (node, statistics) in (0..).zip(&ran.outcome.statistics) {
        let measures = Measures::of_sums(statistics, Basis::of_node(&network, node), ran.outcome.horizon);
        let (busy, wait) = (100.0 * measures.utilization, measures.waiting.unwrap_or(0.0));
        println!("{:>8}  {:>7}  {busy:>5.1} %  {wait:>8.2} min", network.label(node), statistics.served);
    }
    Ok(())
}
