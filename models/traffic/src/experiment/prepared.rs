//! Traffic that a run simulates, prepared from its configuration.

use crate::config::{Built, Engine};
use crate::{StepSize, TrafficConfig};

/// Traffic of a run, with what its readers should know of it.
pub(super) struct Prepared {
    pub(super) config: TrafficConfig,
    pub(super) built: Built,
    /// Assumptions about values that were not given.
    pub(super) assumed: Vec<String>,
    pub(super) warnings: Vec<String>,
    pub(super) engine: Engine,
    /// Step of the fluid equations.
    pub(super) step: Option<StepSize>,
}
