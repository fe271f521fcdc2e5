//! Shared servers have the outcomes of an engine that told the work of each token anew at every event.

use imminent_queueing::config::NetworkConfig;
use imminent_queueing::outcome::Digest;
use imminent_queueing::{Scenario, Start, host};

/// Shared servers with weights, batches, breakdowns, shifts and a limit.
const WEIGHTS: &str = r#"
[network]
classes = ["a", "b"]
edges = [["x", "desk"], ["y", "desk"], ["desk", "hall"], ["hall", "out"]]
[[network.source]]
name = "x"
class = "a"
rate = 0.3
[[network.source]]
name = "y"
class = "b"
rate = 0.2
batch = [[1, 0.5], [3, 0.2], [2, 0.3]]
[[network.node]]
name = "desk"
discipline = "processor-sharing"
breakdowns = { up = { mean = 40 }, down = { mean = 3 } }
[network.node.class.a]
mean = 0.7
weight = 3
[network.node.class.b]
service = { law = "uniform", low = 0.5, high = 1.5 }
[[network.node]]
name = "hall"
discipline = "processor-sharing"
mean = 2.0
servers = 3
capacity = 9
shifts = { at = [[0, 3], [10, 1], [20, 2]], period = 30 }
"#;

/// Speeds by number whose services begin again, blocking, infinite servers and choices by work.
const SPEEDS: &str = r#"
[network]
mean = 1.0
edges = [["door", "desk"], ["desk", "hall"], ["hall", "desk"], ["hall", "out"], ["desk", "loop"], ["loop", "hall"]]
[[network.source]]
name = "door"
rate = 0.5
routing = "least-work"
[[network.node]]
name = "desk"
speeds = [1.0, 1.7, 2.2, 2.5]
servers = 2
mean = 0.8
breakdowns = { up = { mean = 30 }, down = { mean = 2 } }
interrupted = "restart"
[[network.node]]
name = "hall"
discipline = "processor-sharing"
mean = 0.4
capacity = 4
overflow = "block"
[[network.node]]
name = "loop"
mean = 0.5
servers = 'infinite'
discipline = "processor-sharing"
"#;

/// Returns the digest of three replications.
fn digest(text: &str, seed: u64) -> String {
    let network = NetworkConfig::from_toml(text, "network.toml").unwrap().experiment().unwrap().network;
    let horizon = network.tick().ticks(3_000.0).unwrap();
    let of = |replication| host::simulate(&Scenario::new(&network, Start::One, horizon, seed, replication).unwrap());
    Digest::of_run(&(0..3).map(|replication| of(replication).digest()).collect::<Vec<_>>()).to_string()
}

#[test]
fn clocks_of_classes_keep_every_bit() {
    // Digests of the program at commit 50e1a207.
    let weights =
        ["adc6a1544d04850e1ed49a62e1714e73", "1e7beb0d12a9d99f0fc07d54ac2b1344", "d374ec573b020cd11eb879dbcfab3742"];
    let speeds =
        ["5ae9e6ef691f7ab059788d1a220e3bac", "2c87efafb5a69fc95e184d4f5e4c382f", "d50a3a98c0cbe5a03ff0440f9455dc6e"];
    for (seed, (of_weights, of_speeds)) in (1..).zip(weights.into_iter().zip(speeds)) {
        assert_eq!(digest(WEIGHTS, seed), of_weights, "weights, seed {seed}");
        assert_eq!(digest(SPEEDS, seed), of_speeds, "speeds, seed {seed}");
    }
}
