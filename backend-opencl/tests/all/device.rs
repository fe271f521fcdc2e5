//! Requirements of every device, on the first one, with every option on which results must not depend.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::{VARIANTS, backend, device};
use imminent_core::Table;
use imminent_testkit::device::{abilities::kernels, machines::machines};

/// Returns the options with which the cases of a module are run: a single one for large cases, and for a quick run.
fn ways(module: &str) -> &'static [&'static str] {
    if module == "faults" {
        return &["", "faults=operands"];
    }
    if module == "large" || !imminent_testkit::needs::everything() { &VARIANTS[..1] } else { &VARIANTS }
}

macro_rules! devices {
    ($($module:ident: $($case:ident),+;)+) => {$(
        mod $module {
            $(
                #[test]
                fn $case() {
                    for options in crate::device::ways(stringify!($module)) {
                        println!("with `{options}`");
                        imminent_testkit::device::$module::$case(&crate::common::device(options));
                    }
                }
            )+
        }
    )+};
}

macro_rules! backends {
    ($($module:ident: $($case:ident),+;)+) => {$(
        mod $module {
            $(
                #[test]
                fn $case() {
                    for options in crate::device::ways(stringify!($module)) {
                        println!("with `{options}`");
                        imminent_testkit::device::$module::$case(&crate::common::backend(options));
                    }
                }
            )+
        }
    )+};
}

imminent_testkit::device_cases!(devices);
imminent_testkit::backend_cases!(backends);

#[test]
fn the_generated_text_can_be_seen() {
    let text = device("").generated::<machines::tick>().unwrap();
    for part in ["machines.rs", "__kernel", "void tick(", "FP_CONTRACT OFF"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn kernels_that_the_device_cannot_run_are_left_out_of_a_modules_compilation() {
    let all = backend("");
    let can = |capable: bool| u32::from(capable);
    let capabilities = imminent_core::backend::Backend::capabilities(&all).clone();
    let expected = 1 + can(capabilities.float64) + can(capabilities.tally_min_max_64);
    assert_eq!(all.compile(kernels::source()).unwrap(), expected);
    let least = backend("float64=off,int64-atomics=off");
    assert_eq!(least.compile(kernels::source()).unwrap(), 1);
}

#[test]
fn devices_are_opened_by_several_threads_at_once() {
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let device = device("");
                assert_eq!(Table::from_rows(&device, &[1u32, 2]).unwrap().read().unwrap(), [1, 2]);
            });
        }
    });
}
