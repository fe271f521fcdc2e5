//! Test of a device in a separate process: a driver that ends its process ends one case, not the whole table. A
//! case that is known not to end is ended after a minute.
//!
//! The process writes lines of JSON: one at the start, then one per case, and one at the end.

use super::watch::Watch;
use crate::child::{self, say};
use imminent::conformance::{CaseReport, Group, ModelDigest, Report, Suite};
use imminent_console::Failure;
use serde::{Deserialize, Serialize};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Largest number of cases that may end their process before the rest is skipped.
const MAX_ENDS: usize = 16;

/// Time for a case that is known not to end.
const PATIENCE: Duration = Duration::from_secs(60);

/// Line that the process writes.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    /// Start of the suite: the report so far, the names of the cases, and of those that are known not to end.
    Begun { report: Box<Report>, names: Vec<(Group, String)>, without_end: Vec<(Group, String)> },
    /// End of a case.
    Case { case: Box<CaseReport>, digests: Vec<ModelDigest> },
    /// End of all cases, with the time in seconds.
    Done { seconds: f64, reference_error: Option<String> },
}

/// Runs a suite, and reports every step on standard output.
pub(super) fn write_lines(suite: Suite<'_>) -> Result<(), Failure> {
    let suite = suite.in_own_process();
    let (report, names, without_end) = (Box::new(suite.begun()), suite.names(), suite.without_end());
    say(&Line::Begun { report, names, without_end })?;
    let report = suite
        .on_update(|update| {
            // The reader is gone; the suite ends on its own.
            let _ = say(&Line::Case { case: Box::new(update.case.clone()), digests: update.digests.to_vec() });
        })
        .run();
    say(&Line::Done { seconds: report.seconds, reference_error: report.reference_error })
}

/// Reason why no case of a device was tried.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Untested {
    #[error("{0}: it was not opened in time")]
    NoTime(String),
    #[error("{0}")]
    Refused(String),
}

/// Tests a device by running `imminent` with these arguments for one of several parts of the cases, and continues
/// after a case that ended the process. At the end of the time, if it has one, the cases so far are returned.
fn test(arguments: &[String], part: Part, label: &str, until: Option<Instant>) -> Result<Tried, Untested> {
    let refused = |reason: String| Untested::Refused(format!("{label}: {reason}"));
    let mut received = Received { until, ..Received::new(part, PATIENCE) };
    let mut ends = 0;
    while ends < MAX_ENDS && !received.is_over() {
        let mut command = child::program().map_err(refused)?;
        command.args(arguments).args(["--part", &part.number.to_string(), &part.of.to_string()]);
        command.args(["--tell-after", &received.cases().to_string()]);
        let ended = child::run(command, |lines| received.listen(lines)).map_err(refused)?;
        if ended.is_late && received.is_over() {
            break;
        }
        let message = match ended.is_late {
            true => format!("it did not end within {} s", received.patience.as_secs()),
            false => format!("it ended its process ({}): {}", ended.status, ended.complaint),
        };
        ends += usize::from(!received.expects_an_end());
        if received.done || !received.lose_a_case(message) {
            return received.tried().ok_or_else(|| refused(format!("{} ({})", ended.complaint, ended.status)));
        }
    }
    received.tried().ok_or_else(|| Untested::NoTime(label.to_owned()))
}

/// Tests a device by several processes at the same time, each of which has a part of the cases.
pub(super) fn test_in_parts(
    arguments: &[String],
    parts: usize,
    label: &str,
    until: Option<Instant>,
) -> Result<Tried, Untested> {
    let ended = || Err(Untested::Refused(format!("{label}: the test ended by itself")));
    let tried = std::thread::scope(|scope| {
        let part = |number| Part { number, of: parts };
        let tests: Vec<_> =
            (0..parts).map(|number| scope.spawn(move || test(arguments, part(number), label, until))).collect();
        tests.into_iter().map(|test| test.join().unwrap_or_else(|_| ended())).collect::<Result<Vec<_>, _>>()
    })?;
    let (untried, next) =
        (tried.iter().map(|part| part.untried).sum(), tried.iter().find_map(|part| part.next.clone()));
    let report = Report::of_parts(tried.into_iter().map(|part| part.report).collect());
    report.map_or_else(ended, |report| Ok(Tried { report, untried, next }))
}

/// Cases of a device that were tried.
pub(crate) struct Tried {
    pub(crate) report: Report,
    /// Number of cases that no time was left for, and the name of the first.
    pub(crate) untried: usize,
    pub(crate) next: Option<String>,
}

/// One of several parts of the cases, by its number from 0 on.
#[derive(Debug, Clone, Copy)]
struct Part {
    number: usize,
    of: usize,
}

/// Lines of the process so far.
struct Received {
    part: Part,
    report: Option<Report>,
    names: Vec<(Group, String)>,
    /// Cases that are known not to end, and the time for each of them.
    without_end: Vec<(Group, String)>,
    patience: Duration,
    /// End of the time for all cases.
    until: Option<Instant>,
    watch: Option<Watch>,
    done: bool,
}

