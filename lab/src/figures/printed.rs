//! Values that a paper prints, as dashed lines beside the measured ones.

use imminent_report::plot::{Curve, Point};

/// Half the width of a mark on a logarithmic axis, as a factor.
const HALF: f64 = 1.08;

/// Returns a line that has no name in the legend, in the colour of one that has.
pub(super) fn unnamed(line: Curve) -> Curve {
    Curve { name: None, ..line }
}

/// Returns a level from one end of the plot to the other.
pub(super) fn level(name: &str, [from, to]: [f64; 2], y: f64, colour: usize) -> Curve {
    through(name, &[(from, y), (to, y)], colour)
}

/// Returns a short mark for one value of a plot with logarithmic axes.
pub(super) fn mark(name: &str, (x, y): (f64, f64), colour: usize) -> Curve {
    level(name, [x / HALF, x * HALF], y, colour)
}

/// Returns a line through several values.
pub(super) fn through(name: &str, values: &[(f64, f64)], colour: usize) -> Curve {
    let points = values.iter().map(|&(x, y)| Point { x, y, half_width: None }).collect();
    Curve { points, is_dashed: true, ..Curve::new(Some(name.to_owned()), colour) }
}

/// Returns the least and greatest horizontal position of lines.
pub(super) fn ends(lines: &[Curve]) -> [f64; 2] {
    let places = || lines.iter().flat_map(|line| &line.points).map(|point| point.x);
    [places().fold(f64::INFINITY, f64::min), places().fold(f64::NEG_INFINITY, f64::max)]
}
