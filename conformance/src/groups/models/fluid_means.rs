//! Means of fluid traffic over all steps, measured without a trace: close to those of the sequential simulation, with
//! the same bits in every run.

use super::fluids::{STEP, close, traffic};
use super::verdicts::broken;
use crate::case::{Cases, Stop, Verdict, ensure, equal};
use crate::context::Context;
use imminent_traffic::Traffic;
use imminent_traffic::fluid::{Engine, FlowMeans, Means, Memory, Precision, QueueMeans, Rules, Sequential};

/// Number of launches before measuring begins.
const WARM_UP: u32 = 30;
/// Number of launches that are measured: until after the start of the last flow.
const MEASURED: u32 = 120;

pub(super) fn add(cases: &mut Cases) {
    cases.add("means of fluid traffic: close to the sequential simulation's, the same bits in every run", means);
}

fn means(context: &Context<'_>) -> Verdict {
    let traffic = traffic()?;
    let expected = by_the_oracle(&traffic)?;
    let is_worth_it = expected.queues.iter().any(|queue| queue.losses > 0.0)
        && expected.queues.iter().any(|queue| queue.greatest > 1.1 * queue.length && queue.idle > 0.1)
        && expected.flows.iter().any(|flow| flow.on < 1.0 && flow.window.is_some());
    ensure(is_worth_it, || format!("nothing to see: {expected:?}"))?;
    let precisions = [Precision::Single, Precision::Double];
    for precision in precisions.into_iter().take(1 + usize::from(context.capabilities().float64)) {
        let (engine, found) = on_the_device(context, &traffic, precision, 20)?;
        let (again, found_again) = on_the_device(context, &traffic, precision, 60)?;
        equal("means of a second run, in other pieces", &found_again, &found)?;
        equal("flows of a second run", &again.flows().or_else(broken)?, &engine.flows().or_else(broken)?)?;
        equal("steps that were measured", &found.steps, &expected.steps)?;
        let numbers = |means: &Means| (means.queues.len(), means.flows.len());
        equal("queues and flows of which there are means", &numbers(&found), &numbers(&expected))?;
        let queues = found.queues.iter().zip(&expected.queues);
        queues.into_iter().try_for_each(|(found, expected)| queue_is_close(&traffic, found, expected, precision))?;
        let flows = found.flows.iter().zip(&expected.flows);
        flows.into_iter().try_for_each(|(found, expected)| flow_is_close(found, expected, precision))?;
        let mut unseen = engine_of(context, &traffic, precision)?;
        unseen.advance(WARM_UP + MEASURED).or_else(broken)?;
        equal(
            "flows of which nothing is measured",
            &unseen.flows().or_else(broken)?,
            &engine.flows().or_else(broken)?,
        )?;
        equal("means where nothing is measured", &unseen.means().or_else(broken)?, &None)?;
    }
    Ok(())
}

fn engine_of(context: &Context<'_>, traffic: &Traffic, precision: Precision) -> Result<Engine, Stop> {
    let size = traffic.step(STEP, false).or_else(broken)?;
    let kept = (Rules::default(), Memory::default());
    Engine::with_precision(context.device, traffic, size, kept, precision).or_else(broken)
}

/// Measures means on the device in pieces of several launches.
fn on_the_device(
    context: &Context<'_>,
    traffic: &Traffic,
    precision: Precision,
    launches: u32,
) -> Result<(Engine, Means), Stop> {
    let mut engine = engine_of(context, traffic, precision)?;
    engine.advance(WARM_UP).or_else(broken)?;
    engine.measure().or_else(broken)?;
    for _ in 0..MEASURED / launches {
        engine.advance(launches).or_else(broken)?;
    }
    let means = engine.means().or_else(broken)?;
    means.map_or_else(|| broken("what was measured has no means"), |means| Ok((engine, means)))
}

fn by_the_oracle(traffic: &Traffic) -> Result<Means, Stop> {
    let steps = traffic.step(STEP, false).or_else(broken)?.lookahead;
    let mut oracle = Sequential::new(traffic, STEP, Rules::default());
    oracle.advance(u64::from(WARM_UP) * steps);
    oracle.measure();
    oracle.advance(u64::from(MEASURED) * steps);
    oracle.means().map_or_else(|| broken("what was measured has no means"), Ok)
}

/// Compares lengths relative to the capacity, rates relative to the bandwidth, and shares absolutely.
fn queue_is_close(traffic: &Traffic, found: &QueueMeans, expected: &QueueMeans, precision: Precision) -> Verdict {
    let link = traffic.network().link(expected.link).map_or_else(|| broken("a link that is none"), |link| Ok(*link))?;
    let (capacity, bandwidth) = (link.queue.capacity as f64, link.bandwidth as f64 / 8.0);
    let of = |queue: &QueueMeans| {
        let lengths = [queue.length / capacity, queue.greatest / capacity];
        let rates = [queue.arrivals / bandwidth, queue.losses / bandwidth];
        [lengths, rates, [queue.idle, queue.used]].concat()
    };
    let alike =
        of(found).iter().zip(of(expected)).all(|(found, expected)| (found - expected).abs() <= close(precision));
    ensure(found.link == expected.link && alike, || {
        format!("means of a queue in {}: expected {expected:?}, found {found:?}", precision.name())
    })
}

/// Compares flows; the steps at which a flow was on do not depend on rounding.
fn flow_is_close(found: &FlowMeans, expected: &FlowMeans, precision: Precision) -> Verdict {
    let of = |flow: &FlowMeans| [Some(flow.rate), flow.window, flow.round_trip];
    let alike = of(found).into_iter().zip(of(expected)).all(|pair| match pair {
        (Some(found), Some(expected)) => (found - expected).abs() <= close(precision) * expected,
        (found, expected) => found.is_none() && expected.is_none(),
    });
    ensure((found.flow, found.on) == (expected.flow, expected.on) && alike, || {
        format!("means of a flow in {}: expected {expected:?}, found {found:?}", precision.name())
    })
}
