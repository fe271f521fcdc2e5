//! Column charts.

use super::axis::Even;
use super::levels::Marks;
use super::{COLOURS, PlotError, chart, svg};
use plotters::prelude::*;

/// Draws a column for each name, with the height of its value.
pub fn columns(values: &[(String, f64)], label: &str) -> Result<String, PlotError> {
    let marks: Vec<_> =
        (0..values.len()).map(|at| at as f64).zip(values.iter().map(|(name, _)| name.clone())).collect();
    let highest = values.iter().map(|(_, value)| *value).fold(f64::MIN_POSITIVE, f64::max);
    let places = (-0.5..values.len().max(1) as f64 - 0.5).into();
    svg(0, |root| {
        let mut chart = chart(root, Marks { places, marks }, Even::up_to(highest), ["", label])?;
        let [colour, ..] = COLOURS;
        let column = |(at, (_, value)): (usize, &(String, f64))| {
            Rectangle::new([(at as f64 - 0.3, 0.0), (at as f64 + 0.3, *value)], colour.filled())
        };
        chart.draw_series(values.iter().enumerate().map(column))?;
        Ok(())
    })
}
