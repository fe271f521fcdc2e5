//! Test of a device in a separate process: a driver that ends its process ends one case, not the whole table. Neither
//! does one that does not end a case that is known for it.
//!
//! The process writes lines of JSON: one at the start, then one per case, and one at the end.

use super::watch::Watch;
use imminent::conformance::{CaseReport, Group, ModelDigest, Report, Suite};
use imminent_console::Failure;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
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

fn say(line: &Line) -> Result<(), Failure> {
    let text = serde_json::to_string(line).map_err(Failure::run)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(Failure::run)
}

/// Tests a device by running `imminent` with these arguments, and continues after a case that ended the process. At the
/// end of the time, if it has one, the cases so far are returned.
pub(super) fn test(arguments: &[String], label: &str, until: Option<Instant>) -> Result<Tried, String> {
    let program = std::env::current_exe().map_err(|error| format!("{label}: this program cannot be found: {error}"))?;
    let mut received = Received { until, ..Received::new(PATIENCE) };
    let mut ends = 0;
    while ends < MAX_ENDS {
        let mut process = Command::new(&program)
            .args(arguments)
            .args(["--tell-after", &received.cases().to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{label}: no process could be started for it: {error}"))?;
        // Both pipes are read at once: a process with a full pipe would block.
        let complaints =
            process.stderr.take().map(|error| std::thread::spawn(move || last_line(BufReader::new(error))));
        let is_late = process.stdout.take().is_some_and(|out| !received.listen(&lines_of(out)));
        if is_late {
            // A process that has just ended by itself is as good.
            let _ = process.kill();
        }
        let ended = process.wait().map_err(|error| format!("{label}: {error}"))?;
        let complaint = complaints.and_then(|thread| thread.join().ok()).unwrap_or_default();
        let message = match is_late {
            true => format!("it did not end within {} s", received.patience.as_secs()),
            false => format!("it ended its process ({ended}): {complaint}"),
        };
        if is_late && received.is_over() {
            break;
        }
        ends += usize::from(!received.expects_an_end());
        if received.done || !received.lose_a_case(message) {
            return received.tried().ok_or_else(|| format!("{label}: {complaint} ({ended})"));
        }
    }
    received.tried().ok_or_else(|| format!("{label}: it was not opened in time"))
}

/// Cases of a device that were tried.
pub(crate) struct Tried {
    pub(crate) report: Report,
    /// Number of cases that no time was left for, and the name of the first.
    pub(crate) untried: usize,
    pub(crate) next: Option<String>,
}

/// Returns the lines that a process writes, read by a thread of their own.
fn lines_of(out: impl Read + Send + 'static) -> Receiver<Line> {
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        let read = BufReader::new(out).lines().map_while(Result::ok);
        for line in read.filter_map(|line| serde_json::from_str(&line).ok()) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// Returns the last line that is not blank.
fn last_line(lines: impl BufRead) -> String {
    lines.lines().map_while(Result::ok).filter(|line| !line.trim().is_empty()).last().unwrap_or_default()
}

/// Lines of the process so far.
struct Received {
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
    fn new(patience: Duration) -> Self {
        let (names, without_end) = (Vec::new(), Vec::new());
        Received { report: None, names, without_end, patience, until: None, watch: None, done: false }
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
                let watch = Watch::new(format!("{} {}", report.device.backend, report.device.name), names.len());
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

    #[test]
    fn a_case_that_ends_the_process_or_does_not_end_is_lost_and_no_other() {
        let device = imminent::open(&DeviceSelection::backend("cpu")).unwrap();
        let suite = Suite::new(&device).mode(Mode::Quick).matching("an empty table");
        let (begun, names) = (suite.begun(), suite.names());
        assert!(names.len() > 1, "{names:?}");
        let whole = suite.run();
        let mut received = Received::new(Duration::from_millis(1));
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
