//! Legends: colours with their values, and the scale of the map.

use super::canvas::Canvas;
use super::colour::{Colour, Ramp};
use super::text::{LARGE, SMALL, Style};

/// Ink of labels.
pub(super) const INK: Colour = [32, 34, 40];

/// Width of a bar of colours, in pixels.
const BAR: i64 = 22;

/// Colours with their values, beside a map.
#[derive(Debug, Clone, PartialEq)]
pub struct Legend {
    /// Colours.
    pub ramp: Ramp,
    /// Least and greatest value of the bar.
    pub range: (f64, f64),
    /// Values that are marked; empty for about five round ones.
    pub marks: Vec<f64>,
    /// Name of the quantity, with its unit. Words are put below one another.
    pub label: String,
    /// Further colours with their names, below the bar.
    pub keys: Vec<(Colour, String)>,
}

/// Returns the least number of at least `value` that is one, two or five times a power of ten.
#[must_use]
pub fn nice(value: f64) -> f64 {
    if value.is_nan() || value <= 0.0 || value.is_infinite() {
        return 1.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    factors.into_iter().map(|factor| factor * power).find(|round| *round >= value * 0.999_999).unwrap_or(value)
}

/// Formats a number with the digits that it needs, at most four after the point.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() || text == "-0" { "0".to_owned() } else { text.to_owned() }
}

impl Legend {
    /// Returns the colour of a value.
    #[must_use]
    pub fn colour(&self, value: f64) -> Colour {
        let (least, greatest) = self.range;
        self.ramp.colour(if greatest > least { (value - least) / (greatest - least) } else { 0.0 })
    }

    fn marks(&self) -> Vec<f64> {
        if !self.marks.is_empty() {
            return self.marks.clone();
        }
        let (least, greatest) = self.range;
        let step = nice((greatest - least) / 5.0);
        let first = (least / step).ceil();
        (0..=10).map(|mark| (first + f64::from(mark)) * step).filter(|mark| *mark <= greatest + 1e-9 * step).collect()
    }

    /// Returns the width of the legend, in pixels.
    pub(super) fn width(&self) -> i64 {
        let marks = self.marks();
        let values = marks.iter().map(|mark| BAR + 10 + Style::Small.width(&number(*mark)));
        let words = self.label.split('\n').map(|line| Style::Small.width(line));
        let keys = self.keys.iter().map(|(_, name)| BAR + 10 + Style::Small.width(name));
        values.chain(words).chain(keys).max().unwrap_or(0)
    }

    /// Draws the legend into a column of a height; gives the height that it took.
    pub(super) fn draw(&self, canvas: &mut Canvas, x: i64, y: i64, height: i64) {
        let mut top = y;
        for line in self.label.split('\n') {
            Style::Small.write(canvas, x, top, line, INK);
            top += LARGE;
        }
        top += 8;
        let keys = (SMALL + 8) * self.keys.len() as i64;
        let bar = (height - (top - y) - keys - 16).clamp(40, 340);
        let (least, greatest) = self.range;
        if greatest > least {
            canvas.frame(x, top, BAR, bar, INK);
            for row in 0..bar {
                let share = 1.0 - (row as f64 + 0.5) / bar as f64;
                canvas.rectangle(x, top + row, BAR, 1, self.ramp.colour(share));
            }
            let mut free = i64::MAX;
            for mark in self.marks() {
                let share = (mark - least) / (greatest - least);
                let level = top + ((1.0 - share) * (bar - 1) as f64).round() as i64;
                if !(-1e-6..=1.000_001).contains(&share) || level > free {
                    continue;
                }
                free = level - SMALL;
                canvas.rectangle(x + BAR, level, 5, 1, INK);
                Style::Small.write(canvas, x + BAR + 10, level - SMALL / 2, &number(mark), INK);
            }
            top += bar + 16;
        }
        for (colour, name) in &self.keys {
            canvas.frame(x, top, BAR, SMALL, INK);
            canvas.rectangle(x, top, BAR, SMALL, *colour);
            Style::Small.write(canvas, x + BAR + 10, top, name, INK);
            top += SMALL + 8;
        }
    }
}

/// Draws a bar of a round length, of a map with so many metres to a pixel and room for so many pixels.
pub(super) fn scale_bar(canvas: &mut Canvas, x: i64, y: i64, metres: f64, room: f64) {
    let longest = metres * room;
    let power = 10_f64.powf(longest.log10().floor());
    let lengths = [5.0, 2.0, 1.0].map(|factor| factor * power);
    let length = lengths.into_iter().find(|length| *length <= longest).unwrap_or(power);
    let pixels = (length / metres).round() as i64;
    let half = pixels / 2;
    canvas.frame(x, y, pixels, 6, INK);
    canvas.rectangle(x, y, half, 6, INK);
    canvas.rectangle(x + half, y, pixels - half, 6, [255, 255, 255]);
    let text =
        if length >= 1000.0 { format!("{} km", number(length / 1000.0)) } else { format!("{} m", number(length)) };
    Style::Small.write(canvas, x, y + 10, "0", INK);
    Style::Small.write(canvas, x + pixels - Style::Small.width(&text) / 2, y + 10, &text, INK);
}

/// Draws an arrow to the north, 14 pixels wide and 26 high.
pub(super) fn north(canvas: &mut Canvas, x: i64, y: i64) {
    for row in 0..16 {
        let half = row * 5 / 16;
        canvas.rectangle(x + 7 - half, y + row, half + 1, 1, INK);
        canvas.blend(x + 7 + half, y + row, INK, 1.0);
    }
    canvas.rectangle(x + 2, y + 15, 11, 1, INK);
    Style::Small.write(canvas, x + 3, y + 16, "N", INK);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_marks_are_round() {
        assert_eq!([nice(0.013), nice(2.0), nice(2.1), nice(700.0), nice(0.0)], [0.02, 2.0, 5.0, 1000.0, 1.0]);
        assert_eq!([0.5, 12.0, 0.333_33, -0.0].map(number), ["0.5", "12", "0.3333", "0"]);
        let legend =
            Legend { ramp: Ramp::Heat, range: (0.0, 24.0), marks: Vec::new(), label: "h".to_owned(), keys: Vec::new() };
        assert_eq!(legend.marks(), [0.0, 5.0, 10.0, 15.0, 20.0]);
        assert_eq!((legend.colour(-1.0), legend.colour(99.0)), (Ramp::Heat.colour(0.0), Ramp::Heat.colour(1.0)));
    }
}
