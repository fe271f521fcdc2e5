//! Lines through points, with bands about them where there are intervals.

use super::{COLOURS, INK, PlotError, Point, chart, range, svg};
use plotters::prelude::*;

/// A line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Curve {
    /// What the legend calls it; left out of the legend if it has no name.
    pub(crate) name: Option<String>,
    pub(crate) points: Vec<Point>,
    /// Its number among the colours.
    pub(crate) colour: usize,
}

/// Several lines over the same axes.
pub(crate) fn curves(curves: &[Curve], x_label: &str, y_label: &str) -> Result<String, PlotError> {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let (x, y) = (range(points().map(|p| p.x)), range(points().flat_map(|p| [p.low(), p.high()])));
    svg(|root| {
        let mut chart = chart(root, x, y, [x_label, y_label])?;
        for curve in curves {
            let colour = COLOURS.get(curve.colour % COLOURS.len()).copied().unwrap_or(INK);
            let outline = curve.outline();
            if outline.len() > 2 {
                chart.draw_series(std::iter::once(Polygon::new(outline, colour.mix(0.25))))?;
            }
            let places = curve.points.iter().map(|point| (point.x, point.y));
            let style = colour.stroke_width(2);
            let drawn = chart.draw_series(LineSeries::new(places, style))?;
            if let Some(name) = &curve.name {
                drawn.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
            }
        }
        if curves.iter().any(|curve| curve.name.is_some()) {
            let text = ("sans-serif", 13).into_font().color(&INK);
            chart.configure_series_labels().label_font(text).position(SeriesLabelPosition::UpperLeft).draw()?;
        }
        Ok(())
    })
}

impl Curve {
    /// The band about the line.
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
