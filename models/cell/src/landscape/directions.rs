//! Directions in which fire travels from cell to cell.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Rule for the directions in which fire travels from a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Directions {
    /// To the eight neighbours, at the rate of the cell that is reached, as in the fire of Cell-DEVS. The shape of a
    /// fire depends on the angle between wind and grid.
    Eight,
    /// Minimal travel time along straight segments of up to 15 cells, at the rates of the cells that they cross. Each
    /// cell has 16 to 39 segments, which are denser where its ellipse is more curved. Area and head of fires on uniform
    /// ground are within 3 % of those of their ellipse, for ratios of length to width up to 6.
    #[default]
    Adaptive,
}

/// Step from a cell to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Offset {
    /// Rows, southward.
    pub(super) row: i32,
    /// Columns, eastward.
    pub(super) column: i32,
}

impl Offset {
    /// Returns the unit vector of the step, northward and eastward of the grid.
    pub(super) fn unit(self) -> [f64; 2] {
        let (row, column) = (f64::from(self.row), f64::from(self.column));
        let part = |along: f64| libm::copysign((along * along / (row * row + column * column)).sqrt(), along);
        [part(-row), part(column)]
    }

    /// Returns the number of columns or rows of the step, whichever is larger.
    pub(super) const fn reach(self) -> i32 {
        let (row, column) = (self.row.abs(), self.column.abs());
        if row > column { row } else { column }
    }

    pub(super) const fn plus(self, other: Offset) -> Offset {
        Offset { row: self.row + other.row, column: self.column + other.column }
    }
}

#[cfg(test)]
mod tests {
    use super::super::DIRECTIONS;
    use super::*;

    #[test]
    fn units_of_steps_to_neighbours_are_those_of_the_directions() {
        for way in &DIRECTIONS {
            let unit = Offset { row: way.row, column: way.column }.unit();
            assert_eq!(unit, way.toward);
        }
        assert_eq!(Offset { row: -4, column: 3 }.unit(), [0.8, 0.6]);
    }
}
