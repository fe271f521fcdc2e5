//! Timing by repetition.

use serde::Serialize;
use std::time::{Duration, Instant};

/// Times of several runs, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Timing {
    pub(super) median_s: f64,
    /// Lower quartile of the runs.
    pub(super) low_s: f64,
    /// Upper quartile of the runs.
    pub(super) high_s: f64,
    pub(super) runs: usize,
}

/// Smallest number of runs, independently of their length.
const MIN_RUNS: usize = 5;
const MAX_RUNS: usize = 10_000;

/// Runs a function once as a warm-up, then repeatedly for about the given time.
///
/// # Errors
/// Returns errors of `run`.
pub(super) fn time<E>(budget: Duration, mut run: impl FnMut() -> Result<(), E>) -> Result<Timing, E> {
    run()?;
    let mut seconds = Vec::new();
    let begin = Instant::now();
    while seconds.len() < MIN_RUNS || (begin.elapsed() < budget && seconds.len() < MAX_RUNS) {
        let clock = Instant::now();
        run()?;
        seconds.push(clock.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    let at = |part: usize| seconds.get((seconds.len() - 1) * part / 4).copied().unwrap_or_default();
    Ok(Timing { median_s: at(2), low_s: at(1), high_s: at(3), runs: seconds.len() })
}

impl Timing {
    /// Returns the time of one of `count` repetitions in a run.
    pub(super) fn each(self, count: u64) -> Timing {
        let part = |seconds: f64| seconds / count as f64;
        Timing { median_s: part(self.median_s), low_s: part(self.low_s), high_s: part(self.high_s), ..self }
    }

    /// Formats the median, in microseconds.
    pub(super) fn median(&self) -> String {
        format!("{:.3}", self.median_s * 1e6)
    }

    /// Formats the quartiles, in microseconds.
    pub(super) fn spread(&self) -> String {
        format!("{:.3} to {:.3}", self.low_s * 1e6, self.high_s * 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_lies_in_the_middle() {
        let timing = time(Duration::ZERO, || {
            std::thread::sleep(Duration::from_millis(2));
            Ok::<(), ()>(())
        })
        .unwrap();
        assert_eq!(timing.runs, MIN_RUNS);
        assert!(0.002 <= timing.low_s && timing.low_s <= timing.median_s && timing.median_s <= timing.high_s);
        assert!(timing.each(2).median_s < timing.median_s);
    }

    #[test]
    fn an_error_ends_it() {
        assert_eq!(time(Duration::from_secs(9), || Err("no")), Err("no"));
    }
}
