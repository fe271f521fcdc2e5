//! Choice of segments for an ellipse: the tree of Stern and Brocot, refined where the ellipse asks for it.
//!
//! Two neighbouring offsets `u` and `v` with determinant 1 reach every cell between them by whole multiples. The time
//! to such a cell is a sum of the times along both. So on uniform ground a fire is a polygon, whose corners lie on the
//! ellipse in the directions of the segments. Between two corners the ellipse has an area that the fire does not burn,
//! and the fire arrives late. Where either is too large the sum of the offsets is added, as in Mirebeau's adaptive
//! stencils for fast marching.

use super::super::directions::Offset;
use super::super::{DIRECTION_COUNT, DIRECTIONS};
use std::f64::consts::{PI, TAU};

/// Largest number of rows and of columns of a segment.
pub(in super::super) const RADIUS: i32 = 15;

/// Largest share of the ellipse's area that the polygon may lack, unless segments would be longer than [`RADIUS`].
/// Headings and ratios for which there are stencils differ from those of cells, which may add 0.3 %.
const AREA: f64 = 0.028;

/// Share of the ellipse's area between two corners that is too small to add a segment.
const LEAST_AREA: f64 = 0.001;

/// Largest relative error of a time, unless segments would be longer than [`RADIUS`].
const TIME: f64 = 0.08;

/// Places between two offsets at which the error of times is computed.
const SAMPLES: u32 = 8;

/// An ellipse about its focus, in units of its slowness across: the time along an offset is its length less the pull of
/// the heading.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ellipse {
    pub(super) eccentricity: f64,
    /// Unit vector of the heading, along rows and columns.
    pub(super) heading: [f64; 2],
}

/// Corner of a fire's polygon.
#[derive(Clone, Copy, Debug)]
struct Corner {
    offset: Offset,
    /// Time along the offset.
    time: f64,
    /// Angle about the middle of the circle to which the ellipse is compressed.
    angle: f64,
}

impl Ellipse {
    fn time(&self, [row, column]: [f64; 2]) -> f64 {
        let [down, right] = self.heading;
        (row * row + column * column).sqrt() - self.eccentricity * (down * row + right * column)
    }

    fn corner(&self, offset: Offset) -> Corner {
        let ([down, right], vector @ [row, column]) = (self.heading, vector(offset));
        let time = self.time(vector);
        // Place on the ellipse, along the heading and across.
        let (along, across) = ((down * row + right * column) / time, (right * row - down * column) / time);
        let square = 1.0 - self.eccentricity * self.eccentricity;
        // Half the length is `1 / square`, half the width `1 / sqrt(square)`.
        let angle = libm::atan2(across * square.sqrt(), along * square - self.eccentricity);
        Corner { offset, time, angle }
    }

    /// Returns the largest relative error of times between two corners.
    fn lateness(&self, one: Corner, other: Corner) -> f64 {
        let ([one_row, one_column], [other_row, other_column]) = (vector(one.offset), vector(other.offset));
        let at = |sample: u32| {
            let share = f64::from(sample) / f64::from(SAMPLES);
            let mix = |one: f64, other: f64| one + (other - one) * share;
            mix(one.time, other.time) / self.time([mix(one_row, other_row), mix(one_column, other_column)]) - 1.0
        };
        (1..SAMPLES).map(at).fold(0.0, f64::max)
    }

    /// Returns the offsets of the segments for this ellipse, clockwise from north.
    pub(super) fn offsets(&self) -> Vec<Offset> {
        let mut corners: Vec<Corner> = neighbours().into_iter().map(|offset| self.corner(offset)).collect();
        // The sector with the largest lost area is split first, until the rest is small enough.
        loop {
            let (mut lost, mut widest, mut most) = (0.0, None, LEAST_AREA);
            for (at, (one, other)) in sectors(&corners).enumerate() {
                let area = lost_area(one, other);
                lost += area;
                if area > most && is_short(one, other) {
                    (widest, most) = (Some((at, one, other)), area);
                }
            }
            match widest {
                Some((at, one, other)) if lost > AREA => {
                    corners.insert(at + 1, self.corner(one.offset.plus(other.offset)));
                }
                _ => break,
            }
        }
        let is_late = |one: &Corner, other: &Corner| is_short(*one, *other) && self.lateness(*one, *other) > TIME;
        let corners = refined(corners, is_late, |one, other| self.corner(one.offset.plus(other.offset)));
        corners.into_iter().map(|corner| corner.offset).collect()
    }
}

fn vector(offset: Offset) -> [f64; 2] {
    [f64::from(offset.row), f64::from(offset.column)]
}

fn is_short(one: Corner, other: Corner) -> bool {
    one.offset.plus(other.offset).reach() <= RADIUS
}

