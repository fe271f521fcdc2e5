//! Plots as figures with captions.

use super::escape;
use crate::plot::{self, Axes, Curve, PlotError, curves_on};
use imminent_common::figure::{Line, Plot};

/// Draws lines over common axes; only the caption if there are none.
pub fn plot(plot: &Plot) -> Result<String, PlotError> {
    if plot.lines.is_empty() {
        return Ok(format!("<p>{}</p>\n", escape(&plot.caption)));
    }
    let curve = |(number, line): (usize, &Line)| Curve {
        name: Some(line.name.clone()).filter(|name| !name.is_empty()),
        points: line.points.clone(),
        colour: line.colour.unwrap_or(number),
        is_dashed: line.is_dashed,
    };
    let lines: Vec<_> = plot.lines.iter().enumerate().map(curve).collect();
    let axes = if plot.is_logarithmic { Axes::Logarithmic } else { Axes::Even };
    let [x, y] = &plot.labels;
    Ok(figure(&curves_on(axes, &lines, [x, y])?, &plot.caption))
}

/// Draws a column for each name, with the height of its value.
pub fn columns(values: &[(String, f64)], label: &str, caption: &str) -> Result<String, PlotError> {
    Ok(figure(&plot::columns(values, label)?, caption))
}

fn figure(drawing: &str, caption: &str) -> String {
    format!("<figure>{drawing}<figcaption>{}</figcaption></figure>\n", escape(caption))
}
