//! Conformance tests on the first device, with every option on which results must not depend.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::{VARIANTS, device};
use imminent_testkit::device::machines::machines;

/// Options with which the cases of a module are run: one set is enough for large cases, and for a quick run.
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
    let text = device("int64=emulated").generated::<machines::tick>().unwrap();
    assert!(text.contains("machines.rs") && text.contains("tick"), "{text}");
    assert_ne!(text, device("").generated::<machines::tick>().unwrap());
}
