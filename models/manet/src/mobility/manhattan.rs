//! Manhattan mobility: streets of a grid.

use super::leg::{Leg, ONE, SLACK, check_ranges, uniform};
use crate::error::NetworkError;
use crate::field::Field;
use crate::kernels::geometry::Position;
use crate::kernels::motion::MIN_SPEED;
use rand_core::Rng as _;
use rand_pcg::Pcg32;

/// Shortest side of a block in mm: 1 m.
const MIN_BLOCK: u64 = 1_000;

/// Manhattan mobility (Bai, Sadagopan and Helmy 2003): nodes move along the streets of a grid, and turn at crossings.
///
/// Streets lie at the multiples of the side of a block, from 0 on. At each crossing a node draws a speed and a pause,
/// and whether it turns: half of the turns go to each side. It never turns around, except at the end of a street
/// without a crossing. Where a street ends, the other choices keep their ratio. Nodes begin uniformly distributed over
/// all streets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manhattan {
    /// Side of a block in mm, from 1 m to the longer side of the field.
    pub block: u32,
    /// Probability of a turn at a crossing in units of 2^-32, at most 2^32.
    pub turn: u64,
    /// Least and greatest speed in µm/s; speeds below 0.01 m/s are raised to it.
    pub speed: [u32; 2],
    /// Least and greatest pause at a crossing in µs.
    pub pause: [u64; 2],
}

impl Manhattan {
    pub(super) fn greatest_speed(&self) -> u32 {
        self.speed[1].max(MIN_SPEED)
    }

    /// Least time from a crossing to the next in µs.
    pub(super) fn least_time(&self) -> u64 {
        u64::from(self.block) * 1_000_000_000 / u64::from(self.greatest_speed()) + self.pause[0]
    }

    pub(super) fn check(&self, field: Field, longest: u64) -> Result<(), NetworkError> {
        check_ranges(self.speed, self.pause, longest)?;
        let longer = u64::from(field.width.max(field.height));
        for (name, value, least, most) in
            [("block (mm)", self.block.into(), MIN_BLOCK, longer), ("probability of a turn (2^-32)", self.turn, 0, ONE)]
        {
            if !(least..=most).contains(&value) {
                return Err(NetworkError::OutOfRange { name, value, least, most });
            }
        }
        Ok(())
    }

    /// Returns `true` if a position is on a street.
    pub(crate) fn has(&self, field: Field, place: Position) -> bool {
        let grid = Grid::new(*self, field);
        grid.is_along(place, 0) || grid.is_along(place, 1)
    }
}

/// Streets of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Grid {
    block: u32,
    /// Number of blocks side by side, and one above the other.
    blocks: [u32; 2],
}

impl Grid {
    fn new(motion: Manhattan, field: Field) -> Self {
        Grid { block: motion.block, blocks: [field.width / motion.block, field.height / motion.block] }
    }

    /// Greatest coordinate of a street along an axis.
    fn most(&self, axis: usize) -> i64 {
        i64::from(self.block) * i64::from(self.blocks[axis])
    }

    /// Returns `true` if a position is on a street along an axis.
    fn is_along(&self, place: Position, axis: usize) -> bool {
        let (along, across) = match axis {
            0 => (place.x, place.y),
            _ => (place.y, place.x),
        };
        self.blocks[axis] > 0
            && (0..=self.most(axis)).contains(&along.into())
            && (0..=self.most(1 - axis)).contains(&across.into())
            && i64::from(across) % i64::from(self.block) == 0
    }

    /// Draws a position, uniformly over all streets.
    fn draw(&self, rng: &mut Pcg32) -> Position {
        let [columns, lines] = self.blocks.map(u64::from);
        // Sides of blocks along both axes.
        let (east, north) = (columns * (lines + 1), lines * (columns + 1));
        let side = uniform(rng, 0, east + north - 1);
        let within = uniform(rng, 0, u64::from(self.block) - 1);
        let at = |street: u64, within: u64| (street * u64::from(self.block) + within) as i32;
        match side.checked_sub(east) {
            None => Position { x: at(side % columns, within), y: at(side / columns, 0) },
            Some(side) => Position { x: at(side / lines, 0), y: at(side % lines, within) },
        }
    }

