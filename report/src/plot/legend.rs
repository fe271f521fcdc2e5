//! Legend above a plot, where it covers no line.

use super::{Area, Curve, INK};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;

/// Left end of the legend, which is that of the plot, and its right end.
const ENDS: (i32, i32) = (88, 740);
/// Height of a row.
const ROW: i32 = 18;
/// Length of the sample of a line.
const SAMPLE: i32 = 18;
/// Largest width of a letter, on average.
const LETTER: f64 = 7.2;
/// Distance between a sample and its name, and between a name and the next sample.
const GAP: i32 = 6;

/// Name of a line with its position.
struct Entry<'c> {
    x: i32,
    row: i32,
    name: String,
    curve: &'c Curve,
}

/// Legend of some lines.
pub(super) struct Legend<'c> {
    entries: Vec<Entry<'c>>,
}

impl<'c> Legend<'c> {
    /// Arranges the names of lines in rows.
    pub(super) fn of(curves: &'c [Curve]) -> Self {
        let (mut x, mut row) = (ENDS.0, 0);
        let most = (f64::from(ENDS.1 - ENDS.0 - SAMPLE - GAP) / LETTER) as usize;
        let mut entries = vec![];
        for curve in curves {
            let Some(name) = &curve.name else { continue };
            let name = shortened(name, most);
            let width = SAMPLE + 3 * GAP + (name.chars().count() as f64 * LETTER) as i32;
            if x > ENDS.0 && x + width > ENDS.1 {
                (x, row) = (ENDS.0, row + 1);
            }
            entries.push(Entry { x, row, name, curve });
            x += width;
        }
        Legend { entries }
    }

    /// Height in pixels; 0 without names.
    pub(super) fn height(&self) -> u32 {
        self.entries.last().map_or(0, |last| ((last.row + 1) * ROW) as u32)
    }

    /// Draws the legend at the top of an area, and returns the rest of the area.
    pub(super) fn draw<'s>(&self, root: &Area<'s>) -> Result<Area<'s>, Box<dyn Error>> {
        let (top, rest) = root.split_vertically(self.height());
        let text = ("sans-serif", 13).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
        for Entry { x, row, name, curve } in &self.entries {
            let y = row * ROW + ROW / 2;
            let style = curve.ink().stroke_width(2);
            let dashes = if curve.is_dashed { [(0, 7), (11, SAMPLE)] } else { [(0, 9), (9, SAMPLE)] };
            for (from, to) in dashes {
                top.draw(&PathElement::new([(x + from, y), (x + to, y)], style))?;
            }
            top.draw(&Text::new(name.as_str(), (x + SAMPLE + GAP, y), text.clone()))?;
        }
        Ok(rest)
    }
}

/// Shortens a name to a number of characters.
fn shortened(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_owned();
    }
    name.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Axes, Point, curves_on};
    use super::*;

    /// Numbers of an attribute of the elements with a name.
    fn numbers(svg: &str, element: &str, attribute: &str) -> Vec<f64> {
        let document = roxmltree::Document::parse(svg).unwrap();
        let elements = document.descendants().filter(|node| node.has_tag_name(element));
        let values = elements.flat_map(|node| node.attribute(attribute).unwrap().split([' ', ',']));
        values.filter_map(|number| number.parse().ok()).collect()
    }

    /// Lines that reach all four corners of the plot.
    #[test]
    fn a_legend_lies_over_no_line() {
        let point = |x: f64, y: f64| Point { x, y, half_width: None };
        for (names, rows) in
            [(vec!["a"], 1.0), (vec!["up"; 9], 1.0), (vec!["a flow with a long name, packets"; 6], 3.0)]
        {
            let lines: Vec<_> = (0..)
                .zip(&names)
                .map(|(colour, name)| Curve {
                    points: vec![point(1.0, 10.0), point(2.0, 1.0), point(3.0, 10.0)],
                    ..Curve::new(Some((*name).to_owned()), colour)
                })
                .collect();
            for axes in [Axes::Even, Axes::Logarithmic] {
                let svg = curves_on(axes, &lines, ["x", "y"]).unwrap();
                let lines = numbers(&svg, "polyline", "points");
                let heights: Vec<f64> = lines.chunks(2).map(|place| place[1]).collect();
                // The samples of the legend are lines too: two for each name.
                let (legend, plot): (Vec<f64>, Vec<f64>) = heights.iter().partition(|y| **y < rows * 18.0);
                assert_eq!(legend.len(), names.len() * 4, "{svg}");
                assert!(plot.len() >= names.len() * 3, "{svg}");
                let written = numbers(&svg, "text", "y");
                assert!(written.iter().filter(|y| **y < rows * 18.0).count() >= names.len(), "{svg}");
                let widest = numbers(&svg, "text", "x").into_iter().fold(0.0, f64::max);
                assert!(widest < 740.0, "{svg}");
            }
        }
    }

    #[test]
    fn a_long_name_is_shortened() {
        assert_eq!((shortened("abc", 3), shortened("abcd", 3)), ("abc".to_owned(), "ab…".to_owned()));
    }
}
