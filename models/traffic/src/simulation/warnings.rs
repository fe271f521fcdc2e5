//! Warnings about a run.

use super::load::{LOAD, round};
use crate::StepSize;
use crate::config::{Built, Engine};
use crate::network::files::LeftOut;
use crate::text::{bits, count, span};
use crate::units::seconds;
use crate::{Overload, TrafficConfig};
use imminent_study::Unused;

/// Returns all warnings about a run.
#[must_use]
pub fn of_run(engine: Engine, config: &TrafficConfig, built: &Built, step: Option<StepSize>) -> Vec<String> {
    let mut warnings = left_out(built);
    if let Some(step) = step {
        warnings.extend(long_step(step.links_below_ten_steps, step.step));
    }
    let flows = built.traffic.flows().all().iter();
    let (number, what) = match engine {
        Engine::Fluid | Engine::Sequential => (flows.filter(|flow| flow.kind.has_packets()).count(), "packets"),
        Engine::Packets => (flows.filter(|flow| flow.kind.fluid().is_some()).count(), "fluids"),
        Engine::Hybrid => (0, "flows"),
    };
    if number > 0 {
        warnings.push(format!("the engine `{}` leaves out the {what} of {number} flows", engine.name()));
    }
    warnings.extend(built.traffic.overload().map(|overload| overloaded(config, built, overload)));
    warnings
}

/// Returns the keys of a configuration that have no effect.
#[must_use]
pub fn unused(engine: Engine, config: &TrafficConfig, built: &Built) -> Vec<Unused> {
    let why = format!("the engine `{}` does not use it", engine.name());
    let of_run = config.run.unused_by(engine).into_iter().map(|key| Unused::new(&format!("run.{key}"), &*why));
    let of_topology = built.unused.iter().map(|(key, why)| Unused::new(&format!("topology.{key}"), &**why));
    let has_packets = matches!(engine, Engine::Packets | Engine::Hybrid);
    let of_packets = (!has_packets).then(|| Unused::new("packets", &*why));
    let is_idle = config.traffic.convergence.is_some() && config.topology.failure.is_empty();
    let of_failures = is_idle.then(|| Unused::new("traffic.convergence", "no link fails"));
    of_run.chain(of_topology).chain(of_packets).chain(of_failures).collect()
}

/// Describes the parts of the network that the simulation leaves out.
fn left_out(built: &Built) -> Vec<String> {
    let LeftOut { loops, demands, pairs } = built.left_out;
    let isolated = built.traffic.network().isolated();
    let warnings = [
        (loops, "self-loop was left out", "self-loops were left out"),
        (isolated, "node without links takes no part", "nodes without links take no part"),
        (demands, "demand from a node to itself was left out", "demands from a node to itself were left out"),
        (
            pairs,
            "pair of nodes without paths there and back was left out",
            "pairs of nodes without paths there and back were left out",
        ),
    ];
    let line = |(number, one, more)| format!("{} {}", count(number), if number == 1 { one } else { more });
    let unread = built.unread.iter().map(|(name, edges)| {
        let edges = if *edges == 1 { "1 edge".to_owned() } else { format!("{} edges", count(*edges)) };
        format!("the attribute '{name}' of {edges} was not read: name it 'bandwidth' or 'delay' if it is one")
    });
    warnings.into_iter().filter(|(number, ..)| *number > 0).map(line).chain(unread).collect()
}

/// Describes a step that is longer than the rule allows.
fn long_step(links: u64, step: u64) -> Option<String> {
    (links > 0).then(|| format!("{links} links have delays below ten steps of {}", span(seconds(step))))
}

/// Describes rates that links cannot carry, with the factor that would make them fit.
fn overloaded(config: &TrafficConfig, built: &Built, overload: Overload) -> String {
    let Overload { link, share, links, of } = overload;
    let (network, traffic) = (built.traffic.network(), &config.traffic);
    let bandwidth = network.link(link).map_or(0.0, |link| link.bandwidth as f64);
    let remedy = if traffic.flow.is_empty() {
        let scale = round(traffic.scale.unwrap_or(1.0) * LOAD / share);
        format!("--scale {scale} would offer {:.0} % at most", 100.0 * LOAD)
    } else {
        "give less, or faster links".to_owned()
    };
    format!(
        "{} of {} links are offered more than they can send by flows of a rate of their own, {} the most: {} of {}; the rest is lost: {remedy}",
        count(links),
        count(of),
        network.link_label(link),
        bits(share * bandwidth),
        bits(bandwidth)
    )
}
