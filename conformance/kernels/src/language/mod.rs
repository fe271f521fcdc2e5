//! What can be written in the kernel language, inside one another and in every order: statements, expressions, calls, patterns.
//!
//! Many of these functions fault for many rows. What they go on with then is part of the language.

pub mod aggregates;
pub mod calls;
pub mod cells;
pub mod control;
pub mod dense;
pub mod groups;
pub mod integers;
pub mod order;
pub mod outside;
