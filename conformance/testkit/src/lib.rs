//! What the tests of several crates share.
//!
//! * [`modules`]: modules of the intermediate representation, built by hand.
//! * [`layouts`]: layouts of rows that no Rust struct has.
//! * [`c_dialect`]: the texts that the C lowering makes of them.
//! * [`device`]: what must hold on every open device, beside the conformance suite: long tables, many launches, the calls of
//!   [`Backend`](imminent_core::backend::Backend) with bytes of the caller's own.
//! * [`needs`]: tests that are ignored where the machine lacks what they need, which they find out when they run.
//! * [`pairs`]: two ways of doing the same thing, timed by turns.
//! * [`process`]: a test that runs itself again in another environment.
//!
//! [`device_cases!`] and [`backend_cases!`] make a test of each.

// These are tests, which another crate's tests call: here a panic is a finding.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod c_dialect;
pub mod device;
pub mod layouts;
pub mod modules;
pub mod needs;
pub mod pairs;
pub mod process;
