//! Errors, in words for the person who has to fix them.

use crate::fault::{NativeFault, Operands};
use crate::holder::Holder;
use crate::limit::Limit;
use imminent_ir::{FaultKind, Site};
use std::sync::Arc;

/// The result of a call into Imminent.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A fault that a kernel raised on a device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("kernel `{kernel}`, row {row}: {kind}{}, at {file}:{line}:{column}{}{}", .operands.as_ref().map_or_else(String::new, |values| format!("; {values}")), quoted(.text), remedy(*.kind, .operands))]
pub struct Fault {
    /// Name of the kernel.
    pub kernel: String,
    /// The lowest row whose invocation raised a fault in that launch.
    pub row: u32,
    /// Kind of the first fault in that invocation.
    pub kind: FaultKind,
    /// Source file, as the compiler names it.
    pub file: String,
    /// Line, 1-based.
    pub line: u32,
    /// Column, 1-based.
    pub column: u32,
    /// The user's expression in backquotes. For an assertion, its text, if it has one, and its condition.
    pub text: String,
    /// Values with which the operation failed. Functions on the host report them, and so do devices opened with the
    /// option `faults=operands` ([`Capabilities::faults`](crate::Capabilities::faults)). Failed assertions and cut
    /// loops have none.
    pub operands: Option<Operands>,
    /// Number of the launch among the operations of its queue. A backend tells it to the runtime, which then knows the
    /// memory that is lost; errors that a call returns to a user have none.
    pub operation: Option<u64>,
}

impl Fault {
    /// Creates the fault of a kernel, or of a function like one, that ran on the host.
    #[must_use]
    pub fn of_host(kernel: &str, fault: NativeFault) -> Fault {
        let NativeFault { row, kind, operands, at } = fault;
        let (file, text) = (at.file.to_owned(), at.text.to_owned());
        let (kernel, line, column) = (kernel.to_owned(), at.line, at.column);
        Fault { kernel, row, kind, file, line, column, text, operands, operation: None }
    }

    /// Creates the fault that a kernel raised at a site of its module, without operands.
    #[must_use]
    pub fn at_site(kernel: &str, row: u32, site: &Site) -> Fault {
        let Site { kind, file, line, column, text } = site.clone();
        let kernel = kernel.to_owned();
        Fault { kernel, row, kind, file, line, column, text, operands: None, operation: None }
    }
}

/// Returns advice on how to see the operands that a fault does not report.
fn remedy(kind: FaultKind, operands: &Option<Operands>) -> &'static str {
    match operands {
        None if kind.has_operands() => {
            " (to see the operands, use the device option `faults=operands` or the cpu backend)"
        }
        _ => "",
    }
}

fn quoted(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}

