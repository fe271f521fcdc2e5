//! Plots of means over the levels of a parameter, joined by lines, with intervals.

use super::axis::Even;
use super::legend::Legend;
use super::{Curve, PlotError, chart, svg};
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::ops::Range;

/// Draws lines over levels. The points' horizontal positions are those of the levels, whose names mark the axis.
pub fn levels(curves: &[Curve], marks: &[(f64, String)], x_label: &str, y_label: &str) -> Result<String, PlotError> {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let (x, y) = (room_about(marks), Even::around(points().flat_map(|p| [p.low(), p.high()])));
    // The lines are shifted a little, so that intervals of several lines can be distinguished.
    let apart = (x.end - x.start) * 0.006;
    let legend = Legend::of(curves);
    svg(legend.height(), |root| {
        let mut chart = chart(
            &legend.draw(root)?,
            Marks { places: x.clone().into(), marks: marks.to_vec() },
            y,
            [x_label, y_label],
        )?;
        for (number, curve) in curves.iter().enumerate() {
            let colour = curve.ink();
            let style = colour.stroke_width(2);
            let shift = apart * (number as f64 - (curves.len() as f64 - 1.0) / 2.0);
            let places: Vec<_> = curve.points.iter().map(|point| (point.x + shift, *point)).collect();
            chart.draw_series(LineSeries::new(places.iter().map(|(x, point)| (*x, point.y)), style))?;
            chart.draw_series(places.iter().map(|(x, point)| Circle::new((*x, point.y), 3, colour.filled())))?;
            let banded = places.iter().filter(|(_, point)| point.half_width.is_some());
            chart.draw_series(
                banded.map(|(x, point)| PathElement::new([(*x, point.low()), (*x, point.high())], colour)),
            )?;
        }
        Ok(())
    })
}

/// Returns the range from the first mark to the last, with a margin.
fn room_about(marks: &[(f64, String)]) -> Range<f64> {
    let places = || marks.iter().map(|mark| mark.0);
    let (least, greatest) = (places().fold(f64::INFINITY, f64::min), places().fold(f64::NEG_INFINITY, f64::max));
    match greatest > least {
        true => least - (greatest - least) * 0.05..greatest + (greatest - least) * 0.05,
        false if least.is_finite() => least - 0.5..least + 0.5,
        false => 0.0..1.0,
    }
}

/// Axis with named marks.
pub(super) struct Marks {
    pub(super) places: RangedCoordf64,
    pub(super) marks: Vec<(f64, String)>,
}

impl Ranged for Marks {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.places.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.marks.iter().map(|mark| mark.0).collect()
    }

    fn range(&self) -> Range<f64> {
        self.places.range()
    }
}

impl ValueFormatter<f64> for Marks {
    fn format_ext(&self, value: &f64) -> String {
        let mark = self.marks.iter().find(|mark| mark.0 == *value);
        mark.map_or_else(String::new, |mark| mark.1.clone())
    }
}
