//! Figures 11 and 12 of the paper on the Cell processor, measured anew: fire and flood by processors.

mod paper;
mod setting;
mod shown;

use crate::Engine;
use imminent_study::Figures;
use imminent_study::figures::{Figure, Publication, Usual};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use setting::{Model, Setting, is_for};

/// Returns the figures.
pub(crate) fn of_liu_and_wainer() -> Figures {
    let figure = |name, title, settings, contents| Figure { is_for, ..Figure::new(name, title, settings, contents) };
    Figures::from(Publication {
        name: "cells",
        about: "Figures 11 and 12 of cell spaces: times of the fire and the flood, in several places.",
        title: "Fire and flood in cell spaces",
        introduction: "Figures 11 and 12 of Liu and Wainer, measured anew: 1024 x 1024 cells of fire and flood.",
        places: &[Usual::Threads(1), Usual::AllThreads, Usual::Devices],
        figures: vec![
            figure(
                "11",
                "Figure 11: wall time of a simulated hour by processors, in seconds",
                |options: &Options| options.fires_and_flood(&[Engine::Window, Engine::Step, Engine::Sequential]),
                shown::times,
            ),
            figure(
                "12",
                "Figure 12: speed beside one thread by processors",
                |options: &Options| options.fires_and_flood(&[Engine::Window, Engine::Step]),
                shown::speed_ups,
            ),
            figure(
                "sides",
                "Figure sides: wall time of a simulated hour of fire by the side of the grid, in seconds",
                |options: &Options| options.sides.iter().map(|&side| options.fire(Engine::Window, side)).collect(),
                shown::sides,
            ),
        ],
        measure: |options: Options| {
            Box::new(move |setting: &Setting, place| setting.fastest(place.device.as_ref(), options.runs))
        },
    })
}

/// Sizes of the runs.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Options {
    /// Number of cells along a side in figures 11 and 12.
    #[schemars(range(min = 16, max = 16_384))]
    side: u32,
    /// Numbers of cells along a side in the figure of sides.
    #[schemars(inner(range(min = 16, max = 16_384)))]
    sides: Vec<u32>,
    /// Simulated time of the fire.
    #[schemars(range(min = 0.001, max = 500.0), extend("unit" = "h"))]
    hours: f64,
    /// Simulated time of the flood.
    #[schemars(range(min = 0.001, max = 500.0), extend("unit" = "h"))]
    flood_hours: f64,
    /// Number of runs of each point, of which the fastest counts.
    #[schemars(range(min = 1, max = 100))]
    runs: u32,
}

impl Default for Options {
    fn default() -> Self {
        let sides = vec![64, 128, 256, 512, 1024, 2048, 4096];
        Options { side: paper::SIDE, sides, hours: paper::HOURS, flood_hours: paper::HOURS, runs: 3 }
    }
}

impl Options {
    fn fire(&self, engine: Engine, side: u32) -> Setting {
        Setting { model: Model::Fire, engine, side, hours: self.hours }
    }

    fn fires_and_flood(&self, engines: &[Engine]) -> Vec<Setting> {
        let flood = Setting { model: Model::Flood, engine: Engine::Step, side: self.side, hours: self.flood_hours };
        engines.iter().map(|&engine| self.fire(engine, self.side)).chain([flood]).collect()
    }
}
