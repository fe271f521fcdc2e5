//! Fluids and packets that share queues: alternating and concurrent execution give the same bits, in every run.

use super::fluids::{self, STEP};
use super::verdicts::broken;
use crate::case::{Cases, Stop, Verdict, ensure, equal};
use crate::context::Context;
use imminent_traffic::coupling::{Coupled, Coupling, Scheme};
use imminent_traffic::network::Kind;
use imminent_traffic::packet::clock::SECOND;
use imminent_traffic::packet::{Settings, Simulator};
use imminent_traffic::units::NEVER;
use imminent_traffic::{StepSize, Traffic};

pub(super) fn add(cases: &mut Cases) {
    cases.add("hybrid traffic: batches of one step are lock-step, bit by bit", one_step);
    cases.add("hybrid traffic: batches of many steps are the same bits in every run, however they are cut", many_steps);
}

/// Builds links in a row, flows that are partly packets, and a fluid against their acknowledgements.
fn traffic() -> Result<Traffic, Stop> {
    let tcp = |fluid, packets| Kind::Tcp { fluid, packets };
    fluids::row(&[
        (0, 2, tcp(4, 2), 0, NEVER),
        (0, 3, tcp(2, 3), 0, NEVER),
        (1, 3, Kind::Poisson { rate: 8 * 100_000 }, 0, NEVER),
        (3, 0, Kind::Udp { rate: 8 * 700_000, packets: false }, 0, NEVER),
    ])
}

fn run(context: &Context<'_>, traffic: &Traffic, lookahead: u64, scheme: Scheme) -> Result<Coupled, Stop> {
    let size = traffic.step(STEP, false).or_else(broken)?;
    let simulator = Simulator::new(traffic, Settings::default()).or_else(broken)?;
    let coupling = Coupling { scheme, ..Coupling::default() };
    Coupled::new(context.device, traffic, simulator, StepSize { lookahead, ..size }, coupling).or_else(broken)
}

fn same(what: &str, a: &Coupled, b: &Coupled) -> Verdict {
    equal(&format!("packets of {what}"), &a.simulator().report(), &b.simulator().report())?;
    equal(&format!("flows of {what}"), &a.flows().or_else(broken)?, &b.flows().or_else(broken)?)?;
    equal(&format!("queues of {what}"), &a.queues().or_else(broken)?, &b.queues().or_else(broken)?)
}

fn one_step(context: &Context<'_>) -> Verdict {
    let traffic = traffic()?;
    let mut by_turns = run(context, &traffic, 1, Scheme::LockStep)?;
    let mut beside = run(context, &traffic, 1, Scheme::Asynchronous { batch: 1 })?;
    for time in 1..=4 {
        let end = time * SECOND / 16;
        by_turns.run_until(end).or_else(broken)?;
        beside.run_until(end).or_else(broken)?;
        same(&format!("the two schemes after {time}/16 s"), &by_turns, &beside)?;
    }
    Ok(())
}

fn many_steps(context: &Context<'_>) -> Verdict {
    let traffic = traffic()?;
    let batches = || run(context, &traffic, 20, Scheme::Asynchronous { batch: 3 });
    let (mut whole, mut cut) = (batches()?, batches()?);
    let end = 2 * SECOND;
    whole.run_until(end).or_else(broken)?;
    for piece in 1..=77 {
        cut.run_until(piece * end / 77).or_else(broken)?;
    }
    same("a second run, in pieces", &cut, &whole)?;
    let report = whole.simulator().report();
    let lost: u64 = report.queues.iter().map(|queue| queue.overflowed + queue.dropped).sum();
    let delivered = report.flows.iter().map(|flow| flow.delivered).min().unwrap_or(0);
    ensure(lost > 0 && delivered > 50, || {
        format!("nothing to see: {lost} packets lost, {delivered} delivered by the least flow")
    })
}
