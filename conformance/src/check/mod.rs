//! Kernels of other people: every kernel of a module on random rows, against its native function.
//!
//! ```
//! # #[imminent_core::kernels] mod plant {
//! #     #[derive(Row)] pub struct Machine { pub failures: u32 }
//! #     #[kernel] pub fn fail(me: &mut Machine) { me.failures += 1; }
//! # }
//! use imminent_conformance::{KernelCheck, KernelOutcome};
//! # use imminent_core::Device;
//! # use imminent_cpu::{CpuBackend, Options};
//!
//! # let device = Device::open(CpuBackend::open(&Options::default())?)?;
//! for kernel in KernelCheck::new().run(&device, plant::source())? {
//!     assert!(matches!(kernel.outcome, KernelOutcome::Agrees { .. }), "{kernel}");
//! }
//! # Ok::<(), imminent_core::Error>(())
//! ```
//!
//! On a device the native function on one thread is the expected result. On the CPU backend, which runs that function,
//! it is the [interpreter](imminent_core::ir::interpret) of the kernel's IR. Half of the launches have mostly edge
//! values, half mostly small numbers, as indices and times are. A launch that executes too many statements is given up,
//! since random data may make a loop endless.

mod every;
mod shrink;

pub use every::KernelReports;

use crate::fuzz::compare::{Difference, difference};
use crate::fuzz::device::{Built, run as run_on};
use crate::fuzz::given::{Launched, Values};
use crate::fuzz::oracle::{self, Outcome};
use crate::fuzz::{refuses, text};
use imminent_core::ir::flatten::visit::{Visitor, walk};
use imminent_core::ir::interpret::Stuck;
use imminent_core::ir::{Kernel, Module, ParamKind, Stmt, StmtKind, WordOp, flatten};
use imminent_core::native::natives;
use imminent_core::{Device, Error, KernelSource, ModuleSource};
use imminent_cpu::{CpuBackend, Options};
use serde::Serialize;
use std::fmt;
use std::ops::ControlFlow;

/// Limit of the statements of a launch.
const FUEL: u64 = 50_000;

/// A comparison of the kernels of modules with their native functions.
#[derive(Clone, Copy, Debug)]
pub struct KernelCheck {
    launches: u32,
    seed: u64,
}

/// Result of one kernel on one device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct KernelReport {
    /// Module and name of the kernel, as `plant::step`.
    pub kernel: String,
    /// Backend, number and name of the device.
    pub device: String,
    /// Result of the comparison.
    #[serde(flatten)]
    pub outcome: KernelOutcome,
}

/// Result of the comparison of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum KernelOutcome {
    /// All launches agree.
    Agrees {
        /// Number of launches that were compared.
        launches: u32,
        /// Number of launches that were given up, since they would have run for too long.
        given_up: u32,
    },
    /// The kernel cannot be compared on this device.
    Ignored {
        /// Reason, for people.
        reason: String,
    },
    /// A launch differs.
    Differs {
        /// First difference, or the device's error.
        message: String,
        /// Smallest launch found that differs, as statements of Rust.
        launch: String,
    },
    /// The device stopped working. It runs no later kernel either.
    Lost {
        /// The device's error.
        message: String,
        /// Launch at which it stopped, as it was found.
        launch: String,
    },
}

impl KernelReport {
    /// Returns `true` if the kernel differs, or if the device stopped working at it.
    #[must_use]
    pub const fn is_failure(&self) -> bool {
        matches!(self.outcome, KernelOutcome::Differs { .. } | KernelOutcome::Lost { .. })
    }

    /// Returns `true` if the device stopped working at this kernel.
    #[must_use]
    pub const fn is_lost(&self) -> bool {
        matches!(self.outcome, KernelOutcome::Lost { .. })
    }
}

impl fmt::Display for KernelReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KernelReport { kernel, device, outcome } = self;
        match outcome {
            KernelOutcome::Agrees { launches, given_up } => {
                write!(f, "{kernel} on {device}: {launches} launches agree")?;
                if *given_up > 0 { write!(f, ", {given_up} were too long") } else { Ok(()) }
            }
            KernelOutcome::Ignored { reason } => write!(f, "{kernel} on {device}: ignored, {reason}"),
            KernelOutcome::Differs { message, launch } => {
                write!(f, "{kernel} on {device} differs: {message}\nThe smallest launch found:\n{launch}")
            }
            KernelOutcome::Lost { message, launch } => {
                write!(f, "{kernel} on {device} ended the device: {message}\nThe launch at which it ended:\n{launch}")
            }
        }
    }
}

