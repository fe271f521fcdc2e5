//! Selection and execution of the cases.

use crate::case::{Case, Group, SkipReason, Stop, fail};
use crate::context::Context;
use crate::expectation::{Expectation, Failing, contains, known_failures};
use crate::groups;
use crate::mode::Mode;
use crate::report::{CaseReport, DeviceReport, ModelDigest, Outcome, Report};
use crate::twin::Twin;
use imminent_core::clock::Instant;
use imminent_core::{Determinism, Device};
use imminent_cpu::{CpuBackend, Options};
use imminent_study::Check;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Progress of a run.
#[derive(Clone, Copy, Debug)]
pub struct Update<'a> {
    /// Number of cases done so far.
    pub done: usize,
    /// Number of cases selected.
    pub total: usize,
    /// Case that has just ended.
    pub case: &'a CaseReport,
    /// Digests of the models so far.
    pub digests: &'a [ModelDigest],
}

type OnUpdate<'d> = Box<dyn FnMut(&Update<'_>) + 'd>;

/// Function that runs a model on a device. Its error is the text of what failed.
pub type RunModel = Arc<dyn Fn(&Device) -> Result<(), String> + Send + Sync>;

/// A run of the suite on a device, to be configured and then executed by [`run`](Suite::run).
///
/// ```
/// use imminent_conformance::{Group, Mode, Suite};
/// # use imminent_core::{Determinism, Device};
/// # use imminent_cpu::{CpuBackend, Options};
///
/// # let device = Device::open(CpuBackend::open(&Options::default())?)?;
/// let mut cases = 0;
/// let report = Suite::new(&device)
///     .mode(Mode::Quick)
///     .group(Group::Faults)
///     .matching("division")
///     .on_update(|update| cases = update.total)
///     .run();
/// assert!(report.passed(), "{}", report.to_text());
/// assert_eq!(report.counts().passed, cases);
/// # Ok::<(), imminent_core::Error>(())
/// ```
pub struct Suite<'d> {
    device: &'d Device,
    mode: Mode,
    groups: Vec<Group>,
    patterns: Vec<String>,
    exceptions: Vec<String>,
    seed: u64,
    expectations: Vec<Expectation>,
    progress: Option<OnUpdate<'d>>,
    done_before: usize,
    /// Number of the part, and of all parts.
    part: (usize, usize),
    in_own_process: bool,
    /// Cases of models outside of this package.
    added: Vec<Case>,
}

impl fmt::Debug for Suite<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Suite")
            .field("device", &self.device.info())
            .field("mode", &self.mode)
            .field("groups", &self.groups)
            .field("patterns", &self.patterns)
            .field("exceptions", &self.exceptions)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

impl<'d> Suite<'d> {
    /// Creates a run of all cases in quick mode, with seed 0, that expects the [known failures](known_failures).
    #[must_use]
    pub fn new(device: &'d Device) -> Self {
        Suite {
            device,
            mode: Mode::Quick,
            groups: Vec::new(),
            patterns: Vec::new(),
            exceptions: Vec::new(),
            seed: 0,
            expectations: known_failures(),
            progress: None,
            done_before: 0,
            part: (0, 1),
            in_own_process: false,
            added: Vec::new(),
        }
    }

    /// Sets the extent of the run.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Selects a group. Several calls select several groups; without a call all groups run.
    #[must_use]
    pub fn group(mut self, group: Group) -> Self {
        self.groups.push(group);
        self
    }

    /// Selects the cases whose group and name, as `kernels: ...`, contain `pattern`, ignoring case. Several calls
    /// select the cases that contain any of the patterns.
    #[must_use]
    pub fn matching(mut self, pattern: impl Into<String>) -> Self {
        self.patterns.push(pattern.into());
        self
    }

    /// Leaves out the cases whose group and name contain `pattern`, ignoring case. Several calls leave out the cases
    /// that contain any of the patterns.
    #[must_use]
    pub fn except(mut self, pattern: impl Into<String>) -> Self {
        self.exceptions.push(pattern.into());
        self
    }

