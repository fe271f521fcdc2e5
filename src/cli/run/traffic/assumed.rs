//! What is assumed of a network that is named on the command line alone, and told: files of topologies seldom say all that a simulation needs. Configurations are taken by their word.

use super::super::Failure;
use super::units::{bits, span};
use imminent::models::traffic::config::{Demanded, Generator};
use imminent::models::traffic::network::Kind;
use imminent::models::traffic::network::files::Filled;
use imminent::models::traffic::units::seconds;
use imminent::models::traffic::{Traffic, TrafficConfig};

/// Bits per second of an edge without a bandwidth.
const BANDWIDTH: f64 = 1e9;
/// Seconds of an edge without a delay, and without places from which it would follow.
const DELAY: f64 = 0.01;
/// The least delay that follows from places, in seconds: nodes of one city would otherwise make the steps very small.
const LEAST_DELAY: f64 = 5e-3;
/// Seconds of its link's rate that a queue takes.
const BUFFER_TIME: f64 = 0.1;
/// The same on campuses, as in the experiments with them.
const CAMPUS_BUFFER_TIME: f64 = 0.2;
/// The paper's step, on campuses too, where it is half of a LAN's delay.
const CAMPUS_STEP: f64 = 5e-4;
/// Bits per second of a session of TCP.
const SESSION: f64 = 10e6;
/// How much of the busiest link's bandwidth is asked for.
const LOAD: f64 = 0.8;
/// How long is simulated, in seconds: windows and queues have found their lengths by then.
const HORIZON: f64 = 20.0;
/// For so many flows; for more it is less in proportion, so that one processor is done within seconds.
const FLOWS: f64 = 2000.0;
/// At least as long.
const LEAST_HORIZON: f64 = 2.0;

/// Whether a value was given, for each that something may be assumed of.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Given {
    pub(super) bandwidth: bool,
    pub(super) delay: bool,
    pub(super) least_delay: bool,
    pub(super) buffer: bool,
    pub(super) step: bool,
    pub(super) horizon: bool,
}

/// Fills in what is needed to read the network; gives what is to be told at once.
pub(super) fn fill(config: &mut TrafficConfig, given: Given) -> Vec<String> {
    let (shape, mut told) = (&mut config.topology, vec![]);
    let room = match shape.generate {
        Some(Generator::Validation) => return told,
        Some(Generator::Campus) => CAMPUS_BUFFER_TIME,
        None => BUFFER_TIME,
    };
    if !given.buffer {
        shape.buffer_time = Some(room);
        told.push(format!("a queue takes what its link sends in {} (--buffer, --buffer-time)", span(room)));
    }
    if shape.generate == Some(Generator::Campus) {
        if !given.step {
            (config.run.step, config.run.accept_step) = (Some(CAMPUS_STEP), true);
            told.push(format!(
                "a step of {}, the paper's, is accepted though LANs have delays of 1 ms (--step)",
                span(CAMPUS_STEP)
            ));
        }
        return told;
    }
    shape.bandwidth.get_or_insert(BANDWIDTH);
    shape.delay.get_or_insert(DELAY);
    if !given.least_delay {
        shape.least_delay = LEAST_DELAY;
    }
    told
}

/// What a file did not say.
pub(super) fn tell(config: &TrafficConfig, given: Given, filled: Filled) -> Vec<String> {
    let (shape, mut told) = (&config.topology, vec![]);
    if let (Some(bandwidth), false, 1..) = (shape.bandwidth, given.bandwidth, filled.bandwidth) {
        let Filled { bandwidth: without, edges, .. } = filled;
        told.push(format!("{} for the {without} of {edges} edges without a bandwidth (--bandwidth)", bits(bandwidth)));
    }
    if let (Some(delay), false, 1..) = (shape.delay, given.delay, filled.delay) {
        let Filled { delay: without, edges, .. } = filled;
        told.push(format!("{} for the {without} of {edges} edges without a delay or places (--delay)", span(delay)));
    }
    if let (false, 1..) = (given.least_delay, filled.delay_from_places) {
        let (count, edges, least) = (filled.delay_from_places, filled.edges, span(shape.least_delay));
        told.push(format!("delays of {count} of {edges} edges by their places, at least {least} (--least-delay)"));
    }
    told
}

/// Lets sessions of TCP flow between all pairs of nodes, by the gravity model, so many that the busiest link is asked for most of its bandwidth.
pub(super) fn flow(config: &mut TrafficConfig) -> Result<(Traffic, Vec<String>), Failure> {
    const TRIAL: f64 = 1e9;
    let mut trial = config.clone();
    (trial.traffic.gravity, trial.traffic.demanded, trial.traffic.session_rate) = (Some(TRIAL), Demanded::Udp, None);
    let trial = trial.traffic().map_err(Failure::usage)?;
    let total = round(TRIAL * LOAD / busiest(&trial).max(f64::MIN_POSITIVE));
    config.traffic.gravity = Some(total);
    let mut told = vec![format!(
        "{} between all pairs of nodes by the gravity model, {:.0} % of the busiest link (--gravity, --matrix)",
        bits(total),
        100.0 * LOAD
    )];
    if config.traffic.session_rate.is_none() {
        (config.traffic.demanded, config.traffic.session_rate) = (Demanded::Tcp, Some(SESSION));
        told.push(format!(
            "they are TCP, a session for each {} and at least one (--demanded, --session-rate)",
            bits(SESSION)
        ));
    }
    Ok((config.traffic().map_err(Failure::usage)?, told))
}

/// How long is simulated where nobody says: the paper's 90 s of the validation network, less of others.
pub(super) fn horizon(config: &mut TrafficConfig, given: Given, traffic: &Traffic) -> Option<String> {
    if given.horizon || config.topology.generate == Some(Generator::Validation) {
        return None;
    }
    let flows = traffic.flows().all().len() as f64;
    let length = (HORIZON * FLOWS / flows.max(FLOWS)).round().max(LEAST_HORIZON);
    let run = &mut config.run;
    run.horizon = run.warm_up + length;
    let after = if run.warm_up > 0.0 { " after the warm-up" } else { "" };
    Some(format!("{} are simulated{after} (--horizon)", span(length)))
}

/// The greatest share of a link's bandwidth that constant rates ask for.
fn busiest(traffic: &Traffic) -> f64 {
    let network = traffic.network();
    let mut asked = vec![0.0; network.links().len()];
    for (number, flow) in (0..).zip(traffic.flows().all()) {
        let Kind::Udp { rate, .. } = flow.kind else { continue };
        for &link in traffic.routes().links(number) {
            if let Some(asked) = asked.get_mut(link as usize) {
                *asked += rate as f64;
            }
        }
    }
    asked.iter().zip(network.links()).map(|(asked, link)| asked / link.bandwidth as f64).fold(0.0, f64::max)
}

/// Two digits of a number.
fn round(number: f64) -> f64 {
    let unit = 10_f64.powf(number.log10().floor() - 1.0);
    (number / unit).round() * unit
}

/// What is to be said of a step that is longer than the rule allows.
pub(super) fn long_step(links: u64, step: u64) -> Option<String> {
    (links > 0).then(|| format!("{links} links have delays below ten steps of {}", span(seconds(step))))
}