impl Default for KernelCheck {
    fn default() -> Self {
        KernelCheck::new()
    }
}

impl KernelCheck {
    /// Creates a comparison by 32 launches of each kernel, with seed 0.
    #[must_use]
    pub const fn new() -> Self {
        KernelCheck { launches: 32, seed: 0 }
    }

    /// Sets the number of launches of each kernel.
    #[must_use]
    pub const fn launches(mut self, launches: u32) -> Self {
        self.launches = launches;
        self
    }

    /// Sets the seed: other seeds give other rows.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Compares every kernel of a module on a device. A device that stops working gets no later kernel.
    ///
    /// # Errors
    /// [`Error::Module`] for a module of another version of the macro, and errors of opening the CPU backend.
    pub fn run(self, device: &Device, source: &'static ModuleSource) -> Result<Vec<KernelReport>, Error> {
        let reference = Device::open(CpuBackend::open(&Options { threads: Some(1), ..Options::default() })?)?;
        let invalid = |reason: String| Error::Module { module: source.name().to_owned(), reason };
        let module = source.ir().map_err(|error| invalid(error.to_string()))?;
        let info = device.info();
        let label = format!("{} {} ({})", info.backend, info.index, info.name);
        let mut reports: Vec<KernelReport> = Vec::new();
        for (number, kernel) in module.kernels.iter().enumerate() {
            let of = Checked { check: self, device, reference: &reference, source, module, number, kernel };
            let outcome = of.outcome().unwrap_or_else(|reason| KernelOutcome::Ignored { reason });
            reports.push(KernelReport { kernel: of.path(), device: label.clone(), outcome });
            if reports.last().is_some_and(KernelReport::is_lost) {
                break;
            }
        }
        Ok(reports)
    }
}

/// A kernel on a device.
struct Checked<'c> {
    check: KernelCheck,
    device: &'c Device,
    /// CPU backend on one thread.
    reference: &'c Device,
    source: &'static ModuleSource,
    module: &'c Module,
    number: usize,
    kernel: &'c Kernel,
}

/// Result of one launch.
enum Verdict {
    Agrees,
    TooLong,
    /// The device cannot run the kernel, for this reason.
    Refused(String),
    Differs(Option<u32>, String),
    /// There is no expected result, for this reason.
    Invalid(String),
    /// The device stopped working, with this error.
    Lost(String),
}

