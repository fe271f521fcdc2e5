//! Progress of a running suite: a bar on a terminal. Standard error always gets each failure as it is found, and each
//! group at its end, so an interrupted run has reported its findings.

use imminent::conformance::{CaseReport, Counts};
use imminent_console::progress::Bar;

/// Running suite.
#[derive(Debug)]
pub(super) struct Watch {
    bar: Bar,
    device: String,
    /// Number of cases, and of completed cases.
    cases: usize,
    done: usize,
    /// Reports of the current group.
    group: Vec<CaseReport>,
}

impl Watch {
    /// Watches a suite of `cases` cases on a device.
    pub(super) fn new(device: String, cases: usize) -> Watch {
        let bar = Bar::new(cases as u64, "cases");
        bar.say(device.clone());
        Watch { bar, device, cases, done: 0, group: Vec::new() }
    }

    /// Reports a completed case.
    pub(super) fn case(&mut self, case: &CaseReport) {
        if self.group.last().is_some_and(|last| last.group != case.group) {
            self.end_group();
        }
        if case.outcome.is_failure() {
            let (word, detail) = (case.outcome.word(), case.outcome.detail());
            self.bar.line(&format!("{}: {word}  {}: {}\n    {detail}", self.device, case.group, case.name));
        }
        self.done += 1;
        self.bar.done(self.done as u64);
        self.group.push(case.clone());
        if self.done == self.cases {
            self.end_group();
        }
    }

    fn end_group(&mut self) {
        if let Some(case) = self.group.first() {
            self.bar.line(&format!("{}: {}: {}", self.device, case.group, Counts::of(&self.group)));
        }
        self.group.clear();
    }
}
