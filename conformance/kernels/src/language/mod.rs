//! Features of the kernel language, nested and in every order: statements, expressions, calls, patterns.
//!
//! Many of these functions fault for many rows. The values with which they continue are defined by the language.

pub mod aggregates;
pub mod calls;
pub mod cells;
pub mod control;
pub mod dense;
pub mod groups;
pub mod integers;
pub mod order;
pub mod outside;
