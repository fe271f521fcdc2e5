//! Benchmarks of fluids, and of fluids and packets that share queues.

pub(crate) mod cell;
mod fluids;
mod hybrid;
pub(crate) mod networks;

use imminent_study::Benchmark;

/// Returns all benchmarks.
pub(crate) fn all() -> Vec<Benchmark> {
    vec![
        Benchmark::new(
            "fluids",
            "Fluid traffic on campus networks: wall time for a simulated second, and memory.",
            fluids::measure,
        ),
        Benchmark::new(
            "hybrid",
            "Fluids and packets that share queues: wall time for a simulated second, and its parts on the host.",
            hybrid::measure,
        ),
    ]
}
