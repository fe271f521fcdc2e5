//! Rain and springs, and the water that they bring in each step.

use serde::{Deserialize, Serialize};

/// Fraction bits of a rate below one unit a step.
pub(crate) const FRACTION: u32 = 20;

/// Part of the terrain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Zone {
    /// All cells.
    #[default]
    Everywhere,
    /// A rectangle of cells.
    Rectangle {
        /// First row, from 0.
        row: u32,
        /// First column, from 0.
        column: u32,
        /// Number of rows.
        rows: u32,
        /// Number of columns.
        columns: u32,
    },
}

/// Rain on a part of the terrain for some time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rain {
    /// Intensity, in mm/h.
    pub intensity: f64,
    /// Cells on which it falls.
    #[serde(default)]
    pub zone: Zone,
    /// Start, in hours from the start of the run.
    #[serde(default)]
    pub start: f64,
    /// End, in hours; infinite for the whole run.
    #[serde(default = "for_ever")]
    pub end: f64,
}

impl Rain {
    /// Describes rain of some mm/h on all cells for the whole run.
    #[must_use]
    pub const fn everywhere(intensity: f64) -> Self {
        Rain { intensity, zone: Zone::Everywhere, start: 0.0, end: f64::INFINITY }
    }
}

/// Point source of water for some time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    /// Row of its cell, from 0.
    pub row: u32,
    /// Column of its cell, from 0.
    pub column: u32,
    /// Discharge, in m³/s.
    pub discharge: f64,
    /// Start, in hours from the start of the run.
    #[serde(default)]
    pub start: f64,
    /// End, in hours; infinite for the whole run.
    #[serde(default = "for_ever")]
    pub end: f64,
}

const fn for_ever() -> f64 {
    f64::INFINITY
}

/// Water that comes into a cell: a rate between two steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Inflow {
    pub(super) zone: Zone,
    /// Units a step, with [`FRACTION`] fraction bits.
    pub(super) rate: u64,
    /// First step in which it flows.
    pub(super) from: u32,
    /// First step in which it does not flow any more.
    pub(super) until: u32,
}

impl Inflow {
    /// Returns `true` if the inflow brings water into a cell in a step.
    fn flows(&self, step: u32, row: u32, column: u32) -> bool {
        let here = match self.zone {
            Zone::Everywhere => true,
            Zone::Rectangle { row: top, column: left, rows, columns } => {
                row >= top && row - top < rows && column >= left && column - left < columns
            }
        };
        here && (self.from..self.until).contains(&step)
    }
}

/// Steps between two changes of the inflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) first: u32,
    pub(super) steps: u32,
}

/// Cuts a run where an inflow starts or ends.
pub(super) fn segments(inflows: &[Inflow], steps: u32) -> Vec<Segment> {
    let mut cuts: Vec<u32> = inflows.iter().flat_map(|inflow| [inflow.from, inflow.until]).collect();
    cuts.retain(|&cut| cut > 0 && cut < steps);
    cuts.extend([0, steps]);
    cuts.sort_unstable();
    cuts.dedup();
    cuts.iter().zip(cuts.iter().skip(1)).map(|(&first, &end)| Segment { first, steps: end - first }).collect()
}

/// Returns the rate of each cell in a step, row by row; 0 where `inside` is false.
pub(super) fn rates(inflows: &[Inflow], step: u32, columns: u32, inside: &[bool]) -> Vec<u64> {
    let rate = |(cell, &inside): (usize, &bool)| {
        let (row, column) = (cell as u32 / columns, cell as u32 % columns);
        let here = inflows.iter().filter(|inflow| inside && inflow.flows(step, row, column));
        here.map(|inflow| inflow.rate).sum()
    };
    inside.iter().enumerate().map(rate).collect()
}

/// Returns the units that a rate brings in the first `steps` steps.
pub(crate) const fn brought(rate: u64, steps: u32) -> u128 {
    (rate >> FRACTION) as u128 * steps as u128 + (((rate & ((1 << FRACTION) - 1)) * steps as u64) >> FRACTION) as u128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_cut_where_inflows_start_and_end() {
        let inflow = |from, until| Inflow { zone: Zone::Everywhere, rate: 1, from, until };
        let cuts = segments(&[inflow(0, 5), inflow(3, 90), inflow(40, 50)], 60);
        let expected = [(0, 3), (3, 2), (5, 35), (40, 10), (50, 10)];
        assert_eq!(cuts, expected.map(|(first, steps)| Segment { first, steps }));
        assert_eq!(segments(&[], 7), [Segment { first: 0, steps: 7 }]);
        assert_eq!(segments(&[inflow(0, 9)], 0), []);
    }

    #[test]
    fn zones_hold_their_cells_alone() {
        let zone = Zone::Rectangle { row: 1, column: 1, rows: 1, columns: 5 };
        let inflows = [
            Inflow { zone, rate: 7, from: 0, until: 2 },
            Inflow { zone: Zone::Everywhere, rate: 1, from: 1, until: 2 },
        ];
        let inside = [true, true, true, true, true, false];
        assert_eq!(rates(&inflows, 0, 3, &inside), [0, 0, 0, 0, 7, 0]);
        assert_eq!(rates(&inflows, 1, 3, &inside), [1, 1, 1, 1, 8, 0]);
        assert_eq!(brought((3 << FRACTION) + (1 << FRACTION) / 3, 4), 13);
    }
}
