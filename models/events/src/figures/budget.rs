//! Measurement of a study within a time budget, from a part of its events.

use crate::benchmarks::timed::TimedRun;
use imminent_study::laboratory::Fault;
use serde::Serialize;

/// Largest number of runs of a point, of which the median counts.
const MAX_RUNS: usize = 5;

/// Possible ratios of the lengths of two successive trials; the largest that fits into the time is taken.
const LONGER: [u32; 3] = [8, 4, 2];

/// Measured times of a study.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(into = "Columns")]
pub(super) struct StudyTimes {
    /// Median run, over the part of the study that was run.
    pub(super) ran: TimedRun,
    pub(super) runs: usize,
    /// Number of events of the whole study.
    pub(super) events_of_all: f64,
}

/// Columns of the times of a study; times are in seconds.
#[derive(Serialize)]
struct Columns {
    mapping_at_the_end: String,
    events: u64,
    events_of_all: f64,
    steps: u64,
    runs: usize,
    seconds: f64,
    seconds_of_all: f64,
    events_per_s: f64,
}

impl From<StudyTimes> for Columns {
    fn from(times: StudyTimes) -> Self {
        let StudyTimes { ran, runs, events_of_all } = times;
        Columns {
            mapping_at_the_end: ran.mapping.map_or_else(String::new, |it| it.to_string()),
            events: ran.events,
            events_of_all,
            steps: ran.steps,
            runs,
            seconds: ran.seconds,
            seconds_of_all: times.seconds_of_all(),
            events_per_s: times.events_per_second(),
        }
    }
}

impl StudyTimes {
    pub(super) fn events_per_second(&self) -> f64 {
        self.ran.events as f64 / self.ran.seconds
    }

    /// Estimates the time of the whole study, if each event takes as long as the measured ones.
    pub(super) fn seconds_of_all(&self) -> f64 {
        if self.ran.events == 0 { self.ran.seconds } else { self.events_of_all / self.events_per_second() }
    }

    /// Returns the share of the whole that was run.
    pub(super) fn share(&self) -> f64 {
        self.ran.events as f64 / self.events_of_all
    }
}

/// Runs a study as far as a budget of seconds allows. It starts with one event at each module. Then it runs two, four
/// or eight times as many while they are expected to fit into the budget, up to the `whole`. The last length is then
/// repeated, up to [`MAX_RUNS`] times. Only the time of runs counts, and one run is always made.
pub(super) fn measure(
    whole: u32,
    budget: f64,
    mut run: impl FnMut(u32) -> Result<TimedRun, Fault>,
) -> Result<(TimedRun, usize), Fault> {
    let mut amount = 1.min(whole);
    let mut ran = run(amount)?;
    let mut spent = ran.seconds;
    while amount < whole {
        let fits = |times: &u32| {
            let next = amount.saturating_mul(*times).min(whole);
            let expected = ran.seconds * f64::from(next) / f64::from(amount);
            (spent + expected <= budget).then_some(next)
        };
        let Some(next) = LONGER.iter().find_map(fits) else { break };
        amount = next;
        ran = run(amount)?;
        spent += ran.seconds;
    }
    let mut all = vec![ran];
    while all.len() < MAX_RUNS && spent + ran.seconds <= budget {
        let again = run(amount)?;
        spent += again.seconds;
        all.push(again);
    }
    all.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    Ok((all.get(all.len() / 2).copied().unwrap_or(ran), all.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates runs that take a constant time and some for each event; returns the number of events in each.
    fn runs(whole: u32, budget: f64, [constant, event]: [f64; 2]) -> (Vec<u32>, TimedRun, usize) {
        let mut amounts = vec![];
        let run = |amount| {
            amounts.push(amount);
            let seconds = constant + event * f64::from(amount);
            Ok(TimedRun { seconds, events: u64::from(amount), steps: 0, mapping: None, speculation: None })
        };
        let (ran, runs) = measure(whole, budget, run).unwrap();
        (amounts, ran, runs)
    }

    #[test]
    fn studies_are_run_whole_where_there_is_time() {
        let (amounts, ran, count) = runs(300, 1.0, [0.0, 1e-5]);
        assert_eq!(amounts, [1, 8, 64, 300, 300, 300, 300, 300]);
        assert_eq!((ran.events, count), (300, 5));
        let all = StudyTimes { ran, runs: count, events_of_all: 300.0 };
        assert_eq!((all.share(), all.seconds_of_all()), (1.0, ran.seconds));
    }

    #[test]
    fn studies_are_cut_where_there_is_none_and_told_as_a_whole() {
        let (amounts, ran, count) = runs(300, 1.0, [0.0, 0.01]);
        // 0.01, 0.08 and 0.64 s: twice as many again would be too long, and so would a repetition.
        assert_eq!((amounts, count), (vec![1, 8, 64], 1));
        let all = StudyTimes { ran, runs: count, events_of_all: 300.0 };
        assert!((all.seconds_of_all() - 3.0).abs() < 1e-9 && (all.share() - 64.0 / 300.0).abs() < 1e-9, "{all:?}");
    }

    #[test]
    fn one_run_is_made_whatever_it_takes() {
        let (amounts, ran, count) = runs(300, 0.001, [0.0, 1.0]);
        assert_eq!((amounts, ran.events, count), (vec![1], 1, 1));
        let (amounts, ..) = runs(1, 0.001, [0.0, 1.0]);
        assert_eq!(amounts, [1]);
    }

    #[test]
    fn what_a_run_takes_beside_events_does_not_hide_that_there_is_time() {
        let (amounts, ..) = runs(300, 1.1, [0.2, 0.0]);
        assert_eq!(amounts, [1, 4, 8, 16, 16]);
    }
}
