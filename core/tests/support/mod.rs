//! An interpreter of the IR, written apart from the native code: the two are compared on random inputs.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub(crate) mod groups;
pub(crate) mod interp;
pub(crate) mod ops;
pub(crate) mod rows;
