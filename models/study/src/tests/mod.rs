#![allow(clippy::unwrap_used)]

mod checkpoints;
mod configurations;
mod definitions;
mod interrupted;
mod laws;
mod measured;
mod outcomes;
mod spread;

use super::Runs;
use super::definition::{Axis, Definition};
use super::description::{Description, Measure, Parameter};
use super::laboratory::{Fault, Finished, Laboratory, Run, Update};
use imminent_common::streams::StreamKey;
use rand_core::Rng as _;
use std::ops::ControlFlow;

/// A queue with one server, as it says of itself.
fn queue() -> Description {
    Description::new("queue", "1", "Customers that wait for one server.")
        .parameter(Parameter::number("load", "", 0.0..=0.99, "Mean service over mean time between arrivals."))
        .parameter(Parameter::integer("customers", "", 1..=10_000, "Customers of a run.").default(100))
        .parameter(Parameter::choice("service", ["random", "constant"], "How long services take.").default("random"))
        .parameter(Parameter::boolean("crowded", "Whether the first customers arrive together.").default(false))
        .length("customers")
        .measure(Measure::new("wait", "s", "Mean wait."))
        .measure(Measure::new("late", "s", "Wait of the last customer, if it had to."))
}

/// Simulates the queue by Lindley's recursion.
struct Queue {
    /// After how many runs it fails.
    fails_after: usize,
    /// `true` if the last run is carried out first.
    backwards: bool,
    carried_out: usize,
}

impl Queue {
    fn new() -> Self {
        Self { fails_after: usize::MAX, backwards: false, carried_out: 0 }
    }
}

impl Laboratory for Queue {
    fn run(&mut self, runs: &Runs<'_>, observer: &mut dyn FnMut(Update) -> ControlFlow<()>) -> Result<(), Fault> {
        let mut order: Vec<Run> = runs.iter().collect();
        if self.backwards {
            order.reverse();
        }
        for run in order {
            if self.carried_out == self.fails_after {
                return Err("the power is gone".into());
            }
            self.carried_out += 1;
            if observer(Update::Progress { share: 0.0 }).is_break()
                || observer(Update::Finished(simulate(&run)?)).is_break()
            {
                return Ok(());
            }
        }
        Ok(())
    }
}

fn simulate(run: &Run) -> Result<Finished, Fault> {
    let point = &run.point;
    let (load, customers) = (point.number_of("load")?, point.integer_of("customers")?);
    let (constant, crowded) = (point.text_of("service")? == "constant", point.boolean_of("crowded")?);
    let mut rng = StreamKey::new(run.seed, 0).node(0).generator();
    let mut exponential = move || -(1.0 - f64::from(rng.next_u32()) / 4_294_967_296.0).ln();
    let (mut wait, mut sum) = (0.0_f64, 0.0);
    for customer in 0..customers {
        let service = if constant { 1.0 } else { exponential() };
        let gap = if crowded && customer < 10 { 0.0 } else { exponential() / load };
        wait = (wait + service * load.signum() - gap).max(0.0);
        sum += wait;
    }
    let values = vec![Some(sum / customers as f64), (wait > 0.0).then_some(wait)];
    Ok(Finished { run: run.number, events: 2 * customers as u64, values })
}

/// Two axes, three repetitions.
fn small() -> Definition {
    Definition::new("queue")
        .seed(7)
        .repetitions(3)
        .fix("customers", 50)
        .axis(Axis::values("load", [0.2, 0.5, 0.8]))
        .axis(Axis::values("service", ["random", "constant"]))
}
