//! Assumptions about a network that is named alone, which are reported: topology files seldom have all parameters of a
//! simulation. Configurations are used without assumptions.

use super::load::{LOAD, round};
use crate::config::{Built, ConfigError, Demanded, Generator};
use crate::fluid::Memory;
use crate::network::Link;
use crate::network::files::{Filled, USUAL_UNIT, UnitFrom};
use crate::text::{bits, count, percent, span};
use crate::{Traffic, TrafficConfig};

/// Bandwidth of an edge without its own, in bits per second.
const BANDWIDTH: f64 = 1e9;
/// Delay of an edge without its own and without positions, in seconds.
const DELAY: f64 = 0.01;
/// Smallest delay that is computed from positions, in seconds: nodes of one city would otherwise require very small
/// steps.
const MIN_DELAY: f64 = 5e-3;
/// Capacity of a queue as a time at its link's rate, in seconds.
const BUFFER_TIME: f64 = 0.1;
/// Smallest capacity of a queue in packets: on a slow link little is sent in that time.
const MIN_PACKETS: u64 = 4;
/// Capacity of a queue on campuses as a time at its link's rate, in seconds, as in the experiments with them.
const CAMPUS_BUFFER_TIME: f64 = 0.2;
/// Step on campuses, the paper's, in seconds. It is half of a LAN's delay.
const CAMPUS_STEP: f64 = 5e-4;
/// Rate of a TCP session, in bits per second.
const SESSION: f64 = 10e6;
/// Largest number of node pairs that send.
const PAIRS: u32 = 4_000;
/// Largest number of hops of all flows, because memory and time grow with it. Beyond it fewer pairs send.
const HOPS: f64 = 20_000.0;
/// Length of the simulation, in seconds. Windows and queues are stationary by then.
const HORIZON: f64 = 20.0;
/// Number of hops up to which that length is used. For more it decreases in proportion, so that two processors are done
/// within seconds.
const HOPS_OF_HORIZON: f64 = 3_000.0;
/// Smallest length of the simulation, in seconds.
const MIN_HORIZON: f64 = 2.0;

/// Values that were given and are not assumed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Overrides {
    /// `true` if the bandwidth of links without their own was given.
    pub bandwidth: bool,
    /// `true` if the delay of links without their own was given.
    pub delay: bool,
    /// `true` if the smallest delay from positions was given.
    pub least_delay: bool,
    /// `true` if the capacity of queues was given.
    pub buffer: bool,
    /// `true` if the step was given.
    pub step: bool,
    /// `true` if the length of the simulation was given.
    pub horizon: bool,
    /// Largest number of node pairs that send, if it was given.
    pub pairs: Option<u32>,
}

/// Builds the traffic of a network that is named alone, and fills in what its configuration lacks. Returns the
/// assumptions to report.
///
/// # Errors
/// [`ConfigError`], as for [`TrafficConfig::build`], and for a number of pairs that nothing uses.
pub fn complete(config: &mut TrafficConfig, given: Overrides) -> Result<(Built, Vec<String>), ConfigError> {
    let mut assumed = fill(config, given);
    let built = config.build()?;
    let mut built = fit(config, given, built)?;
    assumed.extend(list(config, given, &built));
    if built.traffic.flows().all().is_empty() {
        let (flowing, of_flows) = flow(config, given)?;
        built = flowing;
        assumed.extend(of_flows);
    } else if given.pairs.is_some() && config.traffic.gravity.is_none() {
        let problem =
            "pairs are those of the gravity model, and the traffic comes from elsewhere: give --gravity, or remove it";
        return Err(ConfigError::value("traffic.pairs", problem.to_owned()));
    }
    assumed.extend(waiting(config, &built.traffic));
    assumed.extend(horizon(config, given, &built.traffic));
    Ok((built, assumed))
}

