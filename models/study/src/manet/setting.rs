//! Network of a point.

use crate::laboratory::{Fault, Point};
use crate::value::Value;
use imminent_manet::config::{Engine, ManetConfig};
use imminent_manet::{Network, Planar};

/// Returns the network of a point, with a seed.
///
/// # Errors
/// Values that do not go together.
pub(super) fn network(point: &Point, seed: u64) -> Result<Network, Fault> {
    let number = |name: &str| point.number_of(name);
    let given = |name: &str| number(name).map(|value| (value > 0.0).then_some(value));
    let whole = |name: &str| -> Result<u32, Fault> { Ok(u32::try_from(point.integer_of(name)?)?) };
    let mut config = ManetConfig::default();
    config.network.nodes = Some(whole("nodes")?);
    config.network.width = given("width")?;
    config.network.height = given("height")?;
    config.network.range = number("range")?;
    config.network.speed = [number("speed_least")?, number("speed_most")?];
    config.network.pause = [0.0, number("pause_most")?];
    config.beacons.interval = [number("beacon_least")?, number("beacon_most")?];
    config.beacons.timeout = number("timeout")?;
    if point.value("planar") == Some(&Value::Text("relative-neighbourhood".to_owned())) {
        config.routing.planar = Planar::RelativeNeighbourhood;
    }
    config.routing.ttl = whole("ttl")?;
    config.mac.bit_rate = number("bit_rate")?;
    config.mac.backoff[1] = number("backoff_most")?;
    config.mac.queue = whole("queue")?;
    config.traffic.rate = given("rate")?;
    config.traffic.bytes = whole("bytes")?;
    config.traffic.within = given("within")?;
    if let Some(interval) = given("interval")? {
        (config.run.engine, config.run.interval) = (Engine::Interval, interval);
    }
    config.run.warm_up = number("warm_up")?;
    config.run.duration = number("duration")?;
    config.run.seed = seed;
    Ok(config.build()?)
}
