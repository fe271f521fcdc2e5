//! Outcome of the replications of a network.

use super::replication::Replication;
use super::simulate::Simulated;
use super::tables::Place;
use super::{map, tables};
use crate::config::{Engine, ManetConfig};
use crate::{FlowCount, Loss, Network, Protocol};
use imminent_common::answer::Answer;
use imminent_common::estimate::{Confidence, Estimate};
use imminent_common::output::quantiles::PERCENTS;
use imminent_common::output::{Quantile, Sections};
use imminent_study::experiment::Detail;
use imminent_study::outcome::{Content, Outcome, Section};
use serde_json::{Map, Value as Json, json};

/// Statistic over the replications, as people read it.
struct Statistic {
    /// Key in the object for programs.
    key: &'static str,
    /// Name, with the unit.
    name: &'static str,
    /// Shown units to one of the value.
    scale: f64,
    of: fn(&Replication) -> f64,
}

const STATISTICS: [Statistic; 5] = [
    Statistic { key: "delivery_ratio", name: "packets delivered, %", scale: 100.0, of: |of| of.delivery_ratio },
    Statistic { key: "mean_delay", name: "mean delay, ms", scale: 1e3, of: |of| of.mean_delay },
    Statistic { key: "mean_hops", name: "mean hops", scale: 1.0, of: |of| of.mean_hops },
    Statistic { key: "transmissions", name: "transmissions", scale: 1.0, of: |of| of.transmissions as f64 },
    Statistic {
        key: "routing_load",
        name: "routing transmissions for a delivered packet",
        scale: 1.0,
        of: |of| of.routing_load.unwrap_or(f64::NAN),
    },
];

