//! Plots as SVG in the page's text colour, readable on light and dark backgrounds.

mod axis;
mod columns;
mod curve;
mod curves;
mod density;
mod legend;
mod levels;

pub use columns::columns;
pub use curve::Curve;
pub use curves::{Axes, curves, curves_on};
pub use density::density;
pub use imminent_common::figure::{Point, Portion};
pub use levels::levels;

use imminent_common::figure::Line;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use std::error::Error;
use thiserror::Error as ThisError;

/// Error of drawing a plot.
#[derive(Debug, ThisError)]
#[error("a plot could not be drawn: {0}")]
pub struct PlotError(String);

/// Placeholder for the page's text colour until the plot is done.
const INK: RGBColor = RGBColor(1, 2, 3);
/// Grey between the text colours of light and dark pages.
const GRID: RGBColor = RGBColor(128, 128, 128);
/// Colours of lines and bars, in order of use.
const COLOURS: [RGBColor; Line::COLOURS] = [
    RGBColor(46, 120, 210),
    RGBColor(214, 96, 36),
    RGBColor(38, 150, 110),
    RGBColor(170, 80, 180),
    RGBColor(190, 150, 20),
    RGBColor(110, 115, 125),
];

/// Draws a line with a band for its intervals.
pub fn line(points: &[Point], x_label: &str, y_label: &str) -> Result<String, PlotError> {
    curves(&[Curve { points: points.to_vec(), ..Curve::new(None, 0) }], x_label, y_label)
}

type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;

/// Returns the SVG that `draw` draws, with space for a legend of some height.
fn svg(legend: u32, draw: impl FnOnce(&Area<'_>) -> Result<(), Box<dyn Error>>) -> Result<String, PlotError> {
    let mut svg = String::new();
    let drawn = {
        let root = SVGBackend::with_string(&mut svg, (760, 300 + legend)).into_drawing_area();
        draw(&root).and_then(|()| Ok(root.present()?))
    };
    drawn.map_err(|error| PlotError(error.to_string()))?;
    Ok(svg.replace("#010203", "currentColor"))
}

/// Draws a chart's axes.
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
    let mut chart = ChartBuilder::on(root)
        .margin(10)
        .margin_right(30)
        .x_label_area_size(42)
        .y_label_area_size(78)
        .build_cartesian_2d(x, y)?;
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// A constant value with intervals of no width must not make an axis of its last digits.
    #[test]
    fn a_flat_line_has_an_axis_that_can_be_read() {
        let point = |x: f64| Point { x, y: 800.0, half_width: Some(0.0) };
        let curve = Curve { points: [1.0, 5.0, 10.0].map(point).to_vec(), ..Curve::new(None, 0) };
        let marks = [1.0, 5.0, 10.0].map(|x| (x, x.to_string()));
        for plot in [line(&curve.points, "x", "y").unwrap(), levels(&[curve], &marks, "x", "y").unwrap()] {
            assert!(plot.contains("\n800\n") && plot.contains("\n700\n") && plot.contains("\n900\n"), "{plot}");
            assert!(!plot.contains("799.") && !plot.contains("800."), "{plot}");
        }
    }
}
