//! Fluids that cannot be simulated on a device.

use super::RuleError;
use crate::TrafficError;
use imminent_core::Error;
use thiserror::Error as Errors;

/// A fluid that cannot be simulated on a device.
#[derive(Debug, Errors)]
pub enum FluidError {
    /// A queue takes longer to empty than a history can reach.
    #[error(
        "a queue takes {seconds} s to empty, which is more steps of {step} s than can be kept: give it less room or a faster link, or a longer step"
    )]
    TooSlow {
        /// How long, in seconds.
        seconds: f64,
        /// Length of a step, in seconds.
        step: f64,
    },
    /// Fluid could be under way for longer than is remembered.
    #[error(
        "some fluid has been under way for {age} s; after {more} s more that could be longer than the {kept} s for which it is remembered what was sent: advance by less at a time, or allow for more waiting"
    )]
    TooLate {
        /// For how long, in seconds.
        age: f64,
        /// By how much the simulation was to advance, in seconds.
        more: f64,
        /// What is remembered, in seconds.
        kept: f64,
    },
    /// What is to be remembered takes more memory than the device has left.
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
        /// Bytes that histories take.
        needed: u64,
        /// Bytes that the device has left.
        free: u64,
        /// Name of the device.
        device: String,
    },
    /// The device has no numbers of 64 bits.
    #[error(
        "the device {device} has no f64: use the precision f32, or a device that has it, such as the backend 'cpu'"
    )]
    NoDoubles {
        /// Its name and backend.
        device: String,
    },
    /// The rules make no sense.
    #[error(transparent)]
    Rules(#[from] RuleError),
    /// A launch has more steps than can be.
    #[error(transparent)]
    Launch(#[from] TrafficError),
    /// The device could not.
    #[error(transparent)]
    Device(#[from] Error),
}