/// Estimates of the statistics, with their keys.
type Estimates = [(&'static str, Estimate); STATISTICS.len()];

/// Largest number of listed flows that are shown to people.
const SHOWN_FLOWS: usize = 40;

/// Returns the outcome of simulated replications.
pub(super) fn outcome(
    config: &ManetConfig,
    network: &Network,
    simulated: Simulated,
    trajectories: Option<Vec<Place>>,
    confidence: Confidence,
    detail: Detail,
) -> Outcome {
    let seconds = network.end as f64 / 1e6 * simulated.replications.len() as f64;
    let wall = simulated.phases.simulation.as_secs_f64();
    let times_real_time = seconds / wall;
    let estimates =
        STATISTICS.map(|statistic| (statistic.key, estimate(&simulated.replications, &statistic, confidence)));
    let half = format!("{confidence} ±");
    let mut outcome = Outcome {
        title: "Mobile ad hoc network".to_owned(),
        answer: Some(answer(network, &simulated, &estimates)),
        facts: facts(config, network, simulated.replications.len()),
        partial: simulated.partial(),
        sections: vec![
            Section::table("Means over the replications", ["", "mean", &half], rows(&estimates)),
            Section::table(
                "Delays of all packets that were delivered",
                ["share of the packets, %", "at most, ms", &half],
                delays(&simulated.delays, confidence),
            ),
            Section::new("Packets of all replications", Content::Counts(packets(&simulated.replications))),
        ],
        speed: format!("{wall:.3} s, {times_real_time:.1} times real time"),
        phases: Some(simulated.phases),
        digest: simulated.digest.clone(),
        values: values(config, network, &simulated, (&estimates, confidence), times_real_time),
        ..Outcome::default()
    };
    if !simulated.listed.is_empty() && simulated.listed.len() <= SHOWN_FLOWS {
        outcome.sections.push(flows(network, &simulated.listed));
    }
    if detail.has_drawings() {
        outcome.sections.push(Section::new("Map", map::draw(network).map_or_else(Content::Text, Content::Drawing)));
    }
    if detail.has_data() {
        outcome.tables = tables::tables(network, simulated, trajectories);
    }
    outcome
}

/// Returns the question, the most important results, and how sure they are.
fn answer(network: &Network, simulated: &Simulated, estimates: &Estimates) -> Answer {
    let [ratio, delay, hops, ..] = estimates;
    let shown = |(_, estimate): &(&str, Estimate), scale: f64| {
        let half = estimate.half_width().map_or_else(String::new, |half| format!(" ± {:.1}", half * scale));
        estimate.mean.map_or_else(|| "unknown".to_owned(), |mean| format!("{:.1}{half}", mean * scale))
    };
    let mut results = vec![format!("{} % of the packets arrive.", shown(ratio, 100.0))];
    if delay.1.mean.is_some() {
        results.push(format!("They take {} ms and {} hops on average.", shown(delay, 1e3), shown(hops, 1.0)));
    }
    let replications = simulated.replications.len();
    let partial = if simulated.partial().is_some() { " The run was interrupted." } else { "" };
    Answer {
        question: format!(
            "Which share of the packets arrives among {} moving nodes, and how long do they take?",
            network.nodes
        ),
        results,
        certainty: match ratio.1.half_width() {
            Some(_) => format!(
                "The intervals (±) cover the true means with a probability of {}; they come from {replications} replications.{partial}",
                ratio.1.interval.confidence
            ),
            None => format!("Not known: one replication has no interval. --replications gives more.{partial}"),
        },
    }
}

fn estimate(replications: &[Replication], statistic: &Statistic, confidence: Confidence) -> Estimate {
    let values: Vec<_> = replications.iter().map(statistic.of).filter(|value| value.is_finite()).collect();
    confidence.of(&values)
}

/// Returns names and values of what was simulated.
fn facts(config: &ManetConfig, network: &Network, replications: usize) -> Vec<(String, String)> {
    let [width, height] = [network.field.width, network.field.height].map(|side| f64::from(side) / 1e3);
    let run = &config.run;
    let (name, clock) = match run.engine {
        Engine::Interval => ("clock", format!("{} ms", run.interval * 1e3)),
        _ => ("lookahead", format!("{} ms, the least airtime", network.lookahead() as f64 / 1e3)),
    };
    let facts = [
        ("engine", format!("{:?}", run.engine).to_lowercase()),
        ("routing", routing(network)),
        ("network", format!("{} nodes on {width} m x {height} m, range {} m", network.nodes, config.network.range)),
        ("simulated", format!("{} s, {replications} replications, seed {}", run.horizon, run.seed)),
        (name, clock),
    ];
    facts.map(|(name, value)| (name.to_owned(), value)).to_vec()
}

/// Returns the routing protocol with its most important parameters.
fn routing(network: &Network) -> String {
    match network.protocol {
        Protocol::Gpsr => "GPSR".to_owned(),
        Protocol::Aodv(aodv) => {
            let search = if aodv.expanding_ring { "expanding rings" } else { "whole network" };
            format!("AODV on threads of the host, routes last {} s, {search}", aodv.active_route_timeout as f64 / 1e6)
        }
    }
}

/// Returns the rows of a table of statistics.
fn rows(estimates: &Estimates) -> Vec<[String; 3]> {
    let row = |(statistic, (_, estimate)): (&Statistic, &(&str, Estimate))| {
        let shown = |value: Option<f64>| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{:.3}", value * statistic.scale))
        };
        [statistic.name.to_owned(), shown(estimate.mean), shown(estimate.half_width())]
    };
    STATISTICS.iter().zip(estimates).map(row).collect()
}

/// Returns a quantile of delays in seconds.
fn in_seconds(quantile: Quantile) -> Quantile {
    quantile.in_units(1e-6, (0.0, f64::MAX))
}

/// Returns the rows of a table of quantiles of delays.
fn delays(delays: &Sections, confidence: Confidence) -> Vec<[String; 3]> {
    let row = |(percent, quantile): (u32, Quantile)| {
        let quantile = in_seconds(quantile);
        let shown = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{:.3}", value * 1e3));
        [percent.to_string(), shown(quantile.value), shown(quantile.half_width())]
    };
    PERCENTS.into_iter().zip(delays.quantiles(confidence)).map(row).collect()
}

/// Returns the packets of all replications: created, delivered, lost by cause, under way.
fn packets(replications: &[Replication]) -> Vec<(String, u64)> {
    let sum = |of: &dyn Fn(&Replication) -> u64| replications.iter().map(of).sum();
    let mut packets = vec![("created", sum(&|of| of.created)), ("delivered", sum(&|of| of.delivered))];
    packets.extend(Loss::ALL.iter().map(|loss| (loss.name(), sum(&|of| of.lost[*loss as usize]))));
    packets.push(("under way at the end", sum(&|of| of.under_way)));
    packets.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
}

/// Returns the table of the flows that the configuration lists.
fn flows(network: &Network, listed: &[FlowCount]) -> Section {
    let name = |node: u32| network.name(node).map_or_else(|| node.to_string(), |name| name.to_string());
    let shown = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"));
    let row = |flow: &FlowCount| {
        [
            format!("{} to {}", name(flow.from), flow.to.map(name).unwrap_or_default()),
            flow.created[0].to_string(),
            shown(flow.delivery_ratio().map(|ratio| 100.0 * ratio)),
            shown(flow.mean_delay(0).map(|delay| 1e3 * delay)),
            shown(flow.mean_hops()),
        ]
    };
    let head = ["flow", "packets", "delivered, %", "mean delay, ms", "mean hops"];
    Section::table("Flows of all replications together", head, listed.iter().map(row).collect())
}

/// Returns the values of a flow for programs.
fn flow_values(network: &Network, flow: &FlowCount) -> Json {
    let mut values = json!({
        "from": flow.from,
        "to": flow.to,
        "created": flow.created[0],
        "delivered": flow.delivered[0],
        "delivery_ratio": flow.delivery_ratio(),
        "mean_delay": flow.mean_delay(0),
        "mean_hops": flow.mean_hops(),
    });
    for (key, node) in [("from_name", Some(flow.from)), ("to_name", flow.to)] {
        if let Some(name) = node.and_then(|node| network.name(node)) {
            values[key] = json!(**name);
        }
    }
    if flow.created[1] > 0 {
        values["answers"] = json!(flow.delivered[1]);
        values["mean_answer_delay"] = json!(flow.mean_delay(1));
    }
    values
}

/// Returns the results for programs. Lengths are in m, times in s.
fn values(
    config: &ManetConfig,
    network: &Network,
    simulated: &Simulated,
    (estimates, confidence): (&Estimates, Confidence),
    times_real_time: f64,
) -> Map<String, Json> {
    let delays = PERCENTS.into_iter().zip(simulated.delays.quantiles(confidence));
    let delays: Map<_, _> = delays.map(|(percent, of)| (format!("p{percent}"), json!(in_seconds(of)))).collect();
    let [width, height] = [network.field.width, network.field.height].map(|side| f64::from(side) / 1e3);
    let stats: Map<_, _> = estimates.iter().map(|(key, estimate)| ((*key).to_owned(), json!(estimate))).collect();
    let values = json!({
        "engine": config.run.engine,
        "config": config,
        "nodes": network.nodes,
        "field": [width, height],
        "lookahead": network.lookahead() as f64 / 1e6,
        "stats": stats,
        "delays": delays,
        "replications": simulated.replications,
        "times_real_time": times_real_time,
    });
    let Json::Object(mut values) = values else { return Map::new() };
    if !simulated.listed.is_empty() {
        values.insert("flows".to_owned(), simulated.listed.iter().map(|flow| flow_values(network, flow)).collect());
    }
    values
}
