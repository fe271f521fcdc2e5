//! Fires to run, whatever the engine.

use super::NEVER;
use super::delays::{Delays, RATE_BYTES};
use super::error::WildfireError;
use super::layers::Landscape;
use super::local::LocalState;
use super::weather::{self, Bands, Weather};
use crate::time::MILLISECONDS_PER_HOUR;
use imminent_common::free_memory;
use std::sync::{Arc, OnceLock};

/// Hours of a band unless others are asked for.
pub(super) const BAND_HOURS: f64 = 1.0;

/// Start of a fire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Start {
    /// Numbers of the cells that are lit.
    pub(super) cells: Vec<u32>,
    /// Number of the weather scenario.
    pub(super) scenario: u32,
}

/// A landscape, scenarios of weather and fires.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) landscape: Arc<Landscape>,
    scenarios: Vec<Vec<Weather>>,
    pub(super) bands: Bands,
    pub(super) horizon: u32,
    pub(super) fires: Vec<Start>,
    /// Cells at which the arrival of each fire is told.
    pub(super) points: Vec<u32>,
    /// `true` to count fires by the lengths of their flames.
    pub(super) flames: bool,
    /// States of all bands, scenario by scenario.
    states: Vec<LocalState>,
    delays: OnceLock<Delays>,
}

impl Plan {
    /// Checks scenarios and hours.
    pub(super) fn new(
        landscape: Arc<Landscape>,
        scenarios: Vec<Vec<Weather>>,
        hours: f64,
    ) -> Result<Self, WildfireError> {
        let milliseconds = hours * MILLISECONDS_PER_HOUR;
        if !(0.0..f64::from(NEVER - 1)).contains(&milliseconds) {
            return Err(WildfireError::Hours { hours });
        }
        if scenarios.is_empty() {
            return Err(weather::WeatherError::Empty.into());
        }
        for scenario in &scenarios {
            weather::check(scenario)?;
        }
        let horizon = milliseconds as u32;
        let bands = Bands::new(BAND_HOURS, horizon)?;
        let mut plan = Plan {
            landscape,
            scenarios,
            bands,
            horizon,
            fires: Vec::new(),
            points: Vec::new(),
            flames: false,
            states: Vec::new(),
            delays: OnceLock::new(),
        };
        plan.states = plan.all_states();
        Ok(plan)
    }

    /// Cuts the weather into bands of other hours.
    pub(super) fn with_band(mut self, hours: f64) -> Result<Self, WildfireError> {
        self.bands = Bands::new(hours, self.horizon)?;
        self.states = self.all_states();
        self.delays = OnceLock::new();
        Ok(self)
    }

    fn all_states(&self) -> Vec<LocalState> {
        let of_scenario = |scenario: &Vec<Weather>| -> Vec<LocalState> {
            self.bands.starts().filter_map(|hour| LocalState::at(&self.landscape, scenario, hour)).collect()
        };
        self.scenarios.iter().flat_map(of_scenario).collect()
    }

    /// Returns the number of a cell that is to be lit.
    pub(super) fn ignition(&self, (row, column): (u32, u32)) -> Result<u32, WildfireError> {
        let cell = self.cell((row, column))?;
        if self.landscape.site(cell as usize).is_none() {
            let fuel = self.landscape.layers().fuel.get(cell as usize).copied().unwrap_or(0);
            return Err(WildfireError::Unburnable { row, column, fuel });
        }
        Ok(cell)
    }

    /// Returns the number of a cell.
    pub(super) fn cell(&self, (row, column): (u32, u32)) -> Result<u32, WildfireError> {
        let (rows, columns) = (self.landscape.rows(), self.landscape.columns());
        let outside = WildfireError::Outside { row, column, rows, columns };
        self.landscape.cell(row, column).map(|cell| cell as u32).ok_or(outside)
    }

    /// Returns the number of scenarios.
    pub(super) fn scenarios(&self) -> u32 {
        self.scenarios.len() as u32
    }

    /// Returns the states of the bands of a scenario.
    pub(super) fn states(&self, scenario: u32) -> &[LocalState] {
        let count = self.bands.count as usize;
        let first = scenario as usize * count;
        self.states.get(first..first + count).unwrap_or_default()
    }

    /// Fails if the delays of all cells do not fit into memory, else computes them unless that has been done.
    pub(super) fn prepare(&self) -> Result<&Delays, WildfireError> {
        if self.delays.get().is_none() {
            let bytes = (self.states.len() * self.landscape.cells() * RATE_BYTES) as u64;
            if let Some(free) = free_memory::free().filter(|&free| bytes > free) {
                return Err(WildfireError::Memory { bytes, free });
            }
        }
        Ok(self.delays())
    }

    /// Returns the delays of all cells in all states.
    pub(super) fn delays(&self) -> &Delays {
        self.delays.get_or_init(|| Delays::new(Arc::clone(&self.landscape), &self.states, self.bands.count))
    }

    /// Returns the number of the table of delays of a band.
    #[inline]
    pub(super) fn table(&self, scenario: u32, band: u32) -> u32 {
        let at = scenario as usize * self.bands.count as usize + band as usize;
        self.delays().table_of.get(at).copied().unwrap_or(0)
    }
}