    /// Sets the seed of the random operands.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Adds a case for a model of one's own, in the group of models.
    ///
    /// `run` gets a device that does everything twice: on the device under test, and by native functions. The case
    /// fails for the first launch, primitive or copy after which their data differ.
    #[must_use]
    pub fn model(mut self, name: &str, run: RunModel) -> Self {
        self.added.push(beside_native(format!("{name}: each launch beside the native functions"), run));
        self
    }

    /// Adds a check of a model, in the group of models.
    #[must_use]
    pub fn check(mut self, check: Check) -> Self {
        self.added.push(case_of(check));
        self
    }

    /// Replaces the expected failures.
    #[must_use]
    pub fn expecting(mut self, expectations: Vec<Expectation>) -> Self {
        self.expectations = expectations;
        self
    }

    /// Selects one of `parts` parts of the cases that are selected otherwise: every `parts`-th case from number `part`
    /// on.
    ///
    /// Parts may run at the same time, in processes of their own. [`Report::of_parts`] is the report of all.
    #[must_use]
    pub fn part(mut self, part: usize, parts: usize) -> Self {
        self.part = (part, parts.max(1));
        self
    }

    /// Skips the first `count` of the selected cases, to continue after a case that ended the process.
    #[must_use]
    pub fn after(mut self, count: usize) -> Self {
        self.done_before = count;
        self
    }

    /// Tries the cases that are known [not to end](Failing::WithoutEnd) too. For a run in a process of its own: its
    /// parent ends a case of [`without_end`](Self::without_end) that takes too long, and continues
    /// [after](Self::after) it.
    #[must_use]
    pub fn in_own_process(mut self) -> Self {
        self.in_own_process = true;
        self
    }

    /// Returns the selected cases that are known [not to end](Failing::WithoutEnd) on the device.
    #[must_use]
    pub fn without_end(&self) -> Vec<(Group, String)> {
        let is_endless = |(group, case): &(Group, String)| {
            self.expected(*group, case).is_some_and(|expected| expected.failing == Failing::WithoutEnd)
        };
        self.names().into_iter().filter(is_endless).collect()
    }

    /// Returns the report of a run before its first case: it has no cases.
    #[must_use]
    pub fn begun(&self) -> Report {
        Report::new(DeviceReport::of(self.device), self.mode, self.seed, self.selection())
    }

