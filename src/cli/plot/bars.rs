//! Bars over logarithmic time.

use super::{COLOURS, PlotError, chart, svg};
use plotters::prelude::*;

/// Bars: least and greatest time, and height, of each.
pub(crate) fn bars(bars: &[(f64, f64, f64)], x_label: &str, y_label: &str) -> Result<String, PlotError> {
    let least = bars.iter().map(|bar| bar.0).fold(f64::INFINITY, f64::min);
    let greatest = bars.iter().map(|bar| bar.1).fold(least, f64::max);
    let highest = bars.iter().map(|bar| bar.2).fold(0.0, f64::max);
    svg(|root| {
        let x = (least..greatest * 1.01).log_scale();
        let mut chart = chart(root, x, 0.0..highest * 1.05, [x_label, y_label])?;
        let [colour, ..] = COLOURS;
        chart.draw_series(
            bars.iter().map(|&(from, to, height)| Rectangle::new([(from, 0.0), (to, height)], colour.filled())),
        )?;
        Ok(())
    })
}
