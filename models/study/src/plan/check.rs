//! Checks of whether there can be runs of a study's points.

use super::{Dimension, Study};
use crate::definition::DefinitionError;
use crate::laboratory::{Fault, Point};

/// The most points that are all checked, and the most values of an axis, or rows of a sample.
pub const MAX_CHECKED: u64 = 1_000;

/// Check of a point. Its error says why there can be no runs of the point.
type Possible<'a> = &'a mut dyn FnMut(&Point) -> Result<(), Fault>;

impl Study {
    /// Returns `true` if [`Study::check`] checks every point. Otherwise it checks values.
    #[must_use]
    pub fn checks_every_point(&self) -> bool {
        self.points <= MAX_CHECKED
    }

    /// Checks that there can be runs: of every point of at most [`MAX_CHECKED`]. Of more, it checks each value of each
    /// axis, and each row of each sample, beside the first of the others; of a longer axis or sample, so many that lie
    /// evenly among them, the first and the last included.
    ///
    /// # Errors
    /// [`DefinitionError`], which names the value that is not possible, or the point where only values together are
    /// not.
    pub fn check(&self, possible: &mut dyn FnMut(&Point) -> Result<(), Fault>) -> Result<(), DefinitionError> {
        if let Err(fault) = self.ask(0, possible) {
            return Err(self.blame_first(&fault, possible));
        }
        for (dimension, stride) in self.dimensions.iter().zip(self.strides()) {
            for row in spaced(dimension.rows.len() as u64) {
                self.ask(row * stride, possible).map_err(|fault| self.blame(dimension, row, &fault))?;
            }
        }
        if self.checks_every_point() && self.dimensions.len() > 1 {
            for number in 0..self.points {
                self.ask(number, possible).map_err(|fault| self.blame_point(number, &fault))?;
            }
        }
        Ok(())
    }

    fn ask(&self, number: u64, possible: Possible<'_>) -> Result<(), Fault> {
        self.point(number).map_or(Ok(()), |point| possible(&point))
    }

    /// From a row of each dimension to the next, in numbers of points.
    fn strides(&self) -> Vec<u64> {
        let mut stride = 1;
        let mut strides: Vec<u64> = vec![];
        for dimension in self.dimensions.iter().rev() {
            strides.push(stride);
            stride *= dimension.rows.len() as u64;
        }
        strides.reverse();
        strides
    }

    /// Says which of the first values is at fault for the first point: that without which there could be runs.
    fn blame_first(&self, fault: &Fault, possible: Possible<'_>) -> DefinitionError {
        for (dimension, stride) in self.dimensions.iter().zip(self.strides()) {
            let rows = dimension.rows.len() as u64;
            if [1, rows / 2, rows - 1]
                .into_iter()
                .any(|row| row > 0 && row < rows && self.ask(row * stride, possible).is_ok())
            {
                return self.blame(dimension, 0, fault);
            }
        }
        self.blame_point(0, fault)
    }

    fn blame(&self, dimension: &Dimension, row: u64, fault: &Fault) -> DefinitionError {
        let key = match dimension.is_listed {
            true => format!("{}.values[{row}]", dimension.key),
            false => dimension.key.clone(),
        };
        let values = dimension.rows.get(row as usize).into_iter().flat_map(|row| &row.values);
        let names = dimension.parameters.iter().filter_map(|place| self.description.parameters.get(*place));
        let values: Vec<_> =
            names.zip(values).map(|(parameter, value)| format!("{} = {value}", parameter.name)).collect();
        DefinitionError::value(&key, format!("{}: {fault}", values.join(", ")))
    }

    fn blame_point(&self, number: u64, fault: &Fault) -> DefinitionError {
        let Some(first) = self.dimensions.first() else { return DefinitionError::value("fixed", fault.to_string()) };
        DefinitionError::value(&first.key, format!("point {number} ({}): {fault}", self.varied(number).join(", ")))
    }

    /// Returns the parameters that vary, with their values at a point.
    #[must_use]
    pub fn varied(&self, point: u64) -> Vec<String> {
        let value = |place: usize| Some((self.description.parameters.get(place)?, self.value(point, place)?));
        let varied = self.varying().into_iter().filter_map(value);
        varied.map(|(parameter, value)| format!("{} = {value}", parameter.name)).collect()
    }
}

/// The places of all rows but the first, or of so many as are checked.
fn spaced(rows: u64) -> impl Iterator<Item = u64> {
    let count = rows.min(MAX_CHECKED);
    (1..count).map(move |number| number * (rows - 1) / (count - 1))
}
