//! Lines through points, with bands around them for intervals.

use super::axis::Even;
use super::legend::Legend;
use super::{Area, Curve, PlotError, chart, svg};
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use std::error::Error;
use std::ops::Range;

/// Scale of both axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axes {
    /// Linear.
    Even,
    /// Logarithmic; values without a logarithm are left out.
    Logarithmic,
}

/// Draws several lines over the same linear axes.
pub fn curves(curves: &[Curve], x_label: &str, y_label: &str) -> Result<String, PlotError> {
    curves_on(Axes::Even, curves, [x_label, y_label])
}

/// Draws several lines over the same axes.
pub fn curves_on(axes: Axes, curves: &[Curve], labels: [&str; 2]) -> Result<String, PlotError> {
    let legend = Legend::of(curves);
    let points = || curves.iter().flat_map(|curve| &curve.points);
    match axes {
        Axes::Even => {
            let x = Even::along(points().map(|p| p.x));
            let y = Even::around(points().flat_map(|p| [p.low(), p.high()]));
            svg(legend.height(), |root| draw(&legend.draw(root)?, x, y, labels, curves))
        }
        Axes::Logarithmic => {
            let curves: Vec<Curve> = curves.iter().map(Curve::of_positive).collect();
            let points = || curves.iter().flat_map(|curve| &curve.points);
            let (x, y) = (decades(points().map(|p| p.x)), decades(points().map(|p| p.y)));
            svg(legend.height(), |root| draw(&legend.draw(root)?, x.log_scale(), y.log_scale(), labels, &curves))
        }
    }
}

/// Returns the range from the power of ten below the least positive value to the greatest value, with a margin. This
/// marks at least one power of ten.
fn decades(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (least, greatest) = values.fold((f64::INFINITY, 0.0), |(a, b), value| (f64::min(a, value), f64::max(b, value)));
    if least > greatest { 1.0..10.0 } else { 10_f64.powf(least.log10().floor())..greatest * 1.1 }
}

fn draw<X, Y>(
    root: &Area<'_>,
    x: impl AsRangedCoord<CoordDescType = X, Value = f64>,
    y: impl AsRangedCoord<CoordDescType = Y, Value = f64>,
    labels: [&str; 2],
    curves: &[Curve],
) -> Result<(), Box<dyn Error>>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let mut chart = chart(root, x, y, labels)?;
    for curve in curves {
        let colour = curve.ink();
        let outline = curve.outline();
        if outline.len() > 2 {
            chart.draw_series(std::iter::once(Polygon::new(outline, colour.mix(0.25))))?;
        }
        let places = curve.points.iter().map(|point| (point.x, point.y));
        let style = colour.stroke_width(2);
        if curve.is_dashed {
            chart.draw_series(DashedLineSeries::new(places, 6, 4, style))?;
        } else {
            chart.draw_series(LineSeries::new(places, style))?;
        }
    }
    Ok(())
}
