//! Simulations of cells as models of a catalogue: fires and floods on grids, and rule files.
//!
//! A run is the simulation of a configuration, to the end of `horizon`. Runs are executed one after the other, each on
//! the whole device. Determinism class: exact; of rule files reproducible.

mod cells;
mod experiment;
mod fire;
mod levelling;
mod model;
mod records;
mod simulation;
#[cfg(test)]
mod tests;

pub use cells::{CellsConfig, RuleFile};
pub use experiment::OneRun;
pub use fire::FireConfig;
pub use levelling::LevellingConfig;
pub use model::{CellsModel, model};
pub use records::Records;
pub use simulation::{
    Account, CellConfig, CellSimulation, Exhibits, Findings, Misfit, Setting, SingleSimulation, failed, interrupted,
};
