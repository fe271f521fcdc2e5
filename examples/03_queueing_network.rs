//! A model of the library: a real network as a closed queueing network, simulated exactly.
//!
//! `cargo run --release -p imminent --features models --example 03_queueing_network`

use imminent::DeviceSelection;
use imminent::models::queueing::config::NetworkConfig;
use imminent::models::queueing::engine::{Schedule, exact};
use imminent::models::queueing::measures::Measures;
use imminent::models::queueing::sequential;
use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/networks/nsfnet.graphml");
    let mut config = NetworkConfig::from_file(&file)?;
    config.network.tokens = Some(3);
    config.run.horizon = 20_000.0;
    let experiment = config.experiment()?;
    let scenario = experiment.scenario(0)?;

    let device = imminent::open(&DeviceSelection::default())?;
    let ran = exact(&device, &scenario, Schedule::Auto, &mut |_| ControlFlow::Continue(()))?;
    println!("{} services on {}", ran.outcome.events(), device.info().name);
    for (node, statistics) in (0..).zip(&ran.outcome.statistics) {
        let measures = Measures::of_node(statistics, ran.outcome.horizon);
        let label = experiment.network.label(node);
        println!("{label:>16}  busy {:5.1} %, {:5.2} waiting", 100.0 * measures.utilization, measures.queue_length);
    }

    // A plain event list gives the same, to the bit.
    assert_eq!(ran.outcome.digest(), sequential::simulate(&scenario).digest());
    println!("digest {}", ran.outcome.digest());
    Ok(())
}
