//! Drawings of networks: node positions, and a scale of colours with its legend.

use crate::digits::three;
use plotters::style::colors::colormaps::{ColorMap, ViridisRGB};
use std::fmt::Write;

/// Length of the longer side of a drawing.
pub const SIDE: f64 = 440.0;
/// Number of colours in a legend.
const STEPS: u32 = 40;
/// Margin at the sides.
const MARGIN: f64 = 12.0;

/// Position in a drawing.
pub type MapPoint = (f64, f64);

/// Scale of colours from the least to the greatest value.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    /// Least value.
    pub least: f64,
    /// Greatest value.
    pub greatest: f64,
}

impl Scale {
    /// Creates the scale of values; it is empty without any.
    pub fn of(values: impl Iterator<Item = f64>) -> Self {
        let (least, greatest) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), value| {
            (least.min(value), greatest.max(value))
        });
        if least <= greatest { Self { least, greatest } } else { Self { least: 0.0, greatest: 0.0 } }
    }

    /// Returns the colour of a value, as in CSS.
    pub fn colour(&self, value: f64) -> String {
        let share = if self.greatest > self.least { (value - self.least) / (self.greatest - self.least) } else { 0.5 };
        let colour = ViridisRGB.get_color(share.clamp(0.0, 1.0) as f32);
        format!("#{:02x}{:02x}{:02x}", colour.0, colour.1, colour.2)
    }

    /// Draws a bar of colours with the values at its ends and in its middle.
    pub fn legend(&self, svg: &mut String, top: f64) {
        let step = SIDE / f64::from(STEPS);
        for index in 0..STEPS {
            let share = (f64::from(index) + 0.5) / f64::from(STEPS);
            let colour = self.colour(self.least + share * (self.greatest - self.least));
            let x = f64::from(index) * step;
            let _ = write!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"12\" fill=\"{colour}\"/>",
                step + 0.5
            );
        }
        let middle = (self.least + self.greatest) / 2.0;
        let marks = [(0.0, "start", self.least), (SIDE / 2.0, "middle", middle), (SIDE, "end", self.greatest)];
        for (x, anchor, value) in marks {
            let y = top + 28.0;
            let _ = write!(
                svg,
                "<text x=\"{x}\" y=\"{y:.1}\" font-size=\"13\" fill=\"currentColor\" text-anchor=\"{anchor}\">{}</text>",
                three(value)
            );
        }
    }
}

/// Begins a drawing with space for a legend below.
pub fn open(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{0:.0}\" viewBox=\"0 0 {width:.0} {0:.0}\">",
        height + 44.0
    )
}

/// Fits positions into the drawing with north above; `None` if fewer than two are known.
pub fn fit(positions: &[Option<MapPoint>]) -> Option<Vec<Option<MapPoint>>> {
    let known = || positions.iter().flatten();
    if known().count() < 2 {
        return None;
    }
    let (x, y) = (Scale::of(known().map(|p| p.0)), Scale::of(known().map(|p| p.1)));
    let span = f64::max(x.greatest - x.least, y.greatest - y.least).max(f64::MIN_POSITIVE);
    let inside = SIDE - 2.0 * MARGIN;
    let place =
        |(px, py): MapPoint| (MARGIN + (px - x.least) / span * inside, MARGIN + (y.greatest - py) / span * inside);
    Some(positions.iter().map(|position| position.map(place)).collect())
}

/// Returns the height of a drawing that includes all positions.
pub fn height(places: &[Option<MapPoint>]) -> f64 {
    places.iter().flatten().map(|place| place.1).fold(0.0, f64::max) + MARGIN
}

/// Returns positions on a circle around the centre, the first at the top. A `radius` of 1 is the largest circle in the
/// drawing.
pub fn circle(count: usize, radius: f64) -> impl Fn(f64) -> MapPoint {
    let middle = SIDE / 2.0;
    let radius = radius * (middle - MARGIN);
    move |number| {
        let angle = std::f64::consts::TAU * number / count.max(1) as f64;
        (middle + radius * angle.sin(), middle - radius * angle.cos())
    }
}
