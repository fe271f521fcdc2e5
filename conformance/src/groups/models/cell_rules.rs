//! Cells with a rule in a kernel module: by every engine of the device, against the event list and stored digests.

use super::verdicts::broken;
use crate::case::{Cases, Stop, Verdict, equal, equal_slices, fail};
use crate::context::Context;
use imminent_cell::fire::{self, Fire};
use imminent_cell::model::{CellModel, Cells, Event, Outcome, RunError};
use imminent_cell::sequential::Delay;
use imminent_cell::{Border, CellSpace, Engine, Simulation};
use imminent_core::Progress;
use piles::{Pile, Piles};
use std::ops::ControlFlow;

/// Digests of the event list when the cases were added: changes of a model's definition must be intended.
const PILES: &str = "ea0a06fc3528e4346a0a29aeecd710ef";
const BOX: &str = "ed29cc10b178781f53b3f8cc2a6fbbac";

/// Piles of grain that depend on all that a rule sees.
#[imminent_core::kernels]
pub mod piles {
    use imminent_cell::model::here::Here;
    use imminent_core::random::Pcg32;

    /// Parameters of the rule.
    #[derive(Params)]
    pub struct Piles {
        /// Grains at which a pile collapses.
        pub most: u32,
        /// Grains beyond an open border.
        pub edge: u32,
        /// Bound of the assertion.
        pub bound: u64,
        /// Delays in milliseconds.
        pub delays: [u32; 4],
        /// Weights of neighbours.
        pub weights: [u32; 9],
    }

    /// Value of a cell.
    pub struct Pile {
        /// Grains that lie there.
        pub grains: u32,
        /// Number of all changes so far, mixed.
        pub history: u64,
    }

    /// Value that a cell takes on.
    pub struct Next {
        /// New value.
        pub value: Pile,
        /// Milliseconds until the output.
        pub delay: u32,
    }

    /// Tells whether two piles are equal.
    pub fn alike(a: Pile, b: Pile, _piles: &Piles) -> bool {
        a.grains == b.grains && a.history == b.history
    }

    /// Evaluates a cell.
    pub fn settle(here: &Here, own: Pile, seen: &[Pile; 9], input: Pile, piles: &Piles, random: &mut Pcg32) -> Next {
        let mut sum = own.grains + here.zone * 3 + (here.coordinate(0) ^ here.coordinate(2)) + here.time % 2;
        for neighbour in 0..here.neighbours {
            let grains = if here.sees(neighbour) { seen[neighbour as usize].grains } else { piles.edge };
            sum += grains * piles.weights[neighbour as usize];
        }
        if here.fed {
            sum += input.grains;
        }
        if sum % 4 == 1 {
            return Next { value: own, delay: sum % 3 };
        }
        assert!(own.history < piles.bound, "the history is below the bound");
        let grains = sum % piles.most;
        let history = ((own.history << 5) ^ grains as u64) % 1000000007;
        Next { value: Pile { grains, history }, delay: piles.delays[((sum + random.below(3)) % 4) as usize] }
    }
}

imminent_cell::cell_model! {
    /// Kernels of the piles.
    pub mod settling for piles {
        model: Piles,
        value: Pile,
        undefined: Pile { grains: 0, history: 0 },
        neighbours: 9,
        same: alike,
        rule: settle(here, own, seen, input, model, random),
    }
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("fire 24x42 by a rule in a kernel module: all schedules ignite what the fire's kernels ignite", burning);
    cases.add(
        "cells with inertial delays, zones, events and a rule in a kernel module: all schedules give the event list's values",
        |context| piling(context, "piles 30x41", &plane(u64::MAX)?, 160, PILES),
    );
    cases.add(
        "cells in three dimensions with transport delays and a rule in a kernel module: all schedules give the event list's values",
        |context| piling(context, "box of piles 7x9x13", &solid()?, 120, BOX),
    );
    cases.add("a rule in a kernel module that fails names the event list's cell and time by all schedules", failing);
}

fn on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn parameters(bound: u64) -> Piles {
    Piles { most: 23, edge: 5, bound, delays: [17, 40, 3, 90], weights: [1, 3, 0, 2, 5, 1, 7, 2, 1] }
}

fn initial(cells: usize) -> Vec<Pile> {
    (0..cells as u32).map(|cell| Pile { grains: cell * cell % 11, history: 0 }).collect()
}

fn events(cells: u32) -> Vec<Event<Pile>> {
    let event = |at: u32| Event { time: at * at % 151, cell: at * 37 % cells, value: Pile { grains: at, history: 0 } };
    (0..60).map(event).collect()
}

