//! Figures of cell spaces, and the runs of each.

use super::setting::{Model, Setting};
use clap::ValueEnum;
use imminent::models::cell::Engine;

/// A figure of the paper, or one of this project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum Figure {
    /// Time of the fire and the flood by processors.
    #[value(name = "11")]
    Times,
    /// Speed by processors, beside one.
    #[value(name = "12")]
    SpeedUps,
    /// Time of the fire by the side of the grid.
    #[value(name = "sides")]
    Sides,
}

/// Sizes of the runs.
#[derive(Debug)]
pub(super) struct Sizes {
    /// Number of cells along a side for figures 11 and 12.
    pub(super) side: u32,
    /// Numbers of cells along a side for the figure of sides.
    pub(super) sides: Vec<u32>,
    pub(super) fire_hours: f64,
    pub(super) flood_hours: f64,
}

impl Figure {
    pub(super) fn title(self) -> &'static str {
        match self {
            Figure::Times => "Figure 11: wall time of a simulated hour by processors, in seconds",
            Figure::SpeedUps => "Figure 12: speed beside one thread by processors",
            Figure::Sides => "Figure sides: wall time of a simulated hour of fire by the side of the grid, in seconds",
        }
    }

    /// Returns the runs of the figure.
    pub(super) fn settings(self, sizes: &Sizes) -> Vec<Setting> {
        let fire = |engine, side| Setting { model: Model::Fire, engine, side, hours: sizes.fire_hours };
        let flood = Setting { model: Model::Flood, engine: Engine::Step, side: sizes.side, hours: sizes.flood_hours };
        match self {
            Figure::Times => {
                let fires = [Engine::Window, Engine::Step, Engine::Sequential].map(|engine| fire(engine, sizes.side));
                fires.into_iter().chain([flood]).collect()
            }
            Figure::SpeedUps => {
                let fires = [Engine::Window, Engine::Step].map(|engine| fire(engine, sizes.side));
                fires.into_iter().chain([flood]).collect()
            }
            Figure::Sides => sizes.sides.iter().map(|&side| fire(Engine::Window, side)).collect(),
        }
    }
}
