//! Device conformance of the host, for several numbers of threads.

#![allow(clippy::unwrap_used)]

use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};

fn run(module: &str, case: fn(&Device)) {
    // A single number of threads suffices for the large tests.
    let threads: &[usize] = if module == "large" { &[2] } else { &[1, 2, 5] };
    for threads in threads {
        case(
            &Device::open(CpuBackend::open(&Options { threads: Some(*threads), ..Options::default() }).unwrap())
                .unwrap(),
        );
    }
}

macro_rules! tests {
    ($($module:ident: $($case:ident),+;)+) => {$(
        mod $module {
            $(
                #[test]
                fn $case() {
                    crate::device::run(stringify!($module), imminent_testkit::device::$module::$case);
                }
            )+
        }
    )+};
}

imminent_testkit::device_cases!(tests);
