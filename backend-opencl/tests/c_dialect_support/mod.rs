//! What the tests of the C lowering share: the modules of core's own tests, and a bare-bones runner.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod machine;
#[path = "../../../core/tests/c_dialect_support/mod.rs"]
pub mod shared;

// The backend's crate holds the functions of OpenCL, which it looks for at run time.
use imminent_opencl as _;
