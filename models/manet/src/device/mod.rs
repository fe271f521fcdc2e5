//! Simulation on a device.

mod engine;
mod layout;
mod room;
mod steps;
mod tables;

pub(crate) use engine::OnDevice;
