//! Values of the command line in the place of those of a file.

use crate::TrafficConfig;
use crate::config::SchemeName;
use crate::simulation::assumed::Overrides;
use imminent_study::Configuration;
use imminent_study::experiment;
use imminent_study::laboratory::Fault;

/// Name of the option with the largest number of series.
pub(super) const SERIES: &str = "series";

/// Largest number of series if the option does not give it.
const USUAL_SERIES: usize = 200;

/// Removes values of the file that contradict the given ones.
pub(super) fn override_file(config: &mut TrafficConfig, configuration: &Configuration) {
    let is_given = |key| configuration.is_given(key);
    // The batch of a file does not apply to lock-step.
    let is_lock_step = is_given("run.scheme") && config.run.scheme == Some(SchemeName::LockStep);
    if is_lock_step && !is_given("run.batch") {
        config.run.batch = None;
    }
}

/// Returns the values that are not assumed for a network that is named alone.
pub(super) fn of(config: &TrafficConfig, configuration: &Configuration) -> Overrides {
    let is_given = |key| configuration.is_given(key);
    Overrides {
        bandwidth: is_given("topology.bandwidth"),
        delay: is_given("topology.delay"),
        least_delay: is_given("topology.least_delay"),
        buffer: is_given("topology.buffer") || is_given("topology.buffer_time"),
        step: is_given("run.step"),
        horizon: is_given("run.horizon"),
        pairs: config.traffic.pairs,
    }
}

/// Returns the largest number of queues, and of flows, in the series over time.
pub(super) fn series(given: &experiment::OptionValues) -> Result<usize, Fault> {
    let Some(text) = given.value(SERIES) else { return Ok(USUAL_SERIES) };
    text.parse().map_err(|_| format!("--{SERIES}: takes a whole number, 0 or more").into())
}
