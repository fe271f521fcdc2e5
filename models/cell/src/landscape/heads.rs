//! Behaviour of fire where it arrives: in each cell at the time of its ignition and in the direction from which it
//! came.

use super::NEVER;
use super::directions::Offset;
use super::local::LocalConditions;
use super::plan::Plan;
use super::travel::Departure;
use std::ops::Range;

/// Behaviour in a cell.
#[derive(Clone, Copy, Default)]
pub(super) struct Head {
    pub(super) rate: f32,
    pub(super) horizontal_rate: f32,
    pub(super) intensity: f32,
    pub(super) flame_length: f32,
    pub(super) crown: u8,
}

/// Segment by which fire came to a cell: its number in the list of the cell that it left, and its step. `None` of a
/// cell that was lit or does not burn.
pub(super) type Arrival = Option<(u16, Offset)>;

/// Conditions of all bands of some scenarios.
pub(super) struct Heads<'a> {
    plan: &'a Plan,
    /// By the number of the table of delays, of which bands with one weather have one.
    conditions: Vec<Option<LocalConditions>>,
}

impl<'a> Heads<'a> {
    pub(super) fn new(plan: &'a Plan, scenarios: Range<u32>) -> Self {
        let mut conditions: Vec<Option<LocalConditions>> = vec![None; plan.delays().tables()];
        for scenario in scenarios {
            for (band, state) in (0..).zip(plan.states(scenario)) {
                if let Some(of_table) = conditions.get_mut(plan.table(scenario, band) as usize) {
                    of_table.get_or_insert_with(|| LocalConditions::new(&plan.landscape, state));
                }
            }
        }
        Heads { plan, conditions }
    }

    /// Returns the behaviour in a cell that ignites at a time; `None` where it never does. A cell that was lit has that
    /// of the head.
    pub(super) fn at(&self, scenario: u32, cell: usize, time: u32, came_by: Arrival) -> Option<Head> {
        if time == NEVER {
            return None;
        }
        let plan = self.plan;
        // Fire that arrives when a band ends has come in it.
        let band = plan.bands.of(time.saturating_sub(1));
        let conditions = self.conditions.get(plan.table(scenario, band) as usize)?.as_ref()?;
        let fire = conditions.fire(&plan.landscape, cell)?;
        let toward = came_by.map(|(_, offset)| plan.landscape.turn(cell).of(offset.unit()));
        let share = toward.map_or(1.0, |toward| fire.share(toward));
        let intensity = fire.intensity * share;
        Some(Head {
            rate: (fire.rate * share) as f32,
            horizontal_rate: fire.horizontal_rate(toward.unwrap_or(fire.heading)) as f32,
            intensity: intensity as f32,
            flame_length: fire.flame_length(intensity) as f32,
            crown: fire.crown as u8,
        })
    }
}

/// Finds for the cells of a fire by which segment fire came to each at the time of its ignition. Of several it is the
/// first one clockwise from north. `arrivals` has no segment for any of these cells at first.
pub(super) fn trace(
    plan: &Plan,
    scenario: u32,
    ignition: &[u32],
    burnt: impl Iterator<Item = usize>,
    arrivals: &mut [Arrival],
) {
    let (delays, landscape) = (plan.delays(), &plan.landscape);
    for cell in burnt {
        let Some(&time) = ignition.get(cell) else { continue };
        let (place, departure) = (landscape.place(cell), Departure::new(plan.bands, plan.horizon, time));
        for (number, way) in (0..).zip(delays.ways(scenario, cell)) {
            let Some(other) = landscape.after(place, way.offset) else { continue };
            let Some(&due) = ignition.get(other).filter(|&&due| due != NEVER && due > time) else { continue };
            let delay_in = |band| delays.along(plan.table(scenario, band), cell, way);
            if departure.arrival(delay_in(departure.band), delay_in) == due
                && let Some(found) = arrivals.get_mut(other)
                && found.is_none_or(|(before, _)| number < before)
            {
                *found = Some((number, way.offset));
            }
        }
    }
}
