//! Results of one fire.

use super::NEVER;
use super::behaviour::Conditions;
use super::directions::Offset;
use super::plan::Plan;
use super::travel::Departure;
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

/// Behaviour in a cell.
#[derive(Clone, Copy, Default)]
struct At {
    rate: f32,
    horizontal_rate: f32,
    intensity: f32,
    flame_length: f32,
    crown: u8,
}

const NOTHING: At =
    At { rate: f32::NAN, horizontal_rate: f32::NAN, intensity: f32::NAN, flame_length: f32::NAN, crown: 0 };

impl Behaviour {
    pub(super) fn new(plan: &Plan, scenario: u32, outcome: &Outcome) -> Self {
        let conditions: Vec<Conditions> =
            plan.states(scenario).iter().map(|state| Conditions::on(&plan.landscape, state)).collect();
        let came_by = came_by(plan, scenario, outcome);
        let cells = parallel::map(outcome.ignition.len(), |cell| {
            let came_by = came_by.get(cell).copied().flatten();
            at(plan, outcome, &conditions, cell, came_by).unwrap_or(NOTHING)
        });
        Behaviour {
            rate: cells.iter().map(|at| at.rate).collect(),
            horizontal_rate: cells.iter().map(|at| at.horizontal_rate).collect(),
            intensity: cells.iter().map(|at| at.intensity).collect(),
            flame_length: cells.iter().map(|at| at.flame_length).collect(),
            crown: cells.iter().map(|at| at.crown).collect(),
        }
    }
}

fn at(plan: &Plan, outcome: &Outcome, conditions: &[Conditions], cell: usize, came_by: Option<Offset>) -> Option<At> {
    let time = outcome.ignition.get(cell).copied().filter(|&time| time != NEVER)?;
    let site = plan.landscape.site(cell)?;
    // Fire that arrives when a band ends has come in it.
    let band = plan.bands.of(time.saturating_sub(1));
    let fire = conditions.get(band as usize)?.fire(site)?;
    let toward = came_by.map(|offset| plan.landscape.turn(cell).of(offset.unit()));
    let share = toward.map_or(1.0, |toward| fire.share(toward));
    let intensity = fire.intensity * share;
    Some(At {
        rate: (fire.rate * share) as f32,
        horizontal_rate: fire.horizontal_rate(toward.unwrap_or(fire.heading)) as f32,
        intensity: intensity as f32,
        flame_length: fire.flame_length(intensity) as f32,
        crown: fire.crown as u8,
    })
}

/// Returns for each cell the step by which fire came to it at the time of its ignition; `None` if it was lit or does
/// not burn. Of several it is the first one clockwise from north.
fn came_by(plan: &Plan, scenario: u32, outcome: &Outcome) -> Vec<Option<Offset>> {
    let (delays, landscape) = (plan.delays(), &plan.landscape);
    let mut came_by: Vec<Option<(usize, Offset)>> = vec![None; outcome.ignition.len()];
    for (cell, &time) in outcome.ignition.iter().enumerate().filter(|&(_, &time)| time != NEVER) {
        let (place, departure) = (landscape.place(cell), Departure::new(plan.bands, plan.horizon, time));
        for (number, way) in delays.ways(scenario, cell).enumerate() {
            let Some(other) = landscape.after(place, way.offset) else { continue };
            let Some(&due) = outcome.ignition.get(other).filter(|&&due| due != NEVER && due > time) else { continue };
            let delay_in = |band| delays.along(plan.table(scenario, band), cell, way);
            if departure.arrival(delay_in(departure.band), delay_in) == due
                && let Some(found) = came_by.get_mut(other)
                && found.is_none_or(|(before, _)| number < before)
            {
                *found = Some((number, way.offset));
            }
        }
    }
    came_by.into_iter().map(|found| found.map(|(_, offset)| offset)).collect()
}
