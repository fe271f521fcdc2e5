//! One program of all integration tests, which is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod c_lower;
mod c_properties;
