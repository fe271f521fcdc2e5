//! The fire on a device: tables, programs and the way back.

mod steps;
mod windows;

pub(super) use steps::by_steps;
pub(super) use windows::by_windows;

use super::error::FireError;
use imminent_core::{Program, Progress, Stop};
use std::ops::ControlFlow;

type Asked<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// Runs a program to its condition, `launches` of it in each round of its loop. Gives the launches that it took.
fn run(program: &mut Program, launches: u64, progress: Asked<'_>) -> Result<u64, FireError> {
    let outcome = program.run_with(|now| progress(Progress { steps: launches * now.steps }))?;
    match outcome.stop {
        Stop::Cancelled => Err(FireError::Cancelled { steps: launches * outcome.steps }),
        _ => Ok(launches * outcome.steps),
    }
}
