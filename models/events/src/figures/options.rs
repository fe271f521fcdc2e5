//! Options of the figures.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Sizes of the studies.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Options {
    /// Wall time for the runs of each point. Longer studies are run with fewer events, at least one at each module, and
    /// tables show the share; the mesh is run at least once. Preparing tables, and compiling, come on top.
    #[schemars(range(min = 0.001, max = 86_400.0), extend("unit" = "s"))]
    pub(super) budget: f64,
    /// Numbers of simulations of figures 6 to 11.
    #[schemars(inner(range(min = 1, max = 1_048_576)))]
    pub(super) simulations: Vec<u32>,
    /// Numbers of modules of each simulation.
    #[schemars(inner(range(min = 1, max = 1024)))]
    pub(super) modules: Vec<u32>,
    /// Figures 6 to 9: number of events of each simulation, which its modules share.
    #[schemars(range(min = 1))]
    pub(super) events: u32,
    /// Figures 6 to 9: number of iterations of a generator for each event.
    pub(super) iterations: u32,
    /// Figures 10 to 12: number of events of all simulations together.
    #[schemars(range(min = 1))]
    pub(super) events_in_all: u32,
    /// Figures 10 and 12, lists of events on the host: numbers of parts, which are on the host or on the device in
    /// turn.
    #[schemars(inner(range(min = 1, max = 64)))]
    pub(super) streams: Vec<u32>,
    /// Figure 12: sizes of a module's state in bytes; every event processes all of it.
    #[schemars(inner(range(min = 8, max = 16_777_216)))]
    pub(super) states: Vec<u32>,
    /// Number of simulations of figure 12.
    #[schemars(range(min = 1, max = 1_048_576))]
    pub(super) middle: u32,
    /// Figure 13: length of each simulation.
    #[schemars(extend("unit" = "s"))]
    pub(super) seconds: f64,
    /// Figure 13: number of simulations of each of the nine points.
    #[schemars(range(min = 1, max = 1000))]
    pub(super) seeds: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            budget: 0.5,
            simulations: vec![1, 2, 8, 32, 128, 512, 1024, 2048, 4096, 8192, 16_384],
            modules: vec![1, 2, 5, 10],
            events: 300,
            iterations: 20_000,
            events_in_all: 1 << 20,
            streams: vec![1, 2],
            states: vec![72, 256, 1024, 4096, 16_384, 26_000],
            middle: 512,
            seconds: 60.0,
            seeds: 30,
        }
    }
}
