//! Fire in the cells of a landscape under a state of the weather.

use super::behaviour::{CellFire, Conditions};
use super::layers::Landscape;
use super::weather::{State, Weather, at};
use super::winds::WindTime;

/// State of the weather over a landscape, with the winds of its cells if it has [`Winds`](super::Winds).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LocalState {
    state: State,
    winds: Option<WindTime>,
}

impl LocalState {
    /// Returns the state at an hour; `None` without weather.
    pub(super) fn at(landscape: &Landscape, weather: &[Weather], hour: f64) -> Option<Self> {
        let state = at(weather, hour)?;
        let winds = landscape.winds().map(|winds| winds.at(hour));
        // States that differ in a wind without effect are equal.
        let wind = if winds.is_some() { [0.0; 2] } else { state.wind };
        Some(LocalState { state: State { wind, ..state }, winds })
    }
}

/// Conditions in all cells of a landscape.
#[derive(Clone, Debug)]
pub(super) struct LocalConditions {
    conditions: Conditions,
    state: LocalState,
}

impl LocalConditions {
    pub(super) fn new(landscape: &Landscape, state: &LocalState) -> Self {
        LocalConditions { conditions: Conditions::on(landscape, &state.state), state: *state }
    }

    /// Returns the wind at 20 ft in a cell of the landscape, in m/s: its northward and eastward parts.
    pub(super) fn wind(&self, landscape: &Landscape, cell: usize) -> [f64; 2] {
        match (self.state.winds, landscape.winds()) {
            (Some(time), Some(winds)) => winds.in_cell(time, cell),
            _ => self.state.state.wind,
        }
    }

    /// Returns the fire in a cell of the landscape; `None` where nothing spreads.
    pub(super) fn fire(&self, landscape: &Landscape, cell: usize) -> Option<CellFire> {
        let site = landscape.site(cell)?;
        match self.state.winds {
            Some(_) => self.conditions.fire_in(site, self.wind(landscape, cell)),
            None => self.conditions.fire(site),
        }
    }
}
