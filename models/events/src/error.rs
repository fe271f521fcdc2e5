//! Outcomes of simulations that run together, and the errors of running them.

use super::event_types::EventTypes;
use super::simulation::End;
use super::start_error::StartError;
use super::state::StateError;
use super::trouble::Trouble;
use thiserror::Error;

/// Outcome of a simulation.
pub type Outcome<E> = Result<End<<E as EventTypes>::Module>, Trouble>;

/// Error of running simulations.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EngineError {
    /// The device reported an error.
    #[error(transparent)]
    Device(#[from] imminent_core::Error),
    /// A simulation cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A simulation cannot continue from a state.
    #[error("simulation {simulation}: {error}")]
    State {
        /// Number of the simulation among those that run together.
        simulation: usize,
        /// Error of the state.
        error: StateError,
    },
    /// A time window was set for a model that is not declared `optimistic`.
    #[error(
        "the model cannot execute events speculatively: write `optimistic;` after its `events`, or set no time window"
    )]
    NotOptimistic,
    /// A time window was set for a simulation with links.
    #[error(
        "a simulation has links, with which events are not executed speculatively: give one number as its `lookahead`, or set no time window"
    )]
    WindowWithLinks,
    /// The run was cancelled by its progress function.
    #[error("the run was cancelled after {steps} steps")]
    Cancelled {
        /// Number of completed steps.
        steps: u64,
    },
}
