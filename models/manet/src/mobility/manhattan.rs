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
/// Streets lie at the multiples of the side of a block, from 0 on, and reach to the edge of the field, or to their last
/// crossing if it is less than 1 m away. At each crossing a node draws a speed and a pause, and whether it turns: half
/// of the turns go to each side. It never turns around, except at the end of a street without a crossing. Where a
/// street ends, the other choices keep their ratio. Nodes begin uniformly distributed over all streets.
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

    /// Returns a bound of the number of legs until a time in µs.
    pub(super) fn legs(&self, field: Field, end: u64) -> u64 {
        let grid = Grid::new(*self, field);
        // A node may go back and forth between the ends of two streets behind their last crossings.
        let shortest = [0, 1].into_iter().map(|axis| grid.ends[axis] % self.block.max(1)).filter(|rest| *rest > 0);
        let shortest = shortest.fold(self.block, u32::min);
        let least = u64::from(shortest) * 1_000_000_000 / u64::from(self.greatest_speed()) + self.pause[0];
        end / least.max(1) + 2
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
    /// Greatest coordinates of streets along both axes.
    ends: [u32; 2],
}

impl Grid {
    fn new(motion: Manhattan, field: Field) -> Self {
        let block = motion.block.max(1);
        let end = |side: u32| if u64::from(side % block) < MIN_BLOCK { side - side % block } else { side };
        Grid { block, ends: [field.width, field.height].map(end) }
    }

    /// Returns `true` if a position is on a street along an axis.
    fn is_along(&self, place: Position, axis: usize) -> bool {
        let (along, across) = match axis {
            0 => (place.x, place.y),
            _ => (place.y, place.x),
        };
        let (Ok(along), Ok(across)) = (u32::try_from(along), u32::try_from(across)) else { return false };
        let [most, most_across] = [self.ends[axis], self.ends[1 - axis]];
        most > 0 && along <= most && across <= most_across && across % self.block == 0
    }

    /// Draws a position, uniformly over all streets.
    fn draw(&self, rng: &mut Pcg32) -> Position {
        let [width, height] = self.ends.map(u64::from);
        let block = u64::from(self.block);
        // Lengths of all streets along both axes.
        let [east, north] = [width * (height / block + 1), height * (width / block + 1)];
        let at = uniform(rng, 0, (east + north).saturating_sub(1));
        match at.checked_sub(east) {
            None => Position { x: (at % width) as i32, y: (at / width * block) as i32 },
            Some(at) => Position { x: (at / height.max(1) * block) as i32, y: (at % height.max(1)) as i32 },
        }
    }

    /// Returns the crossing, or the end of its street, that a node reaches first.
    fn crossing(&self, place: Position, heading: u32) -> Position {
        let block = i64::from(self.block);
        let up =
            |at: i32, axis: usize| ((i64::from(at) + block - 1) / block * block).min(self.ends[axis].into()) as i32;
        let down = |at: i32| (i64::from(at) / block * block) as i32;
        match heading {
            0 => Position { x: up(place.x, 0), y: place.y },
            1 => Position { x: place.x, y: up(place.y, 1) },
            2 => Position { x: down(place.x), y: place.y },
            _ => Position { x: place.x, y: down(place.y) },
        }
    }

    /// Returns the next crossing from another, or from the end of a street, if there is a street that goes on so far.
    /// The end of a street without a crossing is one, too.
    fn next(&self, from: Position, heading: u32) -> Option<Position> {
        let aside = match heading {
            0 => Position { x: from.x + 1, ..from },
            1 => Position { y: from.y + 1, ..from },
            2 => Position { x: from.x - 1, ..from },
            _ => Position { y: from.y - 1, ..from },
        };
        self.is_along(aside, (heading % 2) as usize).then(|| self.crossing(aside, heading))
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
