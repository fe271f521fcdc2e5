//! Results of one fire.

use super::NEVER;
use super::heads::{Arrival, Head, Heads, trace};
use super::plan::Plan;
use crate::fire;
use crate::outcome::Digest;
use imminent_common::parallel;

/// Ignition times of all cells of a landscape, and statistics, which exclude the cells that are lit at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Rows of the landscape.
    pub rows: u32,
    /// Columns of the landscape.
    pub columns: u32,
    /// Simulated time, in milliseconds.
    pub horizon: u32,
    /// Ignition time of each cell, in milliseconds, row by row; [`NEVER`] where it does not burn.
    pub ignition: Vec<u32>,
    /// Number of distinct ignition times.
    pub distinct_times: u64,
    /// Number of cells that ignite.
    pub cells_burnt: u64,
    /// Largest number of cells that ignite at once.
    pub most_simultaneous: u32,
}

impl Outcome {
    /// Counts the statistics of ignition times.
    #[must_use]
    pub fn new(rows: u32, columns: u32, horizon: u32, ignition: Vec<u32>) -> Self {
        let fire::Outcome { ignition, distinct_times, cells_burnt, most_simultaneous, .. } =
            fire::Outcome::new(rows, columns, horizon, ignition);
        Outcome { rows, columns, horizon, ignition, distinct_times, cells_burnt, most_simultaneous }
    }

    /// Returns the digest of the ignition times, of the size of the landscape and of the horizon.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let shape = [self.rows, self.columns, self.horizon].map(u64::from);
        let times: Vec<u64> = self.ignition.iter().copied().map(u64::from).collect();
        Digest::of([&shape[..], &times[..]])
    }

    /// Returns the number of cells that burn, those included that are lit at the start.
    #[must_use]
    pub fn size(&self) -> usize {
        self.ignition.iter().filter(|&&time| time != NEVER).count()
    }
}

/// Behaviour of a fire in each cell at the time of its ignition and in the direction from which fire came, row by row.
/// Where the cell does not burn, reals are NaN and `crown` is 0. A cell that is lit at the start has the behaviour of
/// the head.
#[derive(Clone, Debug, PartialEq)]
pub struct Behaviour {
    /// Rate of spread along the ground, in m/min.
    pub rate: Vec<f32>,
    /// Horizontal rate of spread, as distances on the map have it, in m/min.
    pub horizontal_rate: Vec<f32>,
    /// Fireline intensity (Byram), in kW/m.
    pub intensity: Vec<f32>,
    /// Flame length, in m.
    pub flame_length: Vec<f32>,
    /// Crown fire: 0 none, 1 passive, 2 active.
    pub crown: Vec<u8>,
}

const NOTHING: Head =
    Head { rate: f32::NAN, horizontal_rate: f32::NAN, intensity: f32::NAN, flame_length: f32::NAN, crown: 0 };

impl Behaviour {
    pub(super) fn new(plan: &Plan, scenario: u32, outcome: &Outcome) -> Self {
        let heads = Heads::new(plan, scenario..scenario + 1);
        let mut arrivals: Vec<Arrival> = vec![None; outcome.ignition.len()];
        let burnt = outcome.ignition.iter().enumerate().filter(|&(_, &time)| time != NEVER).map(|(cell, _)| cell);
        trace(plan, scenario, &outcome.ignition, burnt, &mut arrivals);
        let cells = parallel::map(outcome.ignition.len(), |cell| {
            let time = outcome.ignition.get(cell).copied().unwrap_or(NEVER);
            heads.at(scenario, cell, time, arrivals.get(cell).copied().flatten()).unwrap_or(NOTHING)
        });
        Behaviour {
            rate: cells.iter().map(|head| head.rate).collect(),
            horizontal_rate: cells.iter().map(|head| head.horizontal_rate).collect(),
            intensity: cells.iter().map(|head| head.intensity).collect(),
            flame_length: cells.iter().map(|head| head.flame_length).collect(),
            crown: cells.iter().map(|head| head.crown).collect(),
        }
    }
}
