//! A small discrete-event simulation: imminent entities execute, the clock jumps to the next event.

use crate::case::{Cases, Verdict, equal, equal_slices};
use crate::context::Context;
use crate::kernels::programs::steps::{Clock, Entity, execute, next_event};
use imminent_core::{Outcome, Program, Stop, Table};
use rand_core::Rng;

pub(super) fn add(cases: &mut Cases) {
    cases.add("a discrete-event loop takes the steps of a plain host loop", |context| {
        for (entities, horizon) in [(1_usize, 1000_u64), (2, 1000), (65, 600), (1000, 200)] {
            simulate(context, entities, horizon)?;
        }
        simulate(context, context.scaled(5000, 100_003), context.scaled(60, 1000) as u64)
    });
    cases.add("an event loop is stopped and goes on without a trace", |context| {
        let start = start(context, 100);
        let (expected, steps) = on_the_host(start.clone(), 900);
        let mut entities = Table::from_rows(context.device, &start)?;
        let mut clock = Table::<Clock>::zeroed(context.device, 1)?;
        let mut program = Program::record(context.device, |program| {
            program.loop_until(37, |step| {
                let next = step.launch_into::<next_event, _>((&entities,), &mut clock)?;
                step.launch::<execute>((&mut entities, &clock))?;
                Ok(vec![next.at_least(900)])
            })
        })?;
        let mut taken = 0;
        for _ in 0..steps {
            let outcome = program.run()?;
            taken += outcome.steps;
            if outcome.stop == Stop::Condition(0) {
                break;
            }
        }
        equal("steps of all runs", &taken, &steps)?;
        equal_slices("the entities", &entities.read()?, &expected)
    });
}

fn start(context: &Context<'_>, entities: usize) -> Vec<Entity> {
    let mut rng = context.random(301 + entities as u64);
    (0..entities).map(|_| Entity { time: u64::from(rng.next_u32() % 50), seed: rng.next_u64(), events: 0 }).collect()
}

/// Runs the plain loop until the clock, after its step, is at the horizon.
fn on_the_host(mut entities: Vec<Entity>, horizon: u64) -> (Vec<Entity>, u64) {
    let mut steps = 0;
    loop {
        let now = entities.iter().map(|entity| entity.time).min().unwrap_or(u64::MAX);
        for entity in entities.iter_mut().filter(|entity| entity.time == now) {
            entity.seed = entity.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            entity.time += 1 + (entity.seed >> 58);
            entity.events += 1;
        }
        steps += 1;
        if now >= horizon {
            return (entities, steps);
        }
    }
}

fn simulate(context: &Context<'_>, count: usize, horizon: u64) -> Verdict {
    let start = start(context, count);
    let mut entities = Table::from_rows(context.device, &start)?;
    let mut clock = Table::<Clock>::zeroed(context.device, 1)?;
    let mut program = Program::record(context.device, |program| {
        program.loop_until(u64::MAX, |step| {
            let next = step.launch_into::<next_event, _>((&entities,), &mut clock)?;
            step.launch::<execute>((&mut entities, &clock))?;
            Ok(vec![next.at_least(horizon)])
        })
    })?;
    let outcome = program.run()?;
    let (expected, steps) = on_the_host(start, horizon);
    equal(&format!("{count} entities to {horizon}"), &outcome, &Outcome { steps, stop: Stop::Condition(0) })?;
    equal_slices(&format!("{count} entities"), &entities.read()?, &expected)
}
