//! Alternating runs in one process, and tables of their times.

use clap::Parser;
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use std::time::Duration;

/// Command-line arguments of a bench.
#[derive(Parser)]
pub(crate) struct Arguments {
    /// Numbers of threads beside one; 2 and the number of the host's threads, if none are given.
    threads: Vec<usize>,
    /// Number of rounds that count, after one warm-up round.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: u32,
    /// Flag that cargo passes to every bench.
    #[arg(long, hide = true)]
    bench: bool,
}

impl Arguments {
    /// Returns the numbers of threads, all above one.
    pub(crate) fn threads(&self) -> Vec<usize> {
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        let mut threads = if self.threads.is_empty() { vec![2, all] } else { self.threads.clone() };
        threads.sort_unstable();
        threads.dedup();
        threads.retain(|&threads| threads > 1);
        threads
    }
}

/// Opens the host with the given number of threads.
pub(crate) fn device(threads: usize) -> Device {
    let options = Options { threads: Some(threads), ..Options::default() };
    CpuBackend::open(&options).and_then(Device::open).expect("the host is a device")
}

/// Times of the runs of one engine, by round.
#[derive(Clone, Default)]
pub(crate) struct Times {
    /// Times from the scenario to its outcome.
    pub(crate) all: Vec<Duration>,
    /// Times of the simulation alone, as reported by the engine.
    pub(crate) simulation: Vec<Duration>,
}

/// Runs engines alternately, `rounds` times after one warm-up round. `run` returns the times of an engine: from
/// scenario to outcome, and of the simulation alone.
pub(crate) fn by_turns(engines: usize, rounds: u32, mut run: impl FnMut(usize) -> (Duration, Duration)) -> Vec<Times> {
    let mut times = vec![Times::default(); engines];
    for round in 0..=rounds as usize {
        // The first engine changes from round to round.
        for turn in 0..engines {
            let engine = (round + turn) % engines;
            let (all, simulation) = run(engine);
            if round > 0 {
                times[engine].all.push(all);
                times[engine].simulation.push(simulation);
            }
        }
    }
    times
}

/// Returns the median rate in millions of events per second.
pub(crate) fn rate(events: u64, times: &[Duration]) -> String {
    let seconds = median(times.iter().map(Duration::as_secs_f64));
    format!("{:.1} M", events as f64 / seconds / 1e6)
}

/// Returns the speed of the second relative to the first, as the median over rounds.
pub(crate) fn ratio(first: &[Duration], second: &[Duration]) -> String {
    let pairs = first.iter().zip(second);
    format!("{:.2}", median(pairs.map(|(first, second)| first.as_secs_f64() / second.as_secs_f64())))
}

/// Prints the head of a table with these columns after that of the names.
pub(crate) fn head(columns: &[String]) {
    println!("| | {} |", columns.join(" | "));
    println!("|{}", " --- |".repeat(1 + columns.len()));
}

/// Prints a row, a cell for each column.
pub(crate) fn row<C>(name: &str, columns: &[C], cell: impl Fn(&C) -> String) {
    let cells: Vec<String> = columns.iter().map(cell).collect();
    println!("| {name} | {} |", cells.join(" | "));
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle).expect("a run or more");
    let lower = if values.len().is_multiple_of(2) { values[middle - 1] } else { upper };
    f64::midpoint(lower, upper)
}