    /// Calls `f` after every case.
    #[must_use]
    pub fn on_update(mut self, f: impl FnMut(&Update<'_>) + 'd) -> Self {
        self.progress = Some(Box::new(f));
        self
    }

    /// Returns the names of the selected cases, in order.
    #[must_use]
    pub fn names(&self) -> Vec<(Group, String)> {
        self.chosen().into_iter().map(|case| (case.group, case.name)).collect()
    }

    /// Runs the selected cases one after another.
    ///
    /// Never panics and always returns a report, which describes all failures.
    #[must_use]
    pub fn run(mut self) -> Report {
        let started = Instant::now();
        let cases = self.chosen();
        let total = cases.len();
        let mut report = self.begun();
        match CpuBackend::open(&Options { threads: Some(1), ..Options::default() }).and_then(Device::open) {
            Ok(reference) => {
                for (done, case) in (1..).zip(cases).skip(self.done_before) {
                    let ran = self.run_case(&reference, &case, &mut report);
                    if let Some(progress) = &mut self.progress {
                        progress(&Update { done, total, case: &ran, digests: &report.digests });
                    }
                    report.cases.push(ran);
                }
            }
            Err(error) => report.reference_error = Some(error.to_string()),
        }
        report.seconds = started.elapsed().as_secs_f64();
        report
    }

    fn chosen(&self) -> Vec<Case> {
        let mut cases = groups::all();
        cases.extend(self.added.iter().cloned());
        cases.retain(|case| {
            let text = format!("{}: {}", case.group, case.name);
            let has_any = |patterns: &[String]| patterns.iter().any(|pattern| contains(&text, pattern));
            (self.groups.is_empty() || self.groups.contains(&case.group))
                && (self.patterns.is_empty() || has_any(&self.patterns))
                && !has_any(&self.exceptions)
        });
        cases.into_iter().skip(self.part.0).step_by(self.part.1).collect()
    }

    fn selection(&self) -> Option<String> {
        let groups = self.groups.iter().map(|group| format!("group {group}"));
        let patterns = self.patterns.iter().map(|pattern| format!("`{pattern}`"));
        let exceptions = self.exceptions.iter().map(|pattern| format!("without `{pattern}`"));
        let parts: Vec<String> = groups.chain(patterns).chain(exceptions).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    fn expected(&self, group: Group, case: &str) -> Option<&Expectation> {
        self.expectations.iter().find(|expected| expected.covers(self.device.info(), group, case))
    }

    fn run_case(&self, reference: &Device, case: &Case, report: &mut Report) -> CaseReport {
        let expected = self.expected(case.group, &case.name);
        if let Some(Expectation { failing: Failing::WithoutEnd, reference, .. }) = expected
            && !self.in_own_process
        {
            return CaseReport {
                group: case.group,
                name: case.name.clone(),
                outcome: Outcome::Skip { reason: SkipReason::KnownNotToEnd },
                notes: vec![reference.clone()],
                seconds: 0.0,
            };
        }
        let started = Instant::now();
        // Cases with floats compare as precisely as the probe allows.
        let device = self.device.allowing(Determinism::LOOSEST);
        let context = Context::new(&device, reference, self.mode, self.seed);
        let verdict = catch_unwind(AssertUnwindSafe(|| (case.body)(&context)))
            .unwrap_or_else(|payload| Err(Stop::Fail(format!("it panicked: {}", panic_text(payload.as_ref())))));
        // An error that a case leaves behind must not make the next one fail.
        let verdict = match (self.device.queue().wait(), verdict) {
            (Err(error), Ok(()) | Err(Stop::Skip(_))) => {
                Err(Stop::Fail(format!("it left an error on the queue: {error}")))
            }
            (_, verdict) => verdict,
        };
        let (notes, digests) = context.into_findings();
        report.digests.extend(digests);
        CaseReport {
            group: case.group,
            name: case.name.clone(),
            outcome: judge(verdict, expected),
            notes,
            seconds: started.elapsed().as_secs_f64(),
        }
    }
}

/// Returns the case that compares a model's run with native functions.
fn beside_native(name: String, run: RunModel) -> Case {
    let body = move |context: &Context<'_>| {
        let twin = Twin::new(context.reference, context.device);
        let ran = run(&twin.open().map_err(|error| Stop::Fail(error.to_string()))?);
        match (twin.divergence(), ran) {
            (Some(divergence), _) => fail(divergence.to_string()),
            (None, Err(error)) => fail(error),
            (None, Ok(())) if twin.compared() == 0 => fail("it executed nothing on the device"),
            (None, Ok(())) => Ok(()),
        }
    };
    Case { group: Group::Models, name, body: Arc::new(body) }
}

/// Returns the case of a model's check.
fn case_of(check: Check) -> Case {
    let name = check.name.to_owned();
    let body = move |context: &Context<'_>| {
        let (verdict, digests) = check.test(context.device);
        digests.into_iter().for_each(|(simulation, digest)| context.digest(simulation, digest));
        verdict.or_else(|fault| fail(fault.to_string()))
    };
    Case { group: Group::Models, name, body: Arc::new(body) }
}

/// Returns the outcome of a verdict, with regard to an expected failure.
fn judge(verdict: Result<(), Stop>, expected: Option<&Expectation>) -> Outcome {
    match (verdict, expected) {
        (Ok(()), Some(Expectation { reference, failing: Failing::Always | Failing::WithoutEnd, .. })) => {
            Outcome::UnexpectedPass { reference: reference.clone() }
        }
        (Ok(()), _) => Outcome::Pass,
        (Err(Stop::Fail(message)), None) => Outcome::Fail { message },
        (Err(Stop::Fail(message)), Some(Expectation { reference, .. })) => {
            Outcome::ExpectedFail { message, reference: reference.clone() }
        }
        (Err(Stop::Skip(reason)), _) => Outcome::Skip { reason },
    }
}

fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "with no message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expectation() -> Expectation {
        Expectation { reference: "issue 7".to_owned(), ..Expectation::default() }
    }

    #[test]
    fn an_unexpected_pass_is_not_a_pass() {
        assert_eq!(judge(Ok(()), None), Outcome::Pass);
        assert_eq!(judge(Ok(()), Some(&expectation())), Outcome::UnexpectedPass { reference: "issue 7".to_owned() });
        let sometimes = Expectation { failing: Failing::Sometimes, ..expectation() };
        assert_eq!(judge(Ok(()), Some(&sometimes)), Outcome::Pass);
    }

    #[test]
    fn an_expected_failure_keeps_its_message_and_reference() {
        let failed = || Err(Stop::Fail("wrong".to_owned()));
        assert_eq!(judge(failed(), None), Outcome::Fail { message: "wrong".to_owned() });
        let outcome = judge(failed(), Some(&expectation()));
        assert_eq!(outcome, Outcome::ExpectedFail { message: "wrong".to_owned(), reference: "issue 7".to_owned() });
    }

    #[test]
    fn a_case_that_is_known_not_to_end_is_not_tried() {
        let device =
            CpuBackend::open(&Options { threads: Some(1), ..Options::default() }).and_then(Device::open).unwrap();
        let tried: RunModel = Arc::new(|_| Err("tried".to_owned()));
        let endless = Expectation { case: "models: endless".to_owned(), failing: Failing::WithoutEnd, ..expectation() };
        let suite = || {
            let suite = Suite::new(&device).expecting(vec![endless.clone()]).matching("beside the native functions");
            suite.model("endless", Arc::clone(&tried)).model("other", Arc::clone(&tried))
        };
        let report = suite().run();
        let [first, other] = report.cases.as_slice() else { panic!("{}", report.to_text()) };
        assert_eq!(first.outcome, Outcome::Skip { reason: SkipReason::KnownNotToEnd });
        assert_eq!(first.notes, ["issue 7"]);
        assert_eq!(other.outcome, Outcome::Fail { message: "tried".to_owned() });
        let text = report.to_text();
        assert!(text.contains("issue 7") && text.contains("is known not to end it"), "{text}");
        // A process of its own tries it, and a pass shows that the entry is out of date.
        assert_eq!(suite().without_end().len(), 1);
        let report = suite().in_own_process().run();
        let (message, reference) = ("tried".to_owned(), "issue 7".to_owned());
        assert_eq!(report.cases[0].outcome, Outcome::ExpectedFail { message, reference });
        let passes = judge(Ok(()), Some(&endless));
        assert!(matches!(passes, Outcome::UnexpectedPass { .. }), "{passes:?}");
    }

    #[test]
    fn the_parts_of_a_run_are_the_run() {
        let device =
            CpuBackend::open(&Options { threads: Some(1), ..Options::default() }).and_then(Device::open).unwrap();
        let suite = || Suite::new(&device).matching("language: order").matching("an empty table");
        let names = suite().names();
        assert!(names.len() > 7, "{names:?}");
        for parts in [1, 3, names.len() + 1] {
            let reports: Vec<_> = (0..parts).map(|part| suite().part(part, parts).run()).collect();
            assert!(reports.iter().map(|report| report.cases.len()).max() == Some(names.len().div_ceil(parts)));
            let whole = Report::of_parts(reports).unwrap();
            assert!(whole.passed(), "{}", whole.to_text());
            let tried: Vec<_> = whole.cases.iter().map(|case| (case.group, case.name.clone())).collect();
            assert_eq!(tried, names);
        }
        assert!(Report::of_parts(Vec::new()).is_none());
    }

    #[test]
    fn a_skip_stays_a_skip() {
        let outcome = judge(Err(Stop::Skip(SkipReason::LacksFloat64)), Some(&expectation()));
        assert_eq!(outcome, Outcome::Skip { reason: SkipReason::LacksFloat64 });
    }
}
