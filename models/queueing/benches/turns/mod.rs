//! Runs that take turns in one process, and tables of what they took.

use clap::Parser;
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use std::time::Duration;

/// What a bench is told on the command line.
#[derive(Parser)]
pub(crate) struct Arguments {
    /// Numbers of threads beside one; 2 and as many as the host has, if none are given.
    threads: Vec<usize>,
    /// Rounds that count, after one that does not.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: u32,
    /// What cargo says to every bench.
    #[arg(long, hide = true)]
    bench: bool,
}

impl Arguments {
    /// Numbers of threads, all above one.
    pub(crate) fn threads(&self) -> Vec<usize> {
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        let mut threads = if self.threads.is_empty() { vec![2, all] } else { self.threads.clone() };
        threads.sort_unstable();
        threads.dedup();
        threads.retain(|&threads| threads > 1);
        threads
    }
}

/// The host with so many threads.
pub(crate) fn device(threads: usize) -> Device {
    let options = Options { threads: Some(threads), ..Options::default() };
    CpuBackend::open(&options).and_then(Device::open).expect("the host is a device")
}

/// What the runs of one engine took, round by round.
#[derive(Clone, Default)]
pub(crate) struct Times {
    /// From the scenario to its outcome.
    pub(crate) all: Vec<Duration>,
    /// What the engine tells of the simulation alone.
    pub(crate) simulation: Vec<Duration>,
}

/// Runs engines by turns, `rounds` times after once that does not count: `run` gives what the engine of a number took, from scenario to outcome and for the simulation alone.
pub(crate) fn by_turns(engines: usize, rounds: u32, mut run: impl FnMut(usize) -> (Duration, Duration)) -> Vec<Times> {
    let mut times = vec![Times::default(); engines];
    for round in 0..=rounds as usize {
        // Who comes first changes from round to round.
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

/// Millions of events a second, by the median.
pub(crate) fn rate(events: u64, times: &[Duration]) -> String {
    let seconds = median(times.iter().map(Duration::as_secs_f64));
    format!("{:.1} M", events as f64 / seconds / 1e6)
}

/// How many times as fast the second is, by the median over rounds.
pub(crate) fn ratio(first: &[Duration], second: &[Duration]) -> String {
    let pairs = first.iter().zip(second);
    format!("{:.2}", median(pairs.map(|(first, second)| first.as_secs_f64() / second.as_secs_f64())))
}

/// Prints a table with these columns after that of the names.
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
