//! Common tools for the tests of several crates.
//!
//! * [`modules`]: modules of the intermediate representation, built by hand.
//! * [`full_disk`]: a full disk, on which the k-th call fails, for every k.
//! * [`layouts`]: layouts of rows that do not correspond to a Rust struct.
//! * [`c_texts`]: texts that the C lowering generates for these modules.
//! * [`clang`]: a compiler for AMD's GPUs, which needs none.
//! * [`device`]: requirements on every open device, beside the conformance suite: long tables, many launches, the calls
//!   of [`Backend`](imminent_core::backend::Backend) with bytes of the caller's own.
//! * [`error_texts`](mod@error_texts): lists of the error texts of a crate.
//! * [`needs`]: tests that are ignored if the machine lacks their requirements, which they check at run time.
//! * [`pairs`]: timing of two ways of doing the same work, alternating.
//! * [`process`]: tests that run themselves again in another environment.
//!
//! [`device_cases!`] and [`backend_cases!`] make a test of each.

// Tests of other crates call these functions: a panic is a test failure.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod c_texts;
pub mod clang;
pub mod device;
pub mod error_texts;
#[cfg(target_os = "linux")]
pub mod full_disk;
pub mod layouts;
pub mod modules;
pub mod needs;
pub mod pairs;
pub mod process;
