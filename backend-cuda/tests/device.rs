//! Requirements of every device, and the cases of `cases`, on the first CUDA device.
//!
//! Without an NVIDIA driver they run on the emulation of one that `./test` builds (`tests/host-driver`), and without
//! that they are ignored, visibly.

use imminent_testkit::needs::{run, test};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

mod cases;
mod needs;

/// One case at a time: some fill the device's memory.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A list of tests, each of which runs an expression for its case.
macro_rules! tests {
    ($($module:ident: $($case:ident => $run:expr),+;)+) => {
        vec![$($(test(concat!(stringify!($module), "::", stringify!($case)), needs::driver, || {
            let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
            $run
        })),+),+]
    };
}

macro_rules! own {
    ($($module:ident: $($case:ident),+;)+) => {
        tests! { $($module: $($case => cases::$module::$case()),+;)+ }
    };
}

macro_rules! devices {
    ($($module:ident: $($case:ident),+;)+) => {
        tests! { $($module: $($case => for options in cases::ways(stringify!($module)) {
            imminent_testkit::device::$module::$case(&cases::common::device(options));
        }),+;)+ }
    };
}

macro_rules! backends {
    ($($module:ident: $($case:ident),+;)+) => {
        tests! { $($module: $($case => for options in cases::ways(stringify!($module)) {
            imminent_testkit::device::$module::$case(&cases::common::backend(options));
        }),+;)+ }
    };
}

fn main() -> ExitCode {
    let mut tests = cases::for_each_case!(own);
    tests.extend(imminent_testkit::device_cases!(devices));
    tests.extend(imminent_testkit::backend_cases!(backends));
    run(tests)
}
