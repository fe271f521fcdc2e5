//! Event lists on a device: simulations in steps of kernels, and the paper's co-processor.

mod chooser;
mod coprocessor;
mod ends;
mod guesses;
mod layout;
mod likely;
mod links;
mod order;
mod run;
mod setup;
mod speculate;
mod stages;
mod steps;
mod tables;
mod uploads;
mod windows;

pub use coprocessor::{Coprocessor, coprocess};
pub use guesses::{Guesses, Saved};
pub use links::Links;
pub(super) use run::OnDevice;
pub use tables::{Prepared, Side, Tables};
pub use windows::Windows;
