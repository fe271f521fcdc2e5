//! Gauss-Markov mobility: speeds and directions that change gradually.

use super::leg::{Leg, ONE, SLACK, uniform};
use crate::error::NetworkError;
use crate::field::{Field, MAX_SIDE};
use crate::kernels::geometry::Position;
use imminent_core::fixed::{cosine_q30, sine_q30};
use imminent_core::random::normal_q28;
use rand_core::Rng as _;
use rand_pcg::Pcg32;

/// Greatest speed in µm/s: 4,000 m/s.
const MAX_SPEED: u32 = 4_000_000_000;

/// Least and greatest time between two changes in µs: 10 ms and an hour.
const INTERVALS: [u64; 2] = [10_000, 3_600_000_000];

/// Half a turn, in units of 2^-32 turns.
const HALF_TURN: u32 = 1 << 31;

/// Gauss-Markov mobility (Liang and Haas 1999), with speed and direction as Camp, Boleng and Davies (2002) write it.
///
/// Speed and direction are kept for an interval. Then each becomes `a x + (1 - a) m + sqrt(1 - a^2) w`, where `a` is
/// the memory, `m` the mean, and `w` a normal variate with the deviation. They begin in the stationary distribution.
/// The difference of a direction from its mean is the one the shorter way around.
///
/// A node's mean direction is uniformly distributed at first. Within the margin of an edge it becomes the direction
/// away from there, and stays so: a multiple of 45 degrees. The way of an interval is reflected at the edges that it
/// reaches, and so are both directions; each part of it is a leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GaussMarkov {
    /// Mean speed in µm/s.
    pub mean: u32,
    /// Standard deviation of the speed in µm/s.
    pub deviation: u32,
    /// Least and greatest speed in µm/s. The process is not changed, but a node moves no slower and no faster.
    pub limits: [u32; 2],
    /// Standard deviation of the direction, in units of 2^-32 turns.
    pub turn: u32,
    /// Memory `a` in units of 2^-32, at most 2^32: 0 for independent values, 2^32 for constant ones.
    pub memory: u64,
    /// Time between two changes in µs, from 10 ms to an hour.
    pub interval: u32,
    /// Distance from the edges in mm within which nodes turn away.
    pub margin: u32,
}

impl GaussMarkov {
    /// Greatest speed of a node in µm/s. Rounded positions are up to 5 mm further apart.
    pub(super) fn greatest_speed(&self) -> u32 {
        let rounding = 5_000_000_000_u64.div_ceil(u64::from(self.interval.max(1)));
        u64::from(self.limits[1]).saturating_add(rounding).min(u32::MAX.into()) as u32
    }

    /// Estimates the number of legs until a time in µs: one for each interval, and one for each edge that is reached. A
    /// straight way at the greatest speed reaches half as many edges.
    pub(super) fn legs(&self, field: Field, end: u64) -> u64 {
        let intervals = end / u64::from(self.interval.max(1)) + 1;
        let way = u128::from(self.limits[1]) * u128::from(end.saturating_add(self.interval.into())) / 1_000_000_000;
        let crossed = |side: u32| u64::try_from(way / u128::from(side.max(1))).unwrap_or(u64::MAX);
        let reached = crossed(field.width).saturating_add(crossed(field.height));
        intervals.saturating_add(reached.saturating_mul(2))
    }

    pub(super) fn check(&self) -> Result<(), NetworkError> {
        let [least, most] = self.limits.map(u64::from);
        if least > most {
            return Err(NetworkError::Reversed { name: "speed (µm/s)", least, most });
        }
        for (name, value, [least, most]) in [
            ("speed (µm/s)", most, [0, MAX_SPEED.into()]),
            ("mean speed (µm/s)", self.mean.into(), [0, MAX_SPEED.into()]),
            ("deviation of speed (µm/s)", self.deviation.into(), [0, MAX_SPEED.into()]),
            ("deviation of direction (2^-32 turns)", self.turn.into(), [0, HALF_TURN.into()]),
            ("memory (2^-32)", self.memory, [0, ONE]),
            ("time between changes (µs)", self.interval.into(), INTERVALS),
            ("margin (mm)", self.margin.into(), [0, MAX_SIDE.into()]),
        ] {
            if !(least..=most).contains(&value) {
                return Err(NetworkError::OutOfRange { name, value, least, most });
            }
        }
        Ok(())
    }

