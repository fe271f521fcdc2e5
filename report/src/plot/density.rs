//! Plots of densities.

use super::axis::Even;
use super::{COLOURS, PlotError, chart, svg};
use imminent_common::figure::Portion;
use plotters::prelude::*;

/// Number of bars of a density.
const BARS: usize = 60;
/// Largest share of the values beyond the end of the axis.
const BEYOND: f64 = 0.001;

/// Bars of equal width from 0 to the end of the axis.
#[derive(Debug, Clone, PartialEq)]
struct Bars {
    width: f64,
    /// Height of each bar: its share of the values over its width.
    heights: Vec<f64>,
    beyond: f64,
}

/// Draws the density of portions in ascending order over a linear axis. Also returns the share of the values beyond its
/// end. `None` without values.
pub fn density(portions: &[Portion], unit: &str) -> Result<Option<(String, f64)>, PlotError> {
    let Some(Bars { width, heights, beyond }) = bars(portions) else { return Ok(None) };
    let highest = heights.iter().copied().fold(0.0, f64::max);
    let y_label = format!("density per {unit}");
    let drawn = svg(0, |root| {
        let mut chart = chart(
            root,
            Even::exactly(0.0..width * BARS as f64),
            Even::up_to(highest),
            [&format!("{unit}s"), &y_label],
        )?;
        let [colour, ..] = COLOURS;
        let bar = |(at, height): (usize, &f64)| {
            Rectangle::new([(at as f64 * width, 0.0), ((at + 1) as f64 * width, *height)], colour.filled())
        };
        chart.draw_series(heights.iter().enumerate().filter(|(_, height)| **height > 0.0).map(bar))?;
        Ok(())
    })?;
    Ok(Some((drawn, beyond)))
}

fn bars(portions: &[Portion]) -> Option<Bars> {
    let all: f64 = portions.iter().map(|portion| portion.share).sum();
    let mut before = 0.0;
    let reached = |portion: &&Portion| {
        before += portion.share;
        before >= all * (1.0 - BEYOND)
    };
    let end = portions.iter().find(reached).or(portions.last())?.to;
    let width = end / BARS as f64;
    let mut heights = vec![0.0; BARS];
    let mut beyond = 0.0;
    for portion in portions {
        if portion.from >= end {
            beyond += portion.share;
            continue;
        }
        // A portion is spread evenly over the bars that it overlaps.
        let length = (portion.to - portion.from).max(f64::MIN_POSITIVE);
        let (first, last) = ((portion.from / width) as usize, (portion.to / width).ceil() as usize);
        for (at, height) in heights.iter_mut().enumerate().take(last.max(first + 1)).skip(first) {
            let (from, to) = (at as f64 * width, (at + 1) as f64 * width);
            let inside = (portion.to.min(to) - portion.from.max(from)).max(0.0) / length;
            *height += portion.share * inside / width;
        }
    }
    Some(Bars { width, heights, beyond })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_area_of_a_density_is_the_share_of_the_values() {
        // Portions of very different widths follow an exponential law.
        let mut portions = vec![];
        let mut from = 0.01_f64;
        while from < 20.0 {
            let to = from * 1.09;
            portions.push(Portion { from, to, share: (-from).exp() - (-to).exp() });
            from = to;
        }
        let all: f64 = portions.iter().map(|portion| portion.share).sum();
        let bars = bars(&portions).unwrap();
        let area: f64 = bars.heights.iter().map(|height| height * bars.width).sum();
        assert!((area + bars.beyond - all).abs() < 1e-9 && bars.beyond <= all * BEYOND, "{area} {bars:?}");
        // The heights are those of the law for portions of any width. The first bar is an exception: no value is below
        // 0.01.
        for (at, height) in bars.heights.iter().enumerate().skip(1).take(8) {
            let middle = (at as f64 + 0.5) * bars.width;
            assert!((height / (-middle).exp() - 1.0).abs() < 0.05, "{height} at {middle}");
        }
    }

    #[test]
    fn one_value_is_one_bar() {
        let bars = bars(&[Portion { from: 7.0, to: 7.1, share: 0.4 }]).unwrap();
        assert!((bars.heights.iter().sum::<f64>() * bars.width - 0.4).abs() < 1e-12 && bars.beyond == 0.0);
        assert_eq!(super::bars(&[]), None);
    }
}