/// Returns the pairs of neighbouring corners.
fn sectors(corners: &[Corner]) -> impl Iterator<Item = (Corner, Corner)> {
    corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
}

/// Returns the share of the ellipse's area between it and the line from one corner to the next.
fn lost_area(one: Corner, other: Corner) -> f64 {
    let turn = (other.angle - one.angle).abs();
    let turn = if turn > PI { TAU - turn } else { turn };
    (turn - libm::sin(turn)) / TAU
}

/// Returns the offsets of all segments, clockwise from north: those of every ellipse are among them.
pub(super) fn all() -> Vec<Offset> {
    let is_short = |one: &Offset, other: &Offset| one.plus(*other).reach() <= RADIUS;
    refined(neighbours(), is_short, |one, other| one.plus(other))
}

/// Inserts `between` of neighbouring items of a cycle where `is_wide` asks for it.
fn refined<T: Copy>(mut items: Vec<T>, is_wide: impl Fn(&T, &T) -> bool, between: impl Fn(T, T) -> T) -> Vec<T> {
    let mut at = 0;
    while let Some(one) = items.get(at) {
        let Some(other) = items.get(at + 1).or(items.first()) else { break };
        if is_wide(one, other) {
            items.insert(at + 1, between(*one, *other));
        } else {
            at += 1;
        }
    }
    items
}

/// Returns the offsets of [`DIRECTIONS`].
pub(super) fn neighbours() -> Vec<Offset> {
    let mut offsets = Vec::with_capacity(DIRECTION_COUNT);
    offsets.extend(DIRECTIONS.iter().map(|way| Offset { row: way.row, column: way.column }));
    offsets
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of segments, share of the area that the polygon of a fire lacks, of the head, and the largest relative
    /// error of times in all directions, beside the closed form of the ellipse about its focus.
    fn errors(ratio: f64, degrees: f64) -> (usize, [f64; 3]) {
        let eccentricity = (ratio * ratio - 1.0).sqrt() / ratio;
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let offsets = Ellipse { eccentricity, heading: [-cosine, sine] }.offsets();
        // Rate in a direction, as a share of the rate across the heading.
        let along = |row: f64, column: f64| (-row * cosine + column * sine) / row.hypot(column);
        let rate = |row: f64, column: f64| 1.0 / (1.0 - eccentricity * along(row, column));
        let time = |row: f64, column: f64| row.hypot(column) / rate(row, column);
        let (mut area, mut head, mut late) = (0.0, 0.0_f64, 0.0_f64);
        for (at, one) in offsets.iter().enumerate() {
            let other = offsets[(at + 1) % offsets.len()];
            assert_eq!(one.row * other.column - one.column * other.row, -1, "{one:?} {other:?}");
            let [[a, b], [c, d]] = [one, &other].map(|offset| [f64::from(offset.row), f64::from(offset.column)]);
            // A triangle between the focus and two corners.
            area += 0.5 / (time(a, b) * time(c, d));
            head = head.max(along(a, b) * rate(a, b));
            for share in (1..100).map(|share| f64::from(share) / 100.0) {
                let both = (1.0 - share) * time(a, b) + share * time(c, d);
                let straight = time(a + (c - a) * share, b + (d - b) * share);
                late = late.max(both / straight - 1.0);
            }
        }
        let half_length = 1.0 / (1.0 - eccentricity * eccentricity);
        let whole = PI * half_length * half_length / ratio;
        (offsets.len(), [1.0 - area / whole, 1.0 - head * (1.0 - eccentricity), late])
    }

    /// All pairs of numbers up to the radius without a common divisor.
    #[test]
    fn all_segments_are_the_offsets_without_a_common_divisor() {
        fn divisor(a: i32, b: i32) -> i32 {
            if b == 0 { a.abs() } else { divisor(b, a % b) }
        }
        let along = -RADIUS..=RADIUS;
        let mut expected: Vec<(i32, i32)> =
            along.clone().flat_map(|row| along.clone().map(move |at| (row, at))).collect();
        expected.retain(|&(row, column)| divisor(row, column) == 1);
        let mut found: Vec<(i32, i32)> = all().iter().map(|offset| (offset.row, offset.column)).collect();
        found.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn polygons_are_within_the_tolerances_of_their_ellipses() {
        for ratio in [1.0, 1.1, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0] {
            for degrees in (0..72).map(|step| 5.0 * f64::from(step)) {
                let (count, [area, head, late]) = errors(ratio, degrees);
                assert!((16..=39).contains(&count), "{ratio} {degrees}: {count}");
                assert!((0.0..=AREA + 0.001).contains(&area), "{ratio} {degrees}: {area}");
                assert!((-1e-9..0.03).contains(&head) && late < TIME + 0.001, "{ratio} {degrees}: {head} {late}");
            }
        }
    }
}
