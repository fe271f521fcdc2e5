//! Benchmarks of the engine and of routing.

mod delivery;
mod networks;

pub(crate) use networks::simulate;

use imminent_study::Benchmark;

/// Returns all benchmarks.
pub(crate) fn all() -> Vec<Benchmark> {
    vec![
        Benchmark::new(
            "delivery",
            "Packets by GPSR on random connected unit-disk graphs, which must all be delivered.",
            |_, _, options| Ok(delivery::measure(options)),
        ),
        Benchmark::new(
            "manet",
            "Mobile ad hoc networks: simulated time per wall time, beside the sequential program.",
            |device, _, options| networks::measure(device, options),
        ),
    ]
}