    /// Returns the crossing that a node reaches first.
    fn crossing(&self, place: Position, heading: u32) -> Position {
        let block = i64::from(self.block);
        let [up, down] =
            [|at: i64, block: i64| (at + block - 1) / block * block, |at: i64, block: i64| at / block * block];
        let (x, y) = (i64::from(place.x), i64::from(place.y));
        match heading {
            0 => Position { x: up(x, block) as i32, y: place.y },
            1 => Position { x: place.x, y: up(y, block) as i32 },
            2 => Position { x: down(x, block) as i32, y: place.y },
            _ => Position { x: place.x, y: down(y, block) as i32 },
        }
    }

    /// Returns the next crossing from another, if the street goes on so far.
    fn next(&self, crossing: Position, heading: u32) -> Option<Position> {
        let block = i64::from(self.block);
        let (dx, dy) = [(block, 0), (0, block), (-block, 0), (0, -block)][heading as usize];
        let (x, y) = (i64::from(crossing.x) + dx, i64::from(crossing.y) + dy);
        let is_there = (0..=self.most(0)).contains(&x) && (0..=self.most(1)).contains(&y);
        is_there.then_some(Position { x: x as i32, y: y as i32 })
    }
}

/// Motion of a node.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Course {
    motion: Manhattan,
    grid: Grid,
    time: u64,
    place: Position,
    /// Quarters of a turn counter-clockwise from the east.
    heading: u32,
    /// `true` until the first crossing.
    begins: bool,
    rng: Pcg32,
}

impl Course {
    pub(super) fn begin(motion: Manhattan, field: Field, given: Option<Position>, mut rng: Pcg32) -> Self {
        let grid = Grid::new(motion, field);
        let drawn = grid.draw(&mut rng);
        let place = given.unwrap_or(drawn);
        let heading = 2 * (rng.next_u32() & 1) + u32::from(!grid.is_along(place, 0));
        Course { motion, grid, time: 0, place, heading, begins: true, rng }
    }

    pub(super) fn place(&self) -> Position {
        self.place
    }

    pub(super) fn next_leg(&mut self) -> Leg {
        let target = match std::mem::take(&mut self.begins) {
            true => self.grid.crossing(self.place, self.heading),
            false => self.turn(),
        };
        let [least, most] = self.motion.speed.map(u64::from);
        let speed = uniform(&mut self.rng, least, most).max(MIN_SPEED.into());
        let pause = uniform(&mut self.rng, self.motion.pause[0], self.motion.pause[1]);
        let length = u64::from(target.x.abs_diff(self.place.x)) + u64::from(target.y.abs_diff(self.place.y));
        self.time += ((length + SLACK) * 1_000_000_000).div_ceil(speed) + pause;
        self.place = target;
        Leg { target, speed: speed as u32, until: self.time }
    }

    /// Draws the direction at a crossing. Returns the next one.
    fn turn(&mut self) -> Position {
        // Straight on, to the left, to the right.
        let ways = [0, 1, 3].map(|turn| (self.heading + turn) % 4);
        let ways = ways.map(|heading| self.grid.next(self.place, heading).map(|next| (heading, next)));
        let weights = [2 * (ONE - self.motion.turn), self.motion.turn, self.motion.turn];
        let of = |weights: [u64; 3]| [0, 1, 2].map(|way| if ways[way].is_some() { weights[way] } else { 0 });
        let mut weights = of(weights);
        if weights == [0; 3] {
            // Nodes that never turn, or always, where they have to do otherwise.
            weights = of([1; 3]);
        }
        let mut drawn = uniform(&mut self.rng, 0, weights.iter().sum::<u64>().saturating_sub(1));
        for (way, weight) in ways.into_iter().zip(weights) {
            match way {
                Some((heading, next)) if drawn < weight => {
                    self.heading = heading;
                    return next;
                }
                _ => drawn = drawn.saturating_sub(weight),
            }
        }
        // The end of a street without a crossing.
        self.heading = (self.heading + 2) % 4;
        self.grid.next(self.place, self.heading).unwrap_or(self.place)
    }
}
