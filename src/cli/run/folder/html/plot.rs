//! Plots as SVG that takes its ink from the page, so that it can be read on light and on dark.

use plotters::prelude::*;
use std::ops::Range;
use thiserror::Error;

/// A plot that could not be drawn.
#[derive(Debug, Error)]
#[error("a plot could not be drawn: {0}")]
pub(in crate::cli::run::folder) struct PlotError(String);

/// Stands for the page's ink until the plot is done.
const INK: RGBColor = RGBColor(1, 2, 3);
/// Between the inks of light and dark pages.
const GRID: RGBColor = RGBColor(128, 128, 128);
const LINE: RGBColor = RGBColor(46, 120, 210);

/// A point of a line with the interval about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) half_width: Option<f64>,
}

/// A line with a band about it where there are intervals.
pub(super) fn line(points: &[Point], x_label: &str, y_label: &str) -> Result<String, PlotError> {
    let mut svg = String::new();
    draw(&mut svg, points, x_label, y_label).map_err(|error| PlotError(error.to_string()))?;
    Ok(svg.replace("#010203", "currentColor"))
}

fn draw(svg: &mut String, points: &[Point], x_label: &str, y_label: &str) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(svg, (760, 300)).into_drawing_area();
    let low = |point: &Point| point.y - point.half_width.unwrap_or(0.0);
    let high = |point: &Point| point.y + point.half_width.unwrap_or(0.0);
    let mut chart = ChartBuilder::on(&root)
        .margin(10)
        .x_label_area_size(42)
        .y_label_area_size(78)
        .build_cartesian_2d(range(points.iter().map(|p| p.x)), range(points.iter().flat_map(|p| [low(p), high(p)])))?;
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
    let banded: Vec<_> = points.iter().filter(|point| point.half_width.is_some()).collect();
    let mut outline: Vec<_> = banded.iter().map(|point| (point.x, high(point))).collect();
    outline.extend(banded.iter().rev().map(|point| (point.x, low(point))));
    if outline.len() > 2 {
        chart.draw_series(std::iter::once(Polygon::new(outline, LINE.mix(0.25))))?;
    }
    chart.draw_series(LineSeries::new(points.iter().map(|point| (point.x, point.y)), LINE.stroke_width(2)))?;
    root.present()?;
    Ok(())
}

/// Bars over logarithmic time: least and greatest time, and height, of each.
pub(super) fn bars(bars: &[(f64, f64, f64)], x_label: &str, y_label: &str) -> Result<String, PlotError> {
    let mut svg = String::new();
    draw_bars(&mut svg, bars, x_label, y_label).map_err(|error| PlotError(error.to_string()))?;
    Ok(svg.replace("#010203", "currentColor"))
}

fn draw_bars(
    svg: &mut String,
    bars: &[(f64, f64, f64)],
    x_label: &str,
    y_label: &str,
) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(svg, (760, 300)).into_drawing_area();
    let least = bars.iter().map(|bar| bar.0).fold(f64::INFINITY, f64::min);
    let greatest = bars.iter().map(|bar| bar.1).fold(least, f64::max);
    let highest = bars.iter().map(|bar| bar.2).fold(0.0, f64::max);
    let mut chart = ChartBuilder::on(&root)
        .margin(10)
        .x_label_area_size(42)
        .y_label_area_size(78)
        .build_cartesian_2d((least..greatest * 1.01).log_scale(), 0.0..highest * 1.05)?;
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
    chart.draw_series(
        bars.iter().map(|&(from, to, height)| Rectangle::new([(from, 0.0), (to, height)], LINE.filled())),
    )?;
    root.present()?;
    Ok(())
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
