//! Line of a plot with its points and colour.

use super::{COLOURS, INK};
use imminent_common::figure::Point;
use plotters::style::RGBColor;

/// Line of a plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Name in the legend; a line without a name is not in the legend.
    pub name: Option<String>,
    /// Points from left to right.
    pub points: Vec<Point>,
    /// Index of the colour.
    pub colour: usize,
    /// `true` for a dashed line.
    pub is_dashed: bool,
}

impl Curve {
    /// Creates a solid line without points.
    pub fn new(name: Option<String>, colour: usize) -> Curve {
        Curve { name, points: Vec::new(), colour, is_dashed: false }
    }

    /// Returns the colour of the line.
    pub(super) fn ink(&self) -> RGBColor {
        COLOURS.get(self.colour % COLOURS.len()).copied().unwrap_or(INK)
    }

    /// Returns the points with logarithms, without intervals.
    pub(super) fn of_positive(&self) -> Curve {
        let positive = self.points.iter().filter(|point| point.x > 0.0 && point.y > 0.0);
        let points = positive.map(|point| Point { half_width: None, ..*point }).collect();
        Curve { points, ..self.clone() }
    }

    /// Returns the outline of the band around the line.
    pub(super) fn outline(&self) -> Vec<(f64, f64)> {
        let banded: Vec<_> = self.points.iter().filter(|point| point.half_width.is_some()).collect();
        let above = banded.iter().map(|point| (point.x, point.high()));
        above.chain(banded.iter().rev().map(|point| (point.x, point.low()))).collect()
    }
}
