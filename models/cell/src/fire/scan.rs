//! The paper's advance on a host: an array of next-event times, scanned for each distinct time.
//!
//! `findMinTime` is the least of the chunks' recorded minima. `findImminents` scans only the chunks whose minimum is
//! that time.

use super::burning::{Burning, Schedule};
use super::outcome::{Counts, NEVER};
use crate::outcome::Cancelled;
use crate::runner::Runner;

/// Places of a chunk.
const CHUNK: usize = 1024;

/// Distinct times between two looks at the progress function.
const TIMES_PER_LOOK: u64 = 1 << 12;

/// Next-event times of all places, and the least of each chunk.
struct Times {
    due: Vec<u32>,
    least: Vec<u32>,
}

impl Times {
    fn record(&mut self, chunk: usize) {
        let places = self.due.chunks(CHUNK).nth(chunk).unwrap_or_default();
        if let Some(least) = self.least.get_mut(chunk) {
            *least = places.iter().copied().min().unwrap_or(NEVER);
        }
    }
}

impl Schedule for Times {
    fn set(&mut self, at: usize, before: u32, due: u32) {
        let chunk = at / CHUNK;
        let (Some(time), Some(least)) = (self.due.get_mut(at), self.least.get_mut(chunk)) else { return };
        *time = due;
        if due <= *least {
            *least = due;
        } else if before == *least {
            self.record(chunk);
        }
    }
}

/// A grid and its times.
pub(super) struct Scan {
    burning: Burning,
    times: Times,
    horizon: u32,
    counts: Counts,
}

impl Scan {
    /// Makes a grid in which some cells are lit.
    pub(super) fn new(height: u32, width: u32, horizon: u32, ignitions: &[(u32, u32)]) -> Self {
        let mut burning = Burning::new(height, width);
        let places = burning.places();
        let mut times = Times { due: vec![NEVER; places], least: vec![NEVER; places.div_ceil(CHUNK)] };
        burning.light(ignitions, &mut times);
        Scan { burning, times, horizon, counts: Counts::default() }
    }

    /// Burns until the horizon. Returns the number of distinct times, of which it tells the runner.
    pub(super) fn run(&mut self, runner: &mut Runner<'_>) -> Result<u64, Cancelled> {
        let (mut steps, mut imminents) = (0_u64, Vec::new());
        loop {
            let now = self.times.least.iter().copied().min().unwrap_or(NEVER);
            if now > self.horizon || now == NEVER {
                return Ok(steps);
            }
            steps += 1;
            if steps.is_multiple_of(TIMES_PER_LOOK) {
                runner.go_on(steps)?;
            }
            imminents.clear();
            for chunk in 0..self.times.least.len() {
                if self.times.least.get(chunk) == Some(&now) {
                    self.collect(chunk, now, &mut imminents);
                }
            }
            self.counts.add(now, imminents.len());
            self.burning.spread(now, &imminents, &mut self.times);
        }
    }

    /// Ignites the cells of a chunk that are due now.
    fn collect(&mut self, chunk: usize, now: u32, imminents: &mut Vec<usize>) {
        let first = chunk * CHUNK;
        for (at, time) in (first..).zip(self.times.due.iter_mut().skip(first).take(CHUNK)) {
            if *time == now {
                *time = NEVER;
                if self.burning.ignite(at, now) {
                    imminents.push(at);
                }
            }
        }
        self.times.record(chunk);
    }

    /// Returns the ignition times, row by row, and their statistics.
    pub(super) fn ignition(&self) -> (Vec<u32>, Counts) {
        (self.burning.ignition(), self.counts)
    }
}
