//! Room for the legend of a plot.

use imminent_report::plot::{Axes, Curve, Point};

/// Height of a plot without its labels, in pixels.
const PLOT: f64 = 237.0;
/// Height of a name in the legend, in pixels.
const NAME: f64 = 18.0;
/// Distance of the legend from the lines, in pixels.
const MARGIN: f64 = 10.0;

/// Adds a line of one point, of which nothing is drawn. The vertical axis reaches to it, so that a legend above the
/// lines covers none of them.
pub(super) fn above(lines: &mut Vec<Curve>, axes: Axes) {
    let points = || lines.iter().flat_map(|line| &line.points);
    let Some(x) = points().map(|point| point.x).reduce(f64::min) else { return };
    let (least, greatest) = points().fold((f64::INFINITY, 0.0), |(a, b), p| (p.y.min(a), p.y.max(b)));
    let names = lines.iter().filter(|line| line.name.is_some()).count() as f64;
    // Height of the legend over that of the lines.
    let legend = NAME * names + MARGIN;
    let beside = legend / (PLOT - legend).max(NAME);
    let y = match axes {
        Axes::Even => greatest * (1.0 + beside),
        // The axis begins at a power of ten.
        Axes::Logarithmic => greatest * 10_f64.powf(beside * (greatest.log10() - least.log10().floor())),
    };
    lines.push(Curve { points: vec![Point { x, y, half_width: None }], ..Curve::new(None, 0) });
}
