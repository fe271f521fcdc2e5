//! The fire on a device: tables, programs and the way back.

mod steps;
mod windows;

pub(super) use steps::by_steps;
pub(super) use windows::by_windows;