impl Checked<'_> {
    /// Returns the last segment of the module's name, and the name of the kernel.
    fn path(&self) -> String {
        let module = self.source.name();
        format!("{}::{}", module.rsplit("::").next().unwrap_or(module), self.kernel.name)
    }

    fn outcome(&self) -> Result<KernelOutcome, String> {
        self.check_that_it_is_ordered()?;
        let shape = self.kernel.shape;
        let (index, name) = (self.number as u32, "a kernel of this module");
        let kernel = KernelSource { module: self.source, index, name, shape };
        self.device.check_floats(&kernel).map_err(|error| error.to_string())?;
        let entry = self.source.entry(self.number).ok_or("it has no native function")?;
        let natives = natives(entry, shape);
        let built = Built { source: self.source, natives: &natives };
        let (mut compared, mut given_up) = (0, 0);
        for launch in 0..self.check.launches {
            let values = if launch % 2 == 0 { Values::Ordered } else { Values::Small };
            let data = self.check.seed.wrapping_mul(u64::from(u32::MAX)).wrapping_add(launch.into());
            let made = Launched::of(self.module.clone(), self.number, launch as usize / 2, (data, values), FUEL);
            let launched = made.ok_or("it has no function")?.map_err(|stuck| stuck.to_string())?;
            match self.verdict(&launched, built) {
                Verdict::Agrees => compared += 1,
                Verdict::TooLong => given_up += 1,
                Verdict::Refused(reason) => return Err(reason),
                Verdict::Differs(row, message) => return Ok(self.smallest(launched, built, row, message)),
                Verdict::Invalid(message) => {
                    return Ok(KernelOutcome::Differs { message, launch: text::launch(&launched, &self.path()) });
                }
                Verdict::Lost(message) => {
                    return Ok(KernelOutcome::Lost { message, launch: text::launch(&launched, &self.path()) });
                }
            }
        }
        match compared {
            0 => Err(format!("all of its {given_up} launches with random rows would run for too long")),
            launches => Ok(KernelOutcome::Agrees { launches, given_up }),
        }
    }

    /// Refuses a kernel whose results depend on the order of rows, or whose data is not random rows.
    fn check_that_it_is_ordered(&self) -> Result<(), String> {
        let flat = flatten(self.module, self.kernel).map_err(|error| error.to_string())?;
        let mut words = StoresWords(false);
        flat.functions.iter().for_each(|function| walk(&function.body, &mut words));
        if words.0 {
            return Err(
                "its result may depend on the order of rows: it stores or exchanges words of a tally".to_owned()
            );
        }
        let function = self.module.functions.get(self.kernel.function.index());
        let params = function.map_or(&[][..], |function| &function.params);
        match params.iter().any(|param| matches!(param.kind, ParamKind::History(..) | ParamKind::Clock)) {
            true => Err("it takes a history, which random rows do not make".to_owned()),
            false => Ok(()),
        }
    }

    fn verdict(&self, launched: &Launched, built: Built<'_>) -> Verdict {
        let by_ir = match oracle::run(launched) {
            Ok(outcome) => outcome,
            Err(Stuck::Fuel) => return Verdict::TooLong,
            Err(stuck) => return Verdict::Invalid(format!("the interpreter: {stuck}")),
        };
        let is_host = self.device.capabilities().native_rows;
        let expected = match is_host {
            true => Ok(by_ir),
            false => run_on(self.reference, launched, built),
        };
        match (expected, run_on(self.device, launched, built)) {
            (Err(error), _) => Verdict::Invalid(format!("the native function: {error}")),
            (_, Err(error @ Error::DeviceLost { .. })) => Verdict::Lost(format!("the device: {error}")),
            (_, Err(error)) if refuses(&error) => Verdict::Refused(error.to_string()),
            (_, Err(error)) => Verdict::Differs(None, format!("the device: {error}")),
            (Ok(expected), Ok(found)) => match difference(launched, &reported(expected), &reported(found)) {
                None => Verdict::Agrees,
                Some(difference) => Verdict::Differs(difference.row, told(is_host, &difference)),
            },
        }
    }

    fn smallest(&self, launched: Launched, built: Built<'_>, row: Option<u32>, message: String) -> KernelOutcome {
        let (mut message, mut lost) = (message, None);
        let launched = shrink::smallest(launched, row, &mut |trial| match self.verdict(trial, built) {
            Verdict::Differs(_, of_trial) => {
                message = of_trial;
                ControlFlow::Continue(true)
            }
            Verdict::Lost(error) => {
                lost = Some(error);
                ControlFlow::Break(())
            }
            Verdict::Agrees | Verdict::TooLong | Verdict::Refused(_) | Verdict::Invalid(_) => {
                ControlFlow::Continue(false)
            }
        });
        let launch = text::launch(&launched, &self.path());
        match lost {
            None => KernelOutcome::Differs { message, launch },
            Some(error) => {
                KernelOutcome::Lost { message: format!("{message}; then, at a smaller launch, {error}"), launch }
            }
        }
    }
}

/// Returns an outcome without what a fault makes invalid: the reduced value.
fn reported(outcome: Outcome) -> Outcome {
    let result = if outcome.fault.is_some() { Vec::new() } else { outcome.result };
    Outcome { result, ..outcome }
}

/// Returns a difference with the names of both sides.
fn told(is_host: bool, difference: &Difference) -> String {
    let sides = if is_host { "intermediate representation, native function" } else { "native function, device" };
    format!("{difference} ({sides})")
}

/// Search for a statement that stores or exchanges words of a tally.
struct StoresWords(bool);

impl Visitor for StoresWords {
    fn stmt(&mut self, stmt: &Stmt) {
        self.0 |= matches!(stmt.kind, StmtKind::Word { op: WordOp::Store | WordOp::Exchange, .. });
    }
}
