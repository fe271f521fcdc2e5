//! The conformance suite: checks on the user's own hardware that a backend behaves like the CPU.
//!
//! ```
//! use imminent_conformance::{Group, Suite};
//! use imminent_core::Device;
//! use imminent_cpu::{CpuBackend, Options};
//!
//! let device = Device::open(CpuBackend::open(&Options::default())?)?;
//! let report = Suite::new(&device).group(Group::RandomNumbers).run();
//! assert!(report.passed(), "{}", report.to_text());
//! # Ok::<(), imminent_core::Error>(())
//! ```
//!
//! A case is a statement that is true of every correct backend. Results of kernels are compared bit by bit with the
//! same kernel's native function on the CPU backend. Where plain Rust can compute it, they are also compared with an
//! expectation written independently of both.
//!
//! # Rules
//! * A case passes, fails, is skipped for a [`SkipReason`], or fails as predicted by an [`Expectation`], which has a
//!   reference. A case that passes against its expectation fails: the entry is out of date. A case that is known not to
//!   end is skipped, and its note is the reference. [A process of its own](Suite::in_own_process) tries it.
//! * Floats are compared bit by bit if the device's probe found them to round correctly, otherwise within the stated
//!   bound of the class. Values that the device does not keep, according to the probe, are left out; the report states
//!   their number and the reason.
//! * A run in which no case was executed has not passed.
//! * A panic inside a case is a failure of the case.

mod case;
mod check;
mod compare;
mod context;
mod expectation;
mod fuzz;
mod group;
mod groups;
pub mod matrix;
mod mode;
mod operands;
mod raw;
mod report;
mod run;
mod suite;
mod trees;
mod twin;
mod verdict;

use imminent_conformance_kernels as kernels;

pub use check::{KernelCheck, KernelOutcome, KernelReport, KernelReports};
pub use expectation::{Expectation, Failing, known_failures};
pub use fuzz::{Fuzz, FuzzFailure, FuzzReport, Regression, random_modules};
pub use group::Group;
pub use mode::Mode;
pub use report::{CaseReport, Counts, DeviceReport, ModelDigest, Outcome, Report};
pub use suite::{RunModel, Suite, Update};
pub use twin::{Divergence, Place, Twin};
pub use verdict::SkipReason;

/// Runs every case in quick mode, with the known failures expected.
///
/// Never panics and always returns a report; [`Report::passed`] is the verdict.
#[must_use]
pub fn suite(device: &imminent_core::Device) -> Report {
    Suite::new(device).run()
}
