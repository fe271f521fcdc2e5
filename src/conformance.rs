//! The conformance suite, and a test of kernels of one's own.
//!
//! [`check!`](check) tests every kernel of a module on every device at hand:
//!
//! ```
//! #[imminent::kernels]
//! mod plant {
//!     #[derive(Row)]
//!     pub struct Machine {
//!         pub failures: u32,
//!     }
//!
//!     #[kernel]
//!     pub fn fail(me: &mut Machine) {
//!         me.failures += 1;
//!     }
//! }
//!
//! #[cfg(test)]
//! imminent::conformance::check!(plant);
//! # fn main() -> Result<(), imminent::conformance::Disagreement> {
//! # imminent::conformance::check_on_every_device(&[plant::source()])
//! # }
//! ```

pub use crate::__check_kernels as check;
pub use imminent_conformance::*;

use crate::backends::Backends;
use crate::selection::DeviceSelection;
use imminent_core::{Device, ModuleSource};
use std::fmt;
use std::io::Write as _;

/// Tests the kernels of modules on every device at hand, against their native functions.
///
/// The macro writes a test, `kernels_agree_with_their_native_functions`, for all modules that it is given. It stands
/// where tests do: in a `mod tests`, beside the modules with `#[cfg(test)]`, or in a file of `tests/`.
///
/// ```
/// #[imminent::kernels]
/// mod counting {
///     #[derive(Row)]
///     pub struct Counter { pub count: u32 }
///
///     #[kernel]
///     pub fn count(me: &mut Counter) {
///         me.count = me.count.wrapping_add(1);
///     }
/// }
///
/// imminent::conformance::check!(counting);
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __check_kernels {
    ($($($module:ident)::+),+ $(,)?) => {
        #[test]
        fn kernels_agree_with_their_native_functions() -> ::core::result::Result<(), $crate::conformance::Disagreement> {
            $crate::conformance::check_on_every_device(&[$($($module)::+::source()),+])
        }
    };
}

/// Kernels that differ from their native functions. `Debug` is the text, since a test that fails prints that.
#[derive(Clone, PartialEq, Eq)]
pub struct Disagreement(String);

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Disagreement {}

/// Compares every kernel of modules with its native function, on every device that is found, by random rows.
///
/// Standard output tells of the kernels that agree. Standard error tells of kernels, devices and backends that are
/// ignored, with the reason, also where tests do not show what they print.
///
/// # Errors
/// [`Disagreement`] with each kernel that differs and its smallest launch, each device that stopped working, and each
/// module that cannot be read; or if no kernel ran on any device.
pub fn check_on_every_device(modules: &[&'static ModuleSource]) -> Result<(), Disagreement> {
    let (devices, ignored) = devices();
    ignored.iter().for_each(|reason| tell(reason));
    let mut told = |report: &KernelReport| match report.outcome {
        KernelOutcome::Agrees { .. } => println!("{report}"),
        KernelOutcome::Ignored { .. } => tell(&report.to_string()),
        // The error tells it.
        _ => {}
    };
    let all = KernelCheck::new().run_on(&devices, modules, &mut told);
    all.problem().map_or(Ok(()), |problem| Err(Disagreement(problem)))
}

/// Opens every device. Also returns reasons why backends have no device, and why devices cannot be opened.
fn devices() -> (Vec<Device>, Vec<String>) {
    let backends = Backends::of_process();
    let (mut devices, mut ignored) = (Vec::new(), Vec::new());
    for provider in backends.iter().filter(|provider| provider.is_compiled_in()) {
        let name = provider.name();
        match backends.devices_of(name).devices {
            Ok(found) => {
                for info in found {
                    match backends.open(&DeviceSelection::backend(name).device(info.index)) {
                        Ok(device) => devices.push(device),
                        Err(error) => ignored.push(format!("{name} {}: ignored, {error}", info.index)),
                    }
                }
            }
            Err(error) => ignored.push(format!("{name}: ignored, {error}")),
        }
    }
    (devices, ignored)
}

/// Writes a line on standard error, past the harness of tests, which hides what tests print.
fn tell(line: &str) {
    // A closed standard error changes no result.
    let _ = writeln!(std::io::stderr(), "{line}");
}

#[cfg(all(test, feature = "cpu"))]
mod tests {
    #[imminent::kernels]
    mod counting {
        #[derive(Row)]
        pub struct Counter {
            pub value: u64,
        }

        #[kernel(reduce = max)]
        pub fn count(me: &mut Counter, id: u32) -> u64 {
            me.value += u64::from(id);
            me.value
        }
    }

    #[imminent::kernels]
    mod waiting {
        #[derive(Row)]
        pub struct Clerk {
            pub value: u32,
        }

        #[kernel]
        pub fn wait(me: &mut Clerk) {
            while me.value != 12_345 {
                me.value %= 7;
            }
        }
    }

    crate::conformance::check!(counting, self::waiting);

    #[test]
    fn kernels_that_run_nowhere_show_nothing() {
        let nothing = crate::conformance::check_on_every_device(&[waiting::source()]);
        assert!(nothing.is_err_and(|error| error.to_string().contains("no kernel ran")));
    }
}