/// Fills in values that are needed to read the network. Returns the assumptions to report.
fn fill(config: &mut TrafficConfig, given: Overrides) -> Vec<String> {
    let (shape, mut assumed) = (&mut config.topology, vec![]);
    let room = match shape.generate {
        Some(Generator::Validation) => return assumed,
        Some(Generator::Campus) => CAMPUS_BUFFER_TIME,
        None => BUFFER_TIME,
    };
    if !given.buffer {
        shape.buffer_time = Some(room);
        let mut what = format!("a queue takes what its link sends in {} (--buffer, --buffer-time)", span(room));
        if shape.generate.is_none() {
            shape.least_buffer = Some(MIN_PACKETS * u64::from(config.tcp.packet));
            what.push_str(&format!(", and {MIN_PACKETS} packets at least"));
        }
        assumed.push(what);
    }
    if shape.generate == Some(Generator::Campus) {
        if !given.step {
            (config.run.step, config.run.accept_step) = (Some(CAMPUS_STEP), true);
            assumed.push(format!(
                "a step of {}, the paper's, is accepted though LANs have delays of 1 ms (--step)",
                span(CAMPUS_STEP)
            ));
        }
        return assumed;
    }
    shape.bandwidth.get_or_insert(BANDWIDTH);
    shape.delay.get_or_insert(DELAY);
    if !given.least_delay {
        shape.least_delay = MIN_DELAY;
    }
    // These are pairs of the gravity model; the demands of the file are not known yet.
    config.traffic.pairs = config.traffic.gravity.map(|_| given.pairs.unwrap_or(PAIRS));
    assumed
}

/// Describes the values that a file did not give.
fn list(config: &TrafficConfig, given: Overrides, built: &Built) -> Vec<String> {
    let (shape, filled, mut assumed) = (&config.topology, built.filled, vec![]);
    if filled.unit == Some(UnitFrom::Nobody) {
        assumed.push(format!("capacities and demands are in {} (--unit)", bits(USUAL_UNIT)));
    }
    if let Filled { modules: modules @ 1.., edges, .. } = filled {
        assumed.push(format!(
            "for the {modules} of {edges} links without a capacity of their own, that of the smallest module which could be installed"
        ));
    }
    if let (Some(bandwidth), false, 1..) = (shape.bandwidth, given.bandwidth, filled.bandwidth) {
        let Filled { bandwidth: without, edges, .. } = filled;
        assumed
            .push(format!("{} for the {without} of {edges} edges without a bandwidth (--bandwidth)", bits(bandwidth)));
    }
    if let (Some(delay), false, 1..) = (shape.delay, given.delay, filled.delay) {
        let Filled { delay: without, edges, .. } = filled;
        assumed.push(format!("{} for the {without} of {edges} edges without a delay or places (--delay)", span(delay)));
    }
    if let (false, 1..) = (given.least_delay, filled.delay_from_places) {
        let (number, edges, least) = (filled.delay_from_places, filled.edges, span(shape.least_delay));
        assumed.push(format!("delays of {number} of {edges} edges by their places, at least {least} (--least-delay)"));
    }
    for (bare, stated, what) in [
        (filled.bare_bandwidths, shape.unit.is_some(), "bandwidths are bare numbers, of bits per second (--unit)"),
        (filled.bare_delays, shape.delay_unit.is_some(), "delays are bare numbers, of seconds (--delay-unit)"),
    ] {
        if bare > 0 && !stated {
            assumed.push(format!("{bare} of {} {what}", filled.edges));
        }
    }
    assumed.extend(fewer_pairs(config, given, built));
    assumed
}

/// Describes the losses of links after their queues, if there are any.
#[must_use]
pub fn losses(traffic: &Traffic) -> Option<String> {
    let links = traffic.network().links();
    let shares = || links.iter().filter(|link| link.is_lossy()).map(|link| link.loss);
    let (least, most) = shares().fold((1.0, 0.0), |(least, most), share| (share.min(least), share.max(most)));
    let lossy = shares().count() as u64;
    let share = if least == most { percent(most) } else { format!("{} to {}", percent(least), percent(most)) };
    (lossy > 0).then(|| {
        let (lossy, all) = (count(lossy), count(links.len() as u64));
        format!(
            "{lossy} of {all} links lose {share} of what they send, each packet by itself, after their queues (--loss)"
        )
    })
}