    /// Returns the value after another: both are differences from the mean.
    fn after(&self, value: i64, deviation: u32, word: u32) -> i64 {
        let memory = i128::from(self.memory);
        // The root of 1 - a^2 in units of 2^-32.
        let root = ((1_u128 << 64) - u128::from(self.memory) * u128::from(self.memory)).isqrt() as i128;
        let noise = root * i128::from(deviation) * i128::from(normal_q28(word));
        // Products have 60 fraction bits.
        ((((memory * i128::from(value)) << 28) + noise + (1 << 59)) >> 60) as i64
    }
}

/// Returns a normal variate with mean 0.
fn normal(deviation: u32, word: u32) -> i64 {
    (i64::from(deviation) * i64::from(normal_q28(word)) + (1 << 27)) >> 28
}

/// Motion of a node.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Course {
    motion: GaussMarkov,
    field: Field,
    /// End of the last leg.
    time: u64,
    /// Position then.
    place: Position,
    /// Way of the current interval; none between two intervals.
    way: Option<Way>,
    /// Difference of the speed from its mean, in µm/s.
    speed: i64,
    /// Direction in units of 2^-32 turns counter-clockwise from the east.
    direction: u32,
    /// Mean direction.
    mean: u32,
    rng: Pcg32,
}

impl Course {
    pub(super) fn begin(motion: GaussMarkov, field: Field, given: Option<Position>, mut rng: Pcg32) -> Self {
        let drawn = Position {
            x: uniform(&mut rng, 0, field.width.into()) as i32,
            y: uniform(&mut rng, 0, field.height.into()) as i32,
        };
        let place = given.unwrap_or(drawn);
        let drawn = rng.next_u32();
        let mean = inward(place, field, motion.margin).unwrap_or(drawn);
        let speed = normal(motion.deviation, rng.next_u32());
        let direction = mean.wrapping_add(normal(motion.turn, rng.next_u32()) as u32);
        Course { motion, field, time: 0, place, way: None, speed, direction, mean, rng }
    }

    pub(super) fn place(&self) -> Position {
        self.place
    }

    /// Draws the next leg: up to the next edge that the way of the interval reaches, or to its end.
    pub(super) fn next_leg(&mut self) -> Leg {
        let mut way = self.way.take().unwrap_or_else(|| self.way());
        let from = self.place;
        while let Some((until, target)) = way.next_edge(self.field, self.motion.interval) {
            // An edge that is reached at once begins no leg, nor does the second one of a corner.
            if until > self.time {
                (self.time, self.place, self.way) = (until, target, Some(way));
                return Leg { target, speed: way.speed, until };
            }
        }
        let until = way.begin + u64::from(self.motion.interval);
        let lasts = until - self.time;
        (self.time, self.place) = (until, way.end(self.field));
        self.change();
        // A short leg may be too short for the slack.
        let speed = pace(from, way.end(self.field), lasts).min(self.motion.greatest_speed());
        Leg { target: way.end(self.field), speed, until }
    }

    /// Speed at which the node moves, in µm/s.
    fn moved(&self) -> u32 {
        let [least, most] = self.motion.limits.map(i64::from);
        (i64::from(self.motion.mean) + self.speed).clamp(least, most) as u32
    }

    /// Returns the way of an interval, and turns the directions as the edges do that it reaches.
    fn way(&mut self) -> Way {
        // In units of 1e-9 mm, times 2^30.
        let speed = self.moved();
        let length = i128::from(speed) * i128::from(self.motion.interval);
        let along = |share: i32| (length * i128::from(share) + (500_000_000 << 30)).div_euclid(1_000_000_000 << 30);
        let by = [along(cosine_q30(self.direction))];
        let (_, is_turned) = reflected(i128::from(self.place.x) + by[0], self.field.width);
        if is_turned {
            self.direction = HALF_TURN.wrapping_sub(self.direction);
            self.mean = HALF_TURN.wrapping_sub(self.mean);
        }
        let by = [by[0], along(sine_q30(self.direction))];
        let (_, is_turned) = reflected(i128::from(self.place.y) + by[1], self.field.height);
        if is_turned {
            self.direction = self.direction.wrapping_neg();
            self.mean = self.mean.wrapping_neg();
        }
        Way { begin: self.time, from: [self.place.x, self.place.y].map(i128::from), by, speed, reached: [0; 2] }
    }

