//! Tint, the WGSL compiler of Chromium, accepts the generated text.

#![allow(clippy::unwrap_used, clippy::panic)]

mod wgsl_support;

use imminent_ir::Scalar;
use imminent_lowering::wgsl::{Int64, WgslSource};
use imminent_testkit::modules::{calls, kernels, operations};
use imminent_testkit::tests_that_need;
use std::process::{Command, Stdio};
use wgsl_support::damaged::damage_and;
use wgsl_support::every::each;
use wgsl_support::validate::tint;

tests_that_need! {
    tint_on_the_path:
        tint_accepts_every_kernel_with_emulated_integers,
        tint_accepts_what_damaged_modules_lower_to;
}

fn tint_on_the_path() -> Result<(), String> {
    let started = Command::new("tint").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    started.map(drop).map_err(|error| format!("the `tint` compiler is not on the PATH: {error}"))
}

fn tint_accepts_every_kernel_with_emulated_integers() {
    each(Int64::Emulated, tint);
}

fn tint_accepts_what_damaged_modules_lower_to() {
    let look = |int64, source: &WgslSource| {
        if int64 == Int64::Emulated {
            tint("damaged", source);
        }
    };
    let rounds = 400;
    assert!(damage_and(&kernels::serve().module, rounds, 11, look) > 10);
    assert!(damage_and(&calls::calls().module, rounds, 12, look) > 10);
    assert!(damage_and(&kernels::loops(Scalar::I32).module, rounds, 13, look) > 10);
    for scalar in [Scalar::U32, Scalar::I32, Scalar::I64, Scalar::F32] {
        damage_and(&operations::kernel(scalar, &operations::operations(scalar)).module, 100, 14, look);
    }
}