/// An error of any call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A kernel raised a fault.
    #[error(transparent)]
    Fault(#[from] Fault),

    /// The data was lost through an earlier failure.
    #[error(
        "the contents of {what} are not valid, because earlier work that writes it failed: {cause}. Write or clear it before reading it again"
    )]
    Poisoned {
        /// Name of the table, tally or scalar.
        what: String,
        /// The earlier failure.
        cause: Arc<Error>,
    },

    /// The device has too little memory.
    #[error("{backend} device `{device}` has no room for {what}: {requested} bytes requested{}. Use fewer rows or lanes, or release tables first{}", limit_text(.limit), holders_text(.holders))]
    OutOfMemory {
        /// The backend.
        backend: String,
        /// The device.
        device: String,
        /// Object that was being allocated.
        what: String,
        /// Bytes asked for.
        requested: u64,
        /// Size of the largest single allocation, or the remaining memory, where known.
        limit: Option<u64>,
        /// The largest holders of the device's memory. A backend leaves it empty: core fills it in.
        holders: Vec<Holder>,
    },

    /// A size exceeds a limit of the language or the device.
    #[error("{what}: {requested} is more than the limit of {limit}. {}", .what.remedy())]
    Limit {
        /// Limited quantity, and its remedy.
        what: Limit,
        /// The value asked for.
        requested: u64,
        /// The largest value allowed.
        limit: u64,
    },

    /// The device does not support the request.
    #[error("{backend} device `{device}` cannot run {what}: {reason}. {remedy}")]
    Unsupported {
        /// The backend.
        backend: String,
        /// The device.
        device: String,
        /// Kernel, type or option that is not supported.
        what: String,
        /// Missing feature.
        reason: String,
        /// Alternative for the user.
        remedy: String,
    },

    /// The device cannot promise the determinism class asked for.
    #[error(
        "{backend} device `{device}` cannot promise {asked} of {what}: {reason}. {remedy}, or use integers or fixed point, which are exact everywhere"
    )]
    Determinism {
        /// The backend.
        backend: String,
        /// The device.
        device: String,
        /// Kernel, primitive or type that computes with floats.
        what: String,
        /// The class asked for.
        asked: crate::Determinism,
        /// The best class that the device offers for this.
        offered: crate::Determinism,
        /// Result of the probe.
        reason: String,
        /// Alternative for the user.
        remedy: String,
    },

    /// The generated code of a kernel was rejected. This is a defect of Imminent or of the device's compiler.
    #[error(
        "{backend} device `{device}` rejected the generated code of kernel `{kernel}` ({location}), a defect of Imminent or of the driver: report it, and use another device. The compiler says: {message}"
    )]
    Compile {
        /// The backend.
        backend: String,
        /// The device.
        device: String,
        /// The kernel.
        kernel: String,
        /// Line of the Rust kernel, where known.
        location: String,
        /// The compiler's whole output.
        message: String,
    },

    /// A library or driver is missing.
    #[error("backend `{backend}` cannot start: {reason}. Tried: {tried}. {remedy}")]
    Unavailable {
        /// The backend.
        backend: String,
        /// Missing library or driver.
        reason: String,
        /// The libraries or files looked for.
        tried: String,
        /// Thing to install or set.
        remedy: String,
    },

    /// There is no such device.
    #[error("backend `{backend}` has no device {index}: it has {available}. `imminent devices` lists them")]
    NoDevice {
        /// The backend.
        backend: String,
        /// The ordinal asked for.
        index: u32,
        /// Number and names of the available devices.
        available: String,
    },

    /// The device stopped working.
    #[error("{backend} device `{device}` was lost during {stage}: {reason}. Its data is gone; open the device again")]
    DeviceLost {
        /// The backend.
        backend: String,
        /// The device.
        device: String,
        /// Operation in progress.
        stage: String,
        /// The driver's words.
        reason: String,
    },

    /// The driver reported an error that has no variant of its own here.
    #[error("{backend} device `{device}` failed during {stage}: {message}")]
    Driver {
        /// The backend.
        backend: String,
        /// The device.
        device: String,
        /// Operation in progress.
        stage: String,
        /// The driver's words.
        message: String,
    },

    /// A kernel's arguments do not fit together.
    #[error("launch of kernel `{kernel}`: {reason}")]
    Launch {
        /// The kernel.
        kernel: String,
        /// Mismatch, and its remedy.
        reason: String,
    },

    /// An argument of a call has an invalid value.
    #[error("{what}: {reason}")]
    Invalid {
        /// Name of the argument.
        what: String,
        /// Reason, and a valid value.
        reason: String,
    },

    /// Work beside the caller needs a thread, and this platform has none to start: a page in a browser.
    #[error("{what} needs a thread of its own, and this platform has one thread only. {remedy}")]
    NoThreads {
        /// Work that needs the thread.
        what: String,
        /// Alternative for the user.
        remedy: String,
    },

    /// A kernel module does not fit this version of Imminent.
    #[error("kernel module `{module}`: {reason}")]
    Module {
        /// Name of the module.
        module: String,
        /// Defect of the module.
        reason: String,
    },
}

fn limit_text(limit: &Option<u64>) -> String {
    limit.map_or_else(String::new, |limit| format!(", at most {limit} available"))
}

fn holders_text(holders: &[Holder]) -> String {
    let holders: Vec<String> = holders.iter().map(Holder::to_string).collect();
    if holders.is_empty() { String::new() } else { format!(". The largest holders of memory: {}", holders.join("; ")) }
}

impl Error {
    /// Creates an [`Error::Invalid`].
    pub fn invalid(what: impl Into<String>, reason: impl Into<String>) -> Error {
        Error::Invalid { what: what.into(), reason: reason.into() }
    }

    /// Creates an [`Error::Limit`]: `requested` is more than `limit`.
    pub fn limit(what: Limit, requested: impl Into<u64>, limit: impl Into<u64>) -> Error {
        Error::Limit { what, requested: requested.into(), limit: limit.into() }
    }

    /// Returns the fault, if this error is one or was caused by one.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Error::Fault(fault) => Some(fault),
            Error::Poisoned { cause, .. } => cause.fault(),
            _ => None,
        }
    }
}