    /// Draws speed and direction anew.
    fn change(&mut self) {
        let motion = self.motion;
        self.mean = inward(self.place, self.field, motion.margin).unwrap_or(self.mean);
        self.speed = motion.after(self.speed, motion.deviation, self.rng.next_u32());
        let apart = self.direction.wrapping_sub(self.mean) as i32;
        let apart = motion.after(apart.into(), motion.turn, self.rng.next_u32());
        self.direction = self.mean.wrapping_add(apart as u32);
    }
}

/// Straight way of an interval that goes on beyond the edges of the field, where images of the field lie.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Way {
    /// Time of its beginning in µs.
    begin: u64,
    /// Coordinates of its beginning, in mm.
    from: [i128; 2],
    /// Length along both axes, in mm.
    by: [i128; 2],
    /// Speed in µm/s.
    speed: u32,
    /// Number of edges across each axis that the node has reached.
    reached: [i128; 2],
}

impl Way {
    /// Returns the time at which the node reaches the next edge before the end of the way, and the position there.
    fn next_edge(&mut self, field: Field, interval: u32) -> Option<(u64, Position)> {
        let sides = [field.width, field.height].map(|side| i128::from(side.max(1)));
        // Distances along an axis from the beginning to the next edge, and to the end.
        let distance = |axis: usize| {
            let (from, by) = (self.from[axis], self.by[axis]);
            let first = if by < 0 { from } else { sides[axis] - from };
            let next = first + self.reached[axis] * sides[axis];
            Some((next, by.abs())).filter(|(next, all)| next < all)
        };
        let axis = match (distance(0), distance(1)) {
            (None, None) => return None,
            (Some(_), None) => 0,
            (None, Some(_)) => 1,
            (Some((x, all_x)), Some((y, all_y))) => usize::from(y * all_x < x * all_y),
        };
        let (next, all) = distance(axis)?;
        self.reached[axis] += 1;
        let time = self.begin + (i128::from(interval) * next / all) as u64;
        let at = |of: usize| match of == axis {
            true => self.from[of] + self.by[of].signum() * next,
            false => self.from[of] + (2 * self.by[of] * next + all).div_euclid(2 * all),
        };
        Some((time, place([at(0), at(1)], field)))
    }

    /// Returns the position at the end of the way.
    fn end(&self, field: Field) -> Position {
        place([0, 1].map(|axis| self.from[axis] + self.by[axis]), field)
    }
}

/// Returns the position in the field of which another is an image.
fn place([x, y]: [i128; 2], field: Field) -> Position {
    Position { x: reflected(x, field.width).0, y: reflected(y, field.height).0 }
}

/// Returns a coordinate that is reflected at both ends of a side, and `true` if the direction is turned.
fn reflected(at: i128, side: u32) -> (i32, bool) {
    let side = i128::from(side.max(1));
    match at.rem_euclid(2 * side) {
        rest if rest > side => ((2 * side - rest) as i32, true),
        rest => (rest as i32, false),
    }
}

/// Returns the direction away from the edges of which a position is within the margin, if it is near any.
fn inward(place: Position, field: Field, margin: u32) -> Option<u32> {
    let away = |at: i32, side: u32| {
        let (low, high) = (at as u32, side - at as u32);
        match low.min(high) < margin {
            true if low < high => 1,
            true if high < low => -1,
            _ => 0,
        }
    };
    // Eighths of a turn counter-clockwise from the east.
    let eighths = match (away(place.x, field.width), away(place.y, field.height)) {
        (1, 0) => 0,
        (1, 1) => 1,
        (0, 1) => 2,
        (-1, 1) => 3,
        (-1, 0) => 4,
        (-1, -1) => 5,
        (0, -1) => 6,
        (1, -1) => 7,
        _ => return None,
    };
    Some(eighths << 29)
}

/// Returns the speed in µm/s at which a node is at a position after some µs.
fn pace(from: Position, to: Position, lasts: u64) -> u32 {
    let [dx, dy] = [i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y)].map(i64::unsigned_abs);
    if dx == 0 && dy == 0 {
        return 0;
    }
    let length = (dx * dx + dy * dy).isqrt() + 1 + SLACK;
    (u128::from(length) * 1_000_000_000).div_ceil(lasts.into()).min(u32::MAX.into()) as u32
}
