//! Modules built by hand, flattened.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod errors;
mod groups;
mod sample;
mod specialising;