/// A plane whose cells see themselves and the eight around them, in zones of ten lines.
fn plane(bound: u64) -> Result<Cells<Piles>, Stop> {
    let space = CellSpace::plane(30, 41, Border::Open).or_else(broken)?;
    let zones = (0..30 * 41).map(|cell| cell / 410).collect();
    let merge = |a: Pile, b: Pile| Pile { grains: a.grains + b.grains, ..a };
    Cells::new(parameters(bound), space, Delay::Inertial, initial(30 * 41))
        .and_then(|cells| cells.with_zones(zones))
        .and_then(|cells| cells.with_merged_events(events(30 * 41), merge))
        .map(|cells| cells.with_seed(5).with_lookahead(3))
        .or_else(broken)
}

/// A box with opposite sides that touch, whose cells see far ones but not themselves.
fn solid() -> Result<Cells<Piles>, Stop> {
    let offsets = [vec![0, 0, 1], vec![0, -2, 0], vec![3, 1, -5], vec![-1, 0, 0]];
    let space = CellSpace::new(&[7, 9, 13], Border::Wrapped, &offsets).or_else(broken)?;
    let merge = |a: Pile, b: Pile| Pile { grains: a.grains + b.grains, ..a };
    Cells::new(parameters(u64::MAX), space, Delay::Transport, initial(7 * 9 * 13))
        .and_then(|cells| cells.with_merged_events(events(7 * 9 * 13), merge))
        .map(|cells| cells.with_seed(6))
        .or_else(broken)
}

fn burning(context: &Context<'_>) -> Verdict {
    let fire = Fire::new(24, 42, &[(20, 3), (4, 36)], 6.0).or_else(broken)?;
    let expected = fire.run(context.reference, Engine::Window, &mut on).or_else(broken)?.outcome;
    let cells = fire.cells().or_else(broken)?;
    let as_fire = |outcome: &Outcome<u64>| {
        let ignited = |(&value, &time): (&u64, &u32)| if value > 0 { time } else { fire::NEVER };
        let ignition = outcome.values.iter().zip(&outcome.times).map(ignited).collect();
        fire::Outcome::new(fire.height(), fire.width(), fire.horizon(), ignition)
    };
    for (engine, outcome) in by_all_engines(context, &cells, fire.horizon())? {
        let outcome = outcome.or_else(broken)?;
        let found = as_fire(&outcome);
        equal_slices(&format!("ignition times by {engine}"), &found.ignition, &expected.ignition)?;
        equal(&format!("the digest by {engine}"), &found.digest().to_string(), &expected.digest().to_string())?;
        equal(&format!("distinct times by {engine}"), &outcome.distinct_times, &expected.distinct_times)?;
        equal(&format!("outputs by {engine}"), &outcome.outputs, &expected.cells_burnt)?;
    }
    Ok(())
}

/// Outcome of a run, and the engine with the place at which it ran.
type EngineRun<V> = (String, Result<Outcome<V>, RunError>);

/// Runs a scenario by all engines of the device, and on the host where its rows are native.
fn by_all_engines<M: CellModel>(
    context: &Context<'_>,
    cells: &Cells<M>,
    horizon: u32,
) -> Result<Vec<EngineRun<M::Value>>, Stop> {
    let mut all = Vec::new();
    for engine in [Engine::Step, Engine::Window, Engine::Auto] {
        let ran = cells.run_by_tables(context.device, engine, horizon, &mut on);
        all.push((format!("{engine}s on a device"), ran.map(|run| run.outcome)));
    }
    if context.capabilities().native_rows {
        let ran = cells.run(context.device, Engine::Window, horizon, &mut on);
        all.push(("windows on a host".to_owned(), ran.map(|run| run.outcome)));
    }
    Ok(all)
}

fn piling(context: &Context<'_>, name: &str, cells: &Cells<Piles>, horizon: u32, digest: &str) -> Verdict {
    let expected = cells.run_sequentially(horizon, &mut |_| ()).or_else(broken)?.outcome;
    equal("the event list's digest, and the stored one", &expected.digest().to_string().as_str(), &digest)?;
    for (engine, outcome) in by_all_engines(context, cells, horizon)? {
        let found = outcome.or_else(broken)?;
        if engine.starts_with("step") {
            context.digest(format!("cells with a rule, {name}"), found.digest().to_string());
        }
        equal_slices(&format!("times by {engine}"), &found.times, &expected.times)?;
        equal_slices(&format!("values by {engine}"), &found.values, &expected.values)?;
        equal(&format!("the digest by {engine}"), &found.digest().to_string(), &expected.digest().to_string())?;
    }
    Ok(())
}

fn failing(context: &Context<'_>) -> Verdict {
    let cells = plane(1_000)?;
    let Err(expected) = cells.run_sequentially(160, &mut |_| ()) else { return fail("the event list has no error") };
    for (engine, outcome) in by_all_engines(context, &cells, 160)? {
        match outcome {
            Err(error) => equal(&format!("the error by {engine}"), &error.to_string(), &expected.to_string())?,
            Ok(_) => return fail(format!("no error by {engine}")),
        }
    }
    Ok(())
}
