//! What the tests of the C lowering share here: a bare-bones runner.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod machine;

// The backend's crate holds the functions of OpenCL, which it looks for at run time.
use imminent_opencl as _;
