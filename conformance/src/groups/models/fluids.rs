//! Fluid traffic: close to the sequential simulation, and the same bits in every run.

use super::verdicts::broken;
use crate::case::{Cases, Stop, Verdict, ensure, equal};
use crate::context::Context;
use imminent_traffic::fluid::{
    Engine, FlowState, FluidError, Memory, Precision, QueueState, Recovery, Rules, Sequential,
};
use imminent_traffic::network::{Builder, Discipline, Flow, Flows, Kind, Link, Queue, Red};
use imminent_traffic::units::{NANOSECONDS, NEVER};
use imminent_traffic::{Metric, Tcp, Traffic};

/// Length of a step: half a millisecond, in nanoseconds.
pub(super) const STEP: u64 = 500_000;

/// Returns the largest deviation of fluids from the sequential ones in `f64`. It is relative for windows and round-trip
/// times, and a share of the capacity for queues.
pub(super) fn close(precision: Precision) -> f64 {
    match precision {
        Precision::Single => 0.01,
        Precision::Double => 1e-6,
    }
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("fluid traffic: close to the sequential simulation, the same bits in every run", |context| {
        fluids(context, Rules::default(), Precision::Single)
    });
    cases.add("fluid traffic whose losses of a round trip count once: the same", |context| {
        let rules = Rules { recovery: Recovery::NewReno, ..Rules::default() };
        fluids(context, rules, Precision::Single)
    });
    cases.add("fluid traffic over links that lose: the same", |context| {
        let lossy = row_losing(0.01, &flows())?;
        beside_the_oracle(context, &lossy, Rules::default(), Precision::Single)
    });
    cases.add(
        "fluid traffic in f64: closer, the same bits in every run, and refused where there is no f64",
        |context| {
            if context.capabilities().float64 {
                fluids(context, Rules::default(), Precision::Double)
            } else {
                refused(context)
            }
        },
    );
}

/// A flow: from, to, kind, start and stop.
pub(super) type Between = (u32, u32, Kind, u64, u64);

/// Builds a row of three links, the second and third of which are too slow, in both directions, with flows along them.
pub(super) fn row(between: &[Between]) -> Result<Traffic, Stop> {
    row_losing(0.0, between)
}

/// Builds the row with links that each lose a share.
fn row_losing(loss: f64, between: &[Between]) -> Result<Traffic, Stop> {
    let red = Discipline::Red(Red { weight: 1e-3, ..Red::default() });
    let mut network = Builder::new();
    for node in 0..4 {
        network.node(node.to_string());
    }
    for (from, milliseconds, bandwidth, discipline) in
        [(0, 10, 5_000_000, red), (1, 15, 1_000_000, red), (2, 12, 800_000, Discipline::DropTail)]
    {
        let queue = Queue::of_bytes(100_000, discipline);
        let (delay, bandwidth) = (milliseconds * 1_000_000, bandwidth * 8);
        network.both_ways(Link { from, to: from + 1, delay, bandwidth, queue, loss });
    }
    let mut flows = Flows::new();
    for &(from, to, kind, start, stop) in between {
        flows.add(Flow { from, to, kind, start, stop });
    }
    Traffic::new(network.build().or_else(broken)?, flows, Metric::Hops, Tcp::default()).or_else(broken)
}

/// Builds flows that share links, start and stop.
pub(super) fn traffic() -> Result<Traffic, Stop> {
    row(&flows())
}

fn flows() -> [Between; 4] {
    let tcp = |fluid| Kind::Tcp { fluid, packets: 0 };
    let udp = Kind::Udp { rate: 8 * 150_000, packets: false };
    [
        (0, 2, tcp(8), 0, NEVER),
        (0, 3, tcp(3), 0, NEVER),
        (1, 3, udp, NANOSECONDS / 2, 2 * NANOSECONDS),
        (2, 3, tcp(5), NANOSECONDS, NEVER),
    ]
}

/// A device without `f64` reports an error.
fn refused(context: &Context<'_>) -> Verdict {
    let traffic = traffic()?;
    let size = traffic.step(STEP, false).or_else(broken)?;
    let kept = (Rules::default(), Memory::default());
    let refusal = Engine::with_precision(context.device, &traffic, size, kept, Precision::Double);
    ensure(matches!(refusal, Err(FluidError::NoDoubles { .. })), || {
        format!("a device without f64 should refuse fluids in f64: {refusal:?}")
    })
}

fn fluids(context: &Context<'_>, rules: Rules, precision: Precision) -> Verdict {
    beside_the_oracle(context, &traffic()?, rules, precision)
}

fn beside_the_oracle(context: &Context<'_>, traffic: &Traffic, rules: Rules, precision: Precision) -> Verdict {
    let size = traffic.step(STEP, false).or_else(broken)?;
    let kept = (rules, Memory::default());
    let engine = || Engine::with_precision(context.device, traffic, size, kept, precision).or_else(broken);
    let (mut engine, mut again) = (engine()?, engine()?);
    let mut oracle = Sequential::new(traffic, STEP, rules);
    for _ in 0..15 {
        engine.advance(20).or_else(broken)?;
        again.advance(20).or_else(broken)?;
        oracle.advance(20 * u64::from(engine.lookahead()));
        let (flows, queues) = (engine.flows().or_else(broken)?, engine.queues().or_else(broken)?);
        equal("flows of a second run", &again.flows().or_else(broken)?, &flows)?;
        equal("queues of a second run", &again.queues().or_else(broken)?, &queues)?;
        flows.iter().try_for_each(|flow| flow_is_close(&oracle, flow, close(precision)))?;
        queues.iter().try_for_each(|queue| queue_is_close(&oracle, queue, close(precision)))?;
    }
    Ok(())
}

fn flow_is_close(oracle: &Sequential<'_>, flow: &FlowState, close: f64) -> Verdict {
    let window = oracle.window(flow.flow).unwrap_or_default();
    let round_trip = oracle.round_trip(flow.flow).unwrap_or_default();
    for (what, found, expected) in [("window", flow.window, window), ("round-trip time", flow.round_trip, round_trip)] {
        ensure((found - expected).abs() <= close * expected, || {
            format!("step {}, flow {}: expected a {what} of {expected}, found {found}", oracle.steps(), flow.flow)
        })?;
    }
    Ok(())
}

fn queue_is_close(oracle: &Sequential<'_>, queue: &QueueState, close: f64) -> Verdict {
    let expected = oracle.queue(queue.link).unwrap_or_default();
    ensure((queue.length - expected).abs() <= close * 100_000.0, || {
        format!("step {}, queue {}: expected {expected} bytes, found {}", oracle.steps(), queue.link, queue.length)
    })
}
