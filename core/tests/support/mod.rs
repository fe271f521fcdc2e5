//! Native rows as the interpreter of the IR sees them: the two are compared on random inputs.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub(crate) mod rows;
