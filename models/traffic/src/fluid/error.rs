//! Errors of simulating fluids on a device.

use super::RuleError;
use crate::TrafficError;
use imminent_core::Error;
use thiserror::Error as Errors;

/// Error of simulating fluids on a device.
#[derive(Debug, Errors)]
pub enum FluidError {
    /// A queue takes longer to drain than the longest history.
    #[error(
        "a queue takes {seconds} s to empty, more steps of {step} s than can be stored: give it less room, a faster link, or a longer step"
    )]
    TooSlow {
        /// Time that the queue takes to drain, in seconds.
        seconds: f64,
        /// Length of a step, in seconds.
        step: f64,
    },
    /// Fluid could be under way for longer than the history.
    #[error(
        "fluid has been under way for {age} s, and after {more} s more its age could exceed the {kept} s of stored history: advance by shorter times, or allow longer waiting"
    )]
    TooLate {
        /// Age of the oldest fluid, in seconds.
        age: f64,
        /// Time by which the simulation was to advance, in seconds.
        more: f64,
        /// Length of the history, in seconds.
        kept: f64,
    },
    /// The histories take more memory than the device has free.
    #[error(
        "the fluids of {flows} flows on {branches} branches take {:.1} GB, and the device {device} has {:.1} GB left: simulate fewer flows, make queues shorter, or take a longer step",
        *needed as f64 / 1e9,
        *free as f64 / 1e9
    )]
    Memory {
        /// Number of flows.
        flows: u64,
        /// Number of branches.
        branches: u64,
        /// Size of the histories, in bytes.
        needed: u64,
        /// Free memory of the device, in bytes.
        free: u64,
        /// Name of the device.
        device: String,
    },
    /// The device has no 64-bit floating-point numbers.
    #[error(
        "the device {device} has no f64: use the precision f32, or a device that has it, such as the backend 'cpu'"
    )]
    NoDoubles {
        /// Name and backend of the device.
        device: String,
    },
    /// The rules are invalid.
    #[error(transparent)]
    Rules(#[from] RuleError),
    /// A launch has too many steps.
    #[error(transparent)]
    Launch(#[from] TrafficError),
    /// The device reported an error.
    #[error(transparent)]
    Device(#[from] Error),
}