impl Received {
    fn new(part: Part, patience: Duration) -> Self {
        let (names, without_end) = (Vec::new(), Vec::new());
        Received { part, report: None, names, without_end, patience, until: None, watch: None, done: false }
    }

    fn tried(self) -> Option<Tried> {
        let report = self.report?;
        let mut untried = self.names.get(report.cases.len()..).unwrap_or_default().iter();
        let (count, next) = (untried.len(), untried.next().map(|(group, name)| format!("{group}: {name}")));
        Some(Tried { report, untried: count, next })
    }

    /// Returns `true` if no time is left.
    fn is_over(&self) -> bool {
        self.until.is_some_and(|until| until <= Instant::now())
    }

    fn cases(&self) -> usize {
        self.report.as_ref().map_or(0, |report| report.cases.len())
    }

    /// Returns `true` if the case that comes next is known not to end.
    fn expects_an_end(&self) -> bool {
        self.names.get(self.cases()).is_some_and(|case| self.without_end.contains(case))
    }

    /// Receives lines to their end. Returns `false` if no time is left, or if a case that is known not to end takes too
    /// long.
    fn listen(&mut self, lines: &Receiver<Line>) -> bool {
        loop {
            let patience = if self.expects_an_end() { self.patience } else { Duration::MAX };
            let left = self.until.map_or(Duration::MAX, |until| until.saturating_duration_since(Instant::now()));
            let patience = patience.min(left);
            match lines.recv_timeout(patience) {
                Ok(line) => self.receive(line),
                Err(RecvTimeoutError::Timeout) => return false,
                Err(RecvTimeoutError::Disconnected) => return true,
            }
        }
    }

    fn receive(&mut self, line: Line) {
        match (line, &mut self.report) {
            (Line::Begun { report, names, without_end }, None) => {
                let mut device = format!("{} {}", report.device.backend, report.device.name);
                if let Part { number, of: of @ 2.. } = self.part {
                    device += &format!(", part {} of {of}", number + 1);
                }
                let watch = Watch::new(device, names.len());
                (self.report, self.names, self.watch) = (Some(*report), names, Some(watch));
                self.without_end = without_end;
            }
            (Line::Case { case, digests }, Some(report)) => {
                if let Some(watch) = &mut self.watch {
                    watch.case(&case);
                }
                report.cases.push(*case);
                for digest in digests {
                    if !report.digests.contains(&digest) {
                        report.digests.push(digest);
                    }
                }
            }
            (Line::Done { seconds, reference_error }, Some(report)) => {
                report.seconds += seconds;
                report.reference_error = reference_error;
                self.done = true;
            }
            _ => {}
        }
    }

    /// Counts the case that ran when the process ended as failed. Returns `false` if there was none.
    fn lose_a_case(&mut self, message: String) -> bool {
        let Some(report) = &mut self.report else { return false };
        let Some((group, name)) = self.names.get(report.cases.len()) else { return false };
        report.lose_case(*group, name, message);
        if let (Some(watch), Some(case)) = (&mut self.watch, report.cases.last()) {
            watch.case(case);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use imminent::DeviceSelection;
    use imminent::conformance::Mode;
    use std::sync::mpsc;

    /// The process is that of the tests, which does not know the argument.
    #[test]
    fn a_process_that_ends_at_once_is_refused_and_only_one_without_time_is_not() {
        let ended =
            |until| test_in_parts(&["--no-such-option".to_owned()], 2, "cpu 0", Some(until)).map(drop).unwrap_err();
        let now = Instant::now();
        let refused = ended(now + Duration::from_secs(600));
        assert!(matches!(&refused, Untested::Refused(reason) if reason.starts_with("cpu 0: ")), "{refused}");
        let late = ended(now);
        assert!(
            matches!(late, Untested::NoTime(_)) && late.to_string() == "cpu 0: it was not opened in time",
            "{late}"
        );
    }

    #[test]
    fn a_case_that_ends_the_process_or_does_not_end_is_lost_and_no_other() {
        let device = imminent::open(&DeviceSelection::backend("cpu")).unwrap();
        let suite = Suite::new(&device).mode(Mode::Quick).matching("an empty table");
        let (begun, names) = (suite.begun(), suite.names());
        assert!(names.len() > 1, "{names:?}");
        let whole = suite.run();
        let mut received = Received::new(Part { number: 0, of: 1 }, Duration::from_millis(1));
        let (sender, lines) = mpsc::channel();
        let without_end = names[..1].to_vec();
        sender.send(Line::Begun { report: Box::new(begun), names, without_end }).unwrap();
        // The process neither says more nor ends: the first case is known for that.
        assert!(!received.listen(&lines) && received.expects_an_end());
        assert!(received.lose_a_case("it did not end".to_owned()) && !received.expects_an_end());
        for case in &whole.cases[1..] {
            received.receive(Line::Case { case: Box::new(case.clone()), digests: Vec::new() });
        }
        received.receive(Line::Done { seconds: 1.0, reference_error: None });
        let report = received.report.unwrap();
        assert!(received.done && report.cases[0].outcome.is_failure());
        assert_eq!(report.cases[1..], whole.cases[1..]);
        assert!(!report.passed());
    }
}
