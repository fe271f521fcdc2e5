//! Benchmark of many simulations at once.

mod events;
pub(crate) mod timed;

use imminent_study::Benchmark;

/// Returns the benchmark.
pub(crate) fn of_many() -> Benchmark {
    let about = "Many simulations at once, event by event: events per second of the benchmarks of parameter studies.";
    Benchmark::new("events", about, events::measure)
}
