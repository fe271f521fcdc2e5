//! Warnings about a run.

use super::load::{LOAD, round};
use crate::StepSize;
use crate::config::{Built, Engine};
use crate::network::Discipline;
use crate::network::files::LeftOut;
use crate::text::{bits, count, span};
use crate::units::{nanoseconds, seconds};
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
    warnings.extend(of_late_failures(config));
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
    let marks = if has_packets { unused_marks(config, built) } else { vec![] };
    of_run.chain(of_topology).chain(of_packets).chain(marks).chain(unused_failures(config)).collect()
}

/// Returns the keys of explicit congestion notification that have no effect.
fn unused_marks(config: &TrafficConfig, built: &Built) -> Vec<Unused> {
    let (flows, links) = (built.traffic.flows(), built.traffic.network().links());
    let of_tcp = (0..).zip(flows.all()).filter(|(_, flow)| flow.kind.has_packets() && flow.kind.is_tcp());
    let is_taken = of_tcp.map(|(number, _)| flows.tcp(number).ecn).any(|own| own.is_none());
    let why = if links.iter().all(|link| link.queue.discipline == Discipline::DropTail) {
        "every queue is drop-tail, which marks no packets"
    } else if !is_taken {
        return if config.packets.ecn { vec![Unused::new("packets.ecn", "no flow takes it")] } else { vec![] };
    } else {
        return vec![];
    };
    let of_all = config.packets.ecn.then(|| Unused::new("packets.ecn", why));
    let own = config.traffic.flow.iter().enumerate().filter(|(_, flow)| flow.ecn == Some(true));
    let of_flows = own.map(|(index, _)| Unused::new(&format!("traffic.flow[{index}].ecn"), why));
    of_all.into_iter().chain(of_flows).collect()
}

/// Returns the keys of failures that have no effect.
fn unused_failures(config: &TrafficConfig) -> Vec<Unused> {
    let (all, late) = (config.topology.failure.len(), late_failures(config));
    if late < all {
        return vec![];
    }
    let end = span(config.run.horizon);
    let failures =
        (all > 0).then(|| Unused::new("topology.failure", format!("the run ends at {end}, before any link fails")));
    let is_given = config.traffic.convergence.is_some();
    failures.into_iter().chain(is_given.then(|| Unused::new("traffic.convergence", "no link fails"))).collect()
}

/// Number of failures that begin at the end of a run or later.
fn late_failures(config: &TrafficConfig) -> usize {
    let horizon = config.horizon().unwrap_or(u64::MAX);
    let is_late = |start: f64| nanoseconds(start).is_some_and(|start| start >= horizon);
    config.topology.failure.iter().filter(|failure| is_late(failure.start)).count()
}

/// Describes failures that begin after the end of a run, if others begin before it.
fn of_late_failures(config: &TrafficConfig) -> Option<String> {
    let (all, late) = (config.topology.failure.len(), late_failures(config));
    (0 < late && late < all).then(|| {
        let [late, all] = [late, all].map(|number| count(number as u64));
        format!("{late} of {all} failures begin when the run is over, at {}", span(config.run.horizon))
    })
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