/// Reduces the number of sending node pairs if their flows have too many hops, unless the number was given.
fn fit(config: &mut TrafficConfig, given: Overrides, built: Built) -> Result<Built, ConfigError> {
    let (flows, hops) = (built.traffic.flows().all().len() as f64, built.traffic.routes().hops().len() as f64);
    if given.pairs.is_some() || config.traffic.pairs.is_none() || hops <= HOPS {
        return Ok(built);
    }
    config.traffic.pairs = Some(round(flows * HOPS / hops).max(1.0) as u32);
    config.build()
}

/// Describes that not all pairs of nodes send, unless that was requested.
fn fewer_pairs(config: &TrafficConfig, given: Overrides, built: &Built) -> Option<String> {
    let (most, of) = (u64::from(config.traffic.pairs?), built.pairs?);
    (given.pairs.is_none() && of > most)
        .then(|| format!("{} of {} pairs of nodes send, drawn by the seed (--pairs)", count(most), count(of)))
}

/// Adds TCP sessions between all or many pairs of nodes by the gravity model. Their number is chosen to load the
/// busiest link to most of its bandwidth.
fn flow(config: &mut TrafficConfig, given: Overrides) -> Result<(Built, Vec<String>), ConfigError> {
    const TRIAL: f64 = 1e9;
    config.traffic.pairs = Some(given.pairs.unwrap_or(PAIRS));
    let mut trial = config.clone();
    (trial.traffic.gravity, trial.traffic.demanded, trial.traffic.session_rate) = (Some(TRIAL), Demanded::Udp, None);
    let all = trial.build()?;
    let fitting = fit(&mut trial, given, all)?;
    config.traffic.pairs = trial.traffic.pairs;
    let share = fitting.traffic.busiest().map_or(0.0, |(_, share)| share);
    let total = round(TRIAL * LOAD / share.max(f64::MIN_POSITIVE));
    config.traffic.gravity = Some(total);
    let mut assumed = vec![format!(
        "{} between pairs of nodes by the gravity model, {:.0} % of the busiest link (--gravity, --matrix)",
        bits(total),
        100.0 * LOAD
    )];
    if config.traffic.session_rate.is_none() {
        (config.traffic.demanded, config.traffic.session_rate) = (Demanded::Tcp, Some(SESSION));
        assumed.push(format!(
            "they are TCP, a session for each {} and at least one (--demanded, --session-rate)",
            bits(SESSION)
        ));
    }
    let built = config.build()?;
    assumed.extend(fewer_pairs(config, given, &built));
    Ok((built, assumed))
}

/// Raises the longest waiting time of fluid if queues of slow links take longer than `buffer_time` to drain, because
/// they hold some packets at least. The increase is the largest sum of the additional times on a path.
fn waiting(config: &mut TrafficConfig, traffic: &Traffic) -> Option<String> {
    let usual = config
        .topology
        .buffer_time
        .filter(|_| config.topology.least_buffer.is_some() && config.run.waiting.is_none())?;
    let (network, routes) = (traffic.network(), traffic.routes());
    let longer = |link: &Link| (link.queue.capacity as f64 * 8.0 / link.bandwidth as f64 - usual).max(0.0);
    let on_way = |flow| routes.links(flow).iter().filter_map(|&link| network.link(link)).map(longer).sum::<f64>();
    let longest = (0..traffic.flows().all().len() as u32).map(on_way).fold(0.0, f64::max);
    if longest < 0.1 {
        return None;
    }
    let waiting = ((Memory::default().waiting + longest) * 10.0).ceil() / 10.0;
    config.run.waiting = Some(waiting);
    Some(format!("fluid waits {} on its way at most (--waiting)", span(waiting)))
}

/// Chooses the length of the simulation if it was not given: the paper's 90 s for the validation network, less for
/// others.
fn horizon(config: &mut TrafficConfig, given: Overrides, traffic: &Traffic) -> Option<String> {
    if given.horizon || config.topology.generate == Some(Generator::Validation) {
        return None;
    }
    let hops = traffic.routes().hops().len() as f64;
    let length = (HORIZON * HOPS_OF_HORIZON / hops.max(HOPS_OF_HORIZON)).round().max(MIN_HORIZON);
    let run = &mut config.run;
    run.horizon = run.warm_up + length;
    let after = if run.warm_up > 0.0 { " after the warm-up" } else { "" };
    Some(format!("{} are simulated{after} (--horizon)", span(length)))
}
