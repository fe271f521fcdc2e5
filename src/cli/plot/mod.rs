//! Plots as SVG that takes its ink from the page, so that it can be read on light and on dark.

mod bars;
mod columns;
mod curves;
mod levels;

pub(crate) use bars::bars;
pub(crate) use columns::columns;
pub(crate) use curves::{Axes, Curve, curves, curves_on};
pub(crate) use levels::levels;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use std::error::Error;
use std::ops::Range;
use thiserror::Error as ThisError;

/// A plot that could not be drawn.
#[derive(Debug, ThisError)]
#[error("a plot could not be drawn: {0}")]
pub(crate) struct PlotError(String);

/// Stands for the page's ink until the plot is done.
const INK: RGBColor = RGBColor(1, 2, 3);
/// Between the inks of light and dark pages.
const GRID: RGBColor = RGBColor(128, 128, 128);
/// What lines and bars are drawn in, one after the other.
const COLOURS: [RGBColor; 6] = [
    RGBColor(46, 120, 210),
    RGBColor(214, 96, 36),
    RGBColor(38, 150, 110),
    RGBColor(170, 80, 180),
    RGBColor(190, 150, 20),
    RGBColor(110, 115, 125),
];

/// A point of a line with the interval about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) half_width: Option<f64>,
}

/// A line with a band about it where there are intervals.
pub(crate) fn line(points: &[Point], x_label: &str, y_label: &str) -> Result<String, PlotError> {
    curves(&[Curve { points: points.to_vec(), ..Curve::new(None, 0) }], x_label, y_label)
}

type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;

/// The SVG of what `draw` draws.
fn svg(draw: impl FnOnce(&Area<'_>) -> Result<(), Box<dyn Error>>) -> Result<String, PlotError> {
    let mut svg = String::new();
    let drawn = {
        let root = SVGBackend::with_string(&mut svg, (760, 300)).into_drawing_area();
        draw(&root).and_then(|()| Ok(root.present()?))
    };
    drawn.map_err(|error| PlotError(error.to_string()))?;
    Ok(svg.replace("#010203", "currentColor"))
}

/// A chart with its axes drawn.
fn chart<'s, X, Y>(
    root: &Area<'s>,
    x: impl AsRangedCoord<CoordDescType = X, Value = f64>,
    y: impl AsRangedCoord<CoordDescType = Y, Value = f64>,
    [x_label, y_label]: [&str; 2],
) -> Result<ChartContext<'s, SVGBackend<'s>, Cartesian2d<X, Y>>, Box<dyn Error>>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let mut chart =
        ChartBuilder::on(root).margin(10).x_label_area_size(42).y_label_area_size(78).build_cartesian_2d(x, y)?;
    let text = ("sans-serif", 13).into_font().color(&INK);
    chart
        .configure_mesh()
        .x_desc(x_label)
        .y_desc(y_label)
        .axis_style(INK)
        .bold_line_style(GRID.mix(0.3))
        .light_line_style(TRANSPARENT)
        .label_style(text.clone())
        .axis_desc_style(text)
        .draw()?;
    Ok(chart)
}

/// From the least to the greatest value, with some room; about a single one, a range that is not empty.
fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (least, greatest) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), value| (least.min(value), greatest.max(value)));
    if least > greatest {
        return 0.0..1.0;
    }
    let room = f64::max((greatest - least) * 0.05, greatest.abs().max(1e-9) * 1e-6);
    least - room..greatest + room
}
