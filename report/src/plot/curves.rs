//! Lines through points, with bands around them for intervals.

use super::axis::Even;
use super::{Area, COLOURS, INK, PlotError, Point, chart, svg};
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use std::error::Error;
use std::ops::Range;

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
    let points = || curves.iter().flat_map(|curve| &curve.points);
    match axes {
        Axes::Even => {
            let x = Even::around(points().map(|p| p.x));
            let y = Even::around(points().flat_map(|p| [p.low(), p.high()]));
            svg(|root| draw(root, x, y, labels, curves))
        }
        Axes::Logarithmic => {
            let curves: Vec<Curve> = curves.iter().map(Curve::of_positive).collect();
            let points = || curves.iter().flat_map(|curve| &curve.points);
            let (x, y) = (decades(points().map(|p| p.x)), decades(points().map(|p| p.y)));
            svg(|root| draw(root, x.log_scale(), y.log_scale(), labels, &curves))
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
        let colour = COLOURS.get(curve.colour % COLOURS.len()).copied().unwrap_or(INK);
        let outline = curve.outline();
        if outline.len() > 2 {
            chart.draw_series(std::iter::once(Polygon::new(outline, colour.mix(0.25))))?;
        }
        let places = curve.points.iter().map(|point| (point.x, point.y));
        let style = colour.stroke_width(2);
        let drawn = if curve.is_dashed {
            chart.draw_series(DashedLineSeries::new(places, 6, 4, style))?
        } else {
            chart.draw_series(LineSeries::new(places, style))?
        };
        if let Some(name) = &curve.name {
            drawn.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
        }
    }
    if curves.iter().any(|curve| curve.name.is_some()) {
        let text = ("sans-serif", 13).into_font().color(&INK);
        chart.configure_series_labels().label_font(text).position(corner(curves)).draw()?;
    }
    Ok(())
}

/// Returns the upper corner that the lines leave free.
pub(super) fn corner(curves: &[Curve]) -> SeriesLabelPosition {
    let rise = |curve: &Curve| Some(curve.points.last()?.y - curve.points.first()?.y);
    if curves.iter().filter_map(rise).sum::<f64>() < 0.0 {
        SeriesLabelPosition::UpperRight
    } else {
        SeriesLabelPosition::UpperLeft
    }
}

impl Curve {
    /// Creates a solid line without points.
    pub fn new(name: Option<String>, colour: usize) -> Curve {
        Curve { name, points: Vec::new(), colour, is_dashed: false }
    }

    /// Returns the points with logarithms, without intervals.
    fn of_positive(&self) -> Curve {
        let positive = self.points.iter().filter(|point| point.x > 0.0 && point.y > 0.0);
        let points = positive.map(|point| Point { half_width: None, ..*point }).collect();
        Curve { points, ..self.clone() }
    }

    /// Returns the outline of the band around the line.
    fn outline(&self) -> Vec<(f64, f64)> {
        let banded: Vec<_> = self.points.iter().filter(|point| point.half_width.is_some()).collect();
        let above = banded.iter().map(|point| (point.x, point.high()));
        above.chain(banded.iter().rev().map(|point| (point.x, point.low()))).collect()
    }
}

impl Point {
    pub(super) fn low(&self) -> f64 {
        self.y - self.half_width.unwrap_or(0.0)
    }

    pub(super) fn high(&self) -> f64 {
        self.y + self.half_width.unwrap_or(0.0)
    }
}
