//! Linear axes with marks at round numbers.

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::ops::Range;

/// Approximate number of steps of an axis.
const STEPS: f64 = 6.0;

/// Relative difference below which values count as equal, up to rounding.
const FLAT: f64 = 1e-9;

/// Axis with evenly spaced marks.
#[derive(Clone)]
pub(super) struct Even {
    places: RangedCoordf64,
    range: Range<f64>,
    /// Distance between marks: 1, 2 or 5 times a power of ten.
    step: f64,
}

impl Even {
    /// Creates an axis around values with a margin. There may be a single value, or none.
    pub(super) fn around(values: impl Iterator<Item = f64>) -> Self {
        let (least, greatest) = ends(values);
        if least > greatest {
            return Self::marked(0.0, 1.0);
        }
        let size = least.abs().max(greatest.abs());
        let (least, greatest) = match greatest - least > FLAT * size {
            true => {
                let room = (greatest - least) * 0.05;
                // The margin does not cross zero unless a value does.
                let low = if least >= 0.0 { (least - room).max(0.0) } else { least - room };
                let high = if greatest <= 0.0 { (greatest + room).min(0.0) } else { greatest + room };
                (low, high)
            }
            false if size == 0.0 => (0.0, 1.0),
            // A margin of a tenth on both sides shows that the value is constant.
            false => (least - size * 0.1, greatest + size * 0.1),
        };
        Self::marked(least, greatest)
    }

    /// Creates an axis from the least value to the greatest, as for times. There may be a single value, or none.
    pub(super) fn along(values: impl Iterator<Item = f64> + Clone) -> Self {
        let (least, greatest) = ends(values.clone());
        let is_long = greatest - least > FLAT * least.abs().max(greatest.abs());
        if is_long { Self::exactly(least..greatest) } else { Self::around(values) }
    }

    /// Creates an axis of a given range.
    pub(super) fn exactly(range: Range<f64>) -> Self {
        Even { places: range.clone().into(), step: nice((range.end - range.start) / STEPS), range }
    }

    /// Creates an axis from zero to a greatest value.
    pub(super) fn up_to(greatest: f64) -> Self {
        let usable = greatest.is_finite() && greatest > 0.0;
        Self::marked(0.0, if usable { greatest * 1.05 } else { 1.0 })
    }

    fn marked(least: f64, greatest: f64) -> Self {
        let step = nice((greatest - least) / STEPS);
        let range = (least / step).floor() * step..(greatest / step).ceil() * step;
        Even { places: range.clone().into(), range, step }
    }

    /// Returns the marks, at most `most`.
    fn marks(&self, most: usize) -> Vec<f64> {
        let mut step = self.step;
        loop {
            let (first, last) = ((self.range.start / step).ceil(), (self.range.end / step).floor());
            if last - first < most.max(2) as f64 {
                return (0..=(last - first) as u32).map(|mark| (first + f64::from(mark)) * step).collect();
            }
            step = nice(step * 1.5);
        }
    }

    /// Formats a mark with enough digits to distinguish it from the others.
    fn text(&self, mark: f64) -> String {
        let size = self.range.start.abs().max(self.range.end.abs());
        let digit_of = |number: f64| (number.log10() + 1e-9).floor() as i32;
        if mark.abs() < self.step / 2.0 {
            return "0".to_owned();
        }
        if (1e-3..1e6).contains(&size) {
            return format!("{mark:.*}", (-digit_of(self.step)).max(0) as usize);
        }
        format!("{mark:.*e}", (digit_of(mark.abs()) - digit_of(self.step)).max(0) as usize)
    }
}

/// Returns the least and the greatest of the finite values; infinities in reverse order without any.
fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), value| (least.min(value), greatest.max(value)))
}

/// Returns the least of 1, 2 and 5 times a power of ten that is at least `number`.
fn nice(number: f64) -> f64 {
    let power = 10_f64.powi((number.log10() + 1e-9).floor() as i32);
    let times = [1.0, 2.0, 5.0].into_iter().find(|times| times * power >= number * (1.0 - 1e-9));
    times.unwrap_or(10.0) * power
}

impl Ranged for Even {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.places.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        self.marks(hint.bold_points())
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Even {
    fn format_ext(&self, value: &f64) -> String {
        self.text(*value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn texts(axis: &Even) -> Vec<String> {
        axis.marks(11).into_iter().map(|mark| axis.text(mark)).collect()
    }

    #[test]
    fn marks_are_numbers_that_people_would_choose() {
        let around = |values: &[f64]| texts(&Even::around(values.iter().copied()));
        assert_eq!(around(&[800.0, 800.0]), ["700", "750", "800", "850", "900"]);
        assert_eq!(around(&[800.0, 800.0 + 1e-9]), ["700", "750", "800", "850", "900"]);
        assert_eq!(around(&[0.0]), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(around(&[]), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(around(&[-2.0]), ["-2.2", "-2.1", "-2.0", "-1.9", "-1.8"]);
        assert_eq!(around(&[0.2801, 0.2797]), ["0.2796", "0.2797", "0.2798", "0.2799", "0.2800", "0.2801", "0.2802"]);
        assert_eq!(around(&[0.0, 3e-7]), ["0", "1e-7", "2e-7", "3e-7", "4e-7"]);
        assert_eq!(around(&[1_500_000.0, 3_000_000.0]).first().map(String::as_str), Some("1.0e6"));
        let along = |values: &[f64]| texts(&Even::along(values.iter().copied()));
        assert_eq!(along(&[0.0, 5.004]), ["0", "1", "2", "3", "4", "5"]);
        assert_eq!(along(&[-2.0]), around(&[-2.0]));
        assert_eq!(along(&[]), around(&[]));
        assert_eq!(texts(&Even::up_to(9.0)), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(texts(&Even::up_to(0.0)), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    }

    /// Every value is on its axis, between marks with distinct labels.
    #[test]
    fn an_axis_holds_its_values() {
        let numbers = [-9e8, -71.3, -0.33, 0.0, 1e-3, 0.7, 6.0, 10.0, 99.9, 1234.5, 1.000_001, 5e8];
        for (a, b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (*a, *b))) {
            for scale in [1e-12, 1e-4, 1.0, 3e5, 1e20] {
                let (a, b) = (a * scale, b * scale);
                let axis = Even::around([a, b].into_iter());
                assert!(axis.range.start <= a.min(b) && axis.range.end >= a.max(b), "{a} and {b} in {:?}", axis.range);
                let marks = texts(&axis);
                assert!((3..=11).contains(&marks.len()), "{a} and {b}: {marks:?}");
                assert_eq!(marks.iter().collect::<HashSet<_>>().len(), marks.len(), "{a} and {b}: {marks:?}");
            }
        }
    }
}
