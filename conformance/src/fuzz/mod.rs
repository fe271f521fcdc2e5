//! Random kernels on random data: compares the results of a device with the kernels' IR.
//!
//! ```no_run
//! # fn run(device: &imminent_core::Device) -> Result<(), Box<dyn std::error::Error>> {
//! let report = imminent_conformance::Fuzz::new(device).cases(1000).seed(7).run()?;
//! assert!(report.failure.is_none(), "{report}");
//! # Ok(()) }
//! ```
//!
//! A kernel is generated from a list of numbers; any list gives a well-formed kernel that ends. Kernels use every
//! integer type, arrays, structs, enums and lanes of random layouts, rows of other tables, and tallies. They also use
//! loops, calls, early returns, faults, groups with phases and votes, subsets of rows and every reduction. Floats are
//! used if the device rounds correctly, without results that no device guarantees: the sign and payload of a NaN, and
//! the order of zeros of both signs. The expected result is that of the [interpreter](imminent_core::ir::interpret),
//! which the tests of `core` compare with native functions. The CPU backend runs native functions alone, so it cannot
//! run generated kernels.

pub(crate) mod compare;
pub(crate) mod device;
mod generate;
pub(crate) mod given;
pub(crate) mod oracle;
mod regression;
mod simpler;
pub(crate) mod text;

pub use regression::Regression;

use generate::Abilities;
use imminent_core::clock::Instant;
use imminent_core::ir::Module;
use imminent_core::ir::interpret::Stuck;
use imminent_core::{Device, Error};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::time::Duration;

/// A run of the fuzzer on one device.
pub struct Fuzz<'d> {
    device: &'d Device,
    cases: u32,
    seed: u64,
    shrinking: Duration,
    update: Option<Box<dyn Fn(u32) + 'd>>,
    failed: Option<OnFailure<'d>>,
    begun: Option<OnBegin<'d>>,
}

/// Function that is called with a kernel before it runs.
type OnBegin<'d> = Box<dyn Fn(&Regression) + 'd>;

/// Function that is called with a failure.
type OnFailure<'d> = Box<dyn Fn(&FuzzFailure) + 'd>;

/// Result of a run.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct FuzzReport {
    /// Number of kernels that ran and gave the results of their IR.
    pub agreed: u32,
    /// Number of kernels that were not compared, since they would have run for too long.
    pub given_up: u32,
    /// Reason why the device cannot run the kernel that is [repeated](Regression::again), so that nothing was compared.
    pub refused: Option<String>,
    /// Simplest kernel found on which the device differs; the run ended there.
    pub failure: Option<FuzzFailure>,
}

/// A kernel on which a device differs from the IR.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct FuzzFailure {
    /// Description of the difference, or the device's error.
    pub message: String,
    /// Kernel, with the seed of its data.
    pub case: Regression,
    /// Code that the backend generated, if it did.
    pub generated: String,
}

/// Largest length of the list of numbers from which a kernel is made.
const NUMBERS: usize = 900;
/// Number of trials of simpler kernels made from other numbers.
const SHRINKING: u32 = 1500;
/// Default time limit of the search for simpler kernels.
const SHRINKING_TIME: Duration = Duration::from_secs(90);

