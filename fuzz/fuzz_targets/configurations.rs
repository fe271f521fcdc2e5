//! Configurations of networks and of traffic, in TOML.
#![no_main]

use imminent_manet::config::ManetConfig;
use imminent_queueing::config::{NetworkConfig, TorusConfig};
use imminent_traffic::TrafficConfig;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = TorusConfig::from_toml(text, "given.toml");
    let _ = ManetConfig::from_toml(text, "given.toml");
    if let Ok(config) = NetworkConfig::from_toml(text, "given.toml") {
        let _ = config.experiment();
    }
    let _ = TrafficConfig::from_toml(text, "given.toml");
});
