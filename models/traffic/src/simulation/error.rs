//! Errors of simulations.

use crate::config::ConfigError;
use crate::coupling::CouplingError;
use crate::fluid::FluidError;
use crate::text::span;
use imminent_common::free_memory::MemoryError;
use thiserror::Error;

/// Reason why a simulation cannot start, or ended without results.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// A value of the configuration is not possible.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The simulation does not fit into the memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The series over time do not fit into the memory.
    #[error("{error} or a longer --sample, since {samples} samples are kept")]
    Series {
        /// Memory that is needed and left.
        error: MemoryError,
        /// Number of samples.
        samples: u64,
    },
    /// The fluids cannot advance.
    #[error("{error}{}", remedy(error))]
    Fluid {
        /// Error of the fluids.
        error: FluidError,
    },
    /// Fluids and packets cannot share queues.
    #[error(transparent)]
    Coupling(CouplingError),
    /// The engine needs a device, and there is none.
    #[error("the engine `{engine}` simulates fluids on a device: give one, or use the engine `sequential`")]
    NoDevice {
        /// Name of the engine.
        engine: &'static str,
    },
    /// The simulation was interrupted during the warm-up.
    #[error(
        "interrupted after {}, before anything was counted: the warm-up ends at {}",
        span(*time),
        span(*warm_up)
    )]
    NothingCounted {
        /// Simulated time, in seconds.
        time: f64,
        /// End of the warm-up, in seconds.
        warm_up: f64,
    },
}

impl SimulationError {
    /// Returns `true` if the configuration asks for something impossible, on whatever device.
    #[must_use]
    pub const fn is_of_configuration(&self) -> bool {
        match self {
            Self::Config(_) | Self::Memory(_) | Self::Series { .. } => true,
            // Limits of a device are not of the configuration.
            Self::Fluid { error } => {
                matches!(error, FluidError::TooSlow { .. } | FluidError::Rules(_) | FluidError::Launch(_))
            }
            Self::Coupling(_) | Self::NoDevice { .. } | Self::NothingCounted { .. } => false,
        }
    }
}

impl From<FluidError> for SimulationError {
    fn from(error: FluidError) -> Self {
        Self::Fluid { error }
    }
}

impl From<CouplingError> for SimulationError {
    fn from(error: CouplingError) -> Self {
        match error {
            CouplingError::Fluid(error) => Self::Fluid { error },
            other => Self::Coupling(other),
        }
    }
}

/// Names the keys and options that remedy an error.
fn remedy(error: &FluidError) -> &'static str {
    match error {
        FluidError::TooLate { .. } => " ('waiting' in [run], or --waiting)",
        FluidError::Memory { .. } => {
            " ('pairs' in [traffic], 'buffer' in [topology], 'step' in [run], or --pairs, --buffer, --step)"
        }
        FluidError::NoDoubles { .. } => " ('precision' in [run], or --precision)",
        _ => "",
    }
}
