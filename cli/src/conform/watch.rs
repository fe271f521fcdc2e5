//! Progress of a suite while it runs: a bar on a terminal; and, wherever standard error leads, every failure when it is
//! found and every group when it is done. So a run that is cut short has told what it found.

use crate::progress::Bar;
use imminent::conformance::{CaseReport, Counts};

/// A suite that is running.
#[derive(Debug)]
pub(super) struct Watch {
    bar: Bar,
    device: String,
    /// Cases in all, and those done.
    cases: usize,
    done: usize,
    /// The cases of the group that is running.
    group: Vec<CaseReport>,
}

impl Watch {
    /// Watches a suite of so many cases on a device.
    pub(super) fn new(device: String, cases: usize) -> Watch {
        let bar = Bar::new(cases as u64, "cases");
        bar.say(device.clone());
        Watch { bar, device, cases, done: 0, group: Vec::new() }
    }

    /// Tells of a case that has ended.
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