impl<'d> Fuzz<'d> {
    /// Creates a run of 256 kernels with seed 0, and 90 s to search for a simpler kernel that fails.
    #[must_use]
    pub fn new(device: &'d Device) -> Fuzz<'d> {
        Fuzz { device, cases: 256, seed: 0, shrinking: SHRINKING_TIME, update: None, failed: None, begun: None }
    }

    /// Sets the number of kernels.
    #[must_use]
    pub fn cases(mut self, cases: u32) -> Self {
        self.cases = cases;
        self
    }

    /// Sets the seed: other seeds give other kernels.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets the time limit of the search for simpler kernels that fail. A trial that has begun is finished.
    #[must_use]
    pub fn shrinking_for(mut self, time: Duration) -> Self {
        self.shrinking = time;
        self
    }

    /// Calls a function with the first kernel that fails, as it was found, before simpler ones are tried.
    #[must_use]
    pub fn on_failure(mut self, failed: impl Fn(&FuzzFailure) + 'd) -> Self {
        self.failed = Some(Box::new(failed));
        self
    }

    /// Calls a function with each kernel before it is tried: a driver may end the process.
    #[must_use]
    pub fn on_begin(mut self, begun: impl Fn(&Regression) + 'd) -> Self {
        self.begun = Some(Box::new(begun));
        self
    }

    /// Calls a function with the number of kernels tried, after each.
    #[must_use]
    pub fn on_update(mut self, update: impl Fn(u32) + 'd) -> Self {
        self.update = Some(Box::new(update));
        self
    }

    /// Tries kernels until one fails.
    ///
    /// # Errors
    /// [`Error::Invalid`] for the CPU backend, whose kernels rustc compiles ahead.
    pub fn run(self) -> Result<FuzzReport, Error> {
        runs_made_kernels(self.device)?;
        let abilities = abilities(self.device);
        let config = Config {
            cases: self.cases,
            max_shrink_iters: SHRINKING,
            failure_persistence: None,
            max_global_rejects: u32::MAX,
            ..Config::default()
        };
        let mut runner = TestRunner::new_with_rng(config, random(self.seed));
        let (agreed, given_up, lost) = (Cell::new(0), Cell::new(0), RefCell::new(None));
        let failed: Cell<Option<Instant>> = Cell::new(None);
        let begin = |case: &Regression| self.begun.iter().for_each(|begun| begun(case));
        // `true` if no time is left for simpler kernels.
        let over = || failed.get().is_some_and(|since| since.elapsed() >= self.shrinking);
        let strategy = (vec(any::<u16>(), 0..NUMBERS), 0_usize..40, any::<u32>());
        let outcome = runner.run(&strategy, |(numbers, size, data)| {
            if lost.borrow().is_some() || over() {
                // No further trials: the kernel stays as it is.
                return Ok(());
            }
            let case = Regression { module: generate::module(&numbers, abilities), size, data: u64::from(data) };
            begin(&case);
            let verdict = case.verdict(self.device);
            match &verdict {
                Verdict::Agrees if failed.get().is_none() => agreed.set(agreed.get() + 1),
                Verdict::TooLong if failed.get().is_none() => given_up.set(given_up.get() + 1),
                Verdict::Differs(message)
                | Verdict::Refused(message)
                | Verdict::Lost(message)
                | Verdict::IllFormed(message)
                    if failed.get().is_none() =>
                {
                    if let Some(on_failure) = &self.failed {
                        on_failure(&case.clone().failure(self.device, message.clone()));
                    }
                    failed.set(Some(Instant::now()));
                }
                _ => {}
            }
            if let Verdict::Lost(message) = &verdict {
                *lost.borrow_mut() = Some(message.clone());
            }
            if let Some(update) = &self.update {
                update(agreed.get() + given_up.get());
            }
            match verdict {
                Verdict::Agrees | Verdict::TooLong => Ok(()),
                Verdict::Differs(message)
                | Verdict::Refused(message)
                | Verdict::Lost(message)
                | Verdict::IllFormed(message) => Err(TestCaseError::fail(message)),
            }
        });
        let failure = match outcome {
            Ok(()) => None,
            Err(TestError::Fail(_, (numbers, size, data))) => {
                let case = Regression { module: generate::module(&numbers, abilities), size, data: u64::from(data) };
                Some(match lost.into_inner() {
                    Some(message) => case.failure(self.device, message),
                    None => case.simplest(self.device, &over, &begin),
                })
            }
            Err(TestError::Abort(reason)) => return Err(Error::invalid("fuzz", reason.to_string())),
        };
        Ok(FuzzReport { agreed: agreed.get(), given_up: given_up.get(), refused: None, failure })
    }
}

/// Returns modules of one random kernel each, which use everything optional: work for a compiler that needs no device.
#[must_use]
pub fn random_modules(count: usize, seed: u64) -> Vec<Module> {
    let abilities = Abilities { f32: true, f64: true, wide_tally_min_max: true };
    let mut runner = TestRunner::new_with_rng(Config::default(), random(seed));
    let numbers = vec(any::<u16>(), 0..NUMBERS);
    let made = std::iter::repeat_with(|| numbers.new_tree(&mut runner)).take(count).flatten();
    made.map(|numbers| generate::module(&numbers.current(), abilities)).collect()
}

fn random(seed: u64) -> TestRng {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
}

/// Fails for a device that cannot run kernels generated at run time.
fn runs_made_kernels(device: &Device) -> Result<(), Error> {
    if device.capabilities().native_rows {
        return Err(Error::invalid(
            "fuzz",
            "the CPU backend runs native functions, which cannot be made while a program runs: choose another --backend. \
             The tests of imminent-core compare native functions with the interpreter that is the reference here",
        ));
    }
    Ok(())
}

/// Returns `true` for an error that says that the device cannot run a kernel, which other devices may.
pub(crate) const fn refuses(error: &Error) -> bool {
    matches!(error, Error::Unsupported { .. } | Error::Limit { .. } | Error::Determinism { .. })
}

/// Result of a kernel.
enum Verdict {
    Agrees,
    TooLong,
    Differs(String),
    /// The device cannot run the kernel, for this reason: a failure of a new kernel, which uses what the device has.
    Refused(String),
    /// The device stopped working, for all later kernels too.
    Lost(String),
    /// The kernel means nothing, for this reason: a mistake of the generator, or in a file.
    IllFormed(String),
}

fn abilities(device: &Device) -> Abilities {
    let capabilities = device.capabilities();
    let good =
        |probe: &Option<imminent_core::FloatProbe>| probe.as_ref().is_some_and(|probe| probe.defects().is_empty());
    Abilities {
        f32: good(&capabilities.f32),
        f64: capabilities.float64 && good(&capabilities.f64),
        wide_tally_min_max: capabilities.tally_min_max_64,
    }
}

impl fmt::Display for FuzzReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reason) = &self.refused {
            return write!(f, "ignored, {reason}");
        }
        write!(f, "{} random kernels agree with their IR, {} were given up", self.agreed, self.given_up)?;
        match &self.failure {
            None => Ok(()),
            Some(failure) => write!(f, ", and one differs: {}\n{}", failure.message, failure.generated),
        }
    }
}

impl fmt::Debug for Fuzz<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fuzz").field("cases", &self.cases).field("seed", &self.seed).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
