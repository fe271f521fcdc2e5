//! The flood on a host: bands of lines, several steps of each at a time, on all threads.

mod band;
mod counts;
mod line;

pub(super) use self::counts::Counts;

use self::band::{Band, Ground, Halo};
use self::counts::LINES;
use super::WALL;
use super::kernels::levelling::{amount, word};
use crate::outcome::Cancelled;
use crate::runner::Runner;
use imminent_common::parallel::Threads;
use rayon::prelude::*;

/// Steps of a band between two exchanges of its halo.
const STEPS: usize = 4;

/// Cells of a grid from which on several threads are used: four steps of as many take 0.4 ms, handing them to a pool
/// and waiting for it 0.05 ms.
const MIN_PARALLEL_CELLS: usize = 1 << 16;

/// A grid of words (see [`levelling`](super::kernels::levelling)), closed cells 0, with a closed column at each side.
pub(super) struct Grid {
    width: usize,
    stride: usize,
    words: Vec<u64>,
    /// Open cells among each cell and its neighbours; 0 for a closed cell.
    open: Vec<u8>,
    /// For each line, `true` if all cells except the outer two have nine open cells around them, themselves included.
    plain: Vec<bool>,
    /// For each line, `true` if one of its cells changed in the step before.
    changed: Vec<bool>,
}

impl Grid {
    /// Cuts amounts, line by line, into words.
    pub(super) fn new(height: u32, width: u32, amounts: &[i64]) -> Self {
        let (height, width) = (height as usize, width as usize);
        let stride = width + 2;
        let mut words = vec![0; stride * height];
        let mut closed = vec![0_u8; stride * (height + 2)];
        for (line, cells) in amounts.chunks(width).enumerate() {
            let (to, ones) = (words.get_mut(line * stride + 1..), closed.get_mut((line + 1) * stride + 1..));
            let (Some(to), Some(ones)) = (to, ones) else { continue };
            for ((to, one), &cell) in to.iter_mut().zip(ones).zip(cells) {
                (*to, *one) = if cell < 0 { (0, 0) } else { (word(cell as u64), 1) };
            }
        }
        let mut open = vec![0; stride * height];
        for (line, counts) in open.chunks_mut(stride).enumerate() {
            let near = |line: usize| closed.get(line * stride..(line + 1) * stride).unwrap_or_default();
            let (above, here, below) = (near(line), near(line + 1), near(line + 2));
            let triples = above.windows(3).zip(here.windows(3)).zip(below.windows(3));
            for (count, ((above, here), below)) in counts.iter_mut().skip(1).zip(triples) {
                let sum: u8 = above.iter().chain(here).chain(below).sum();
                *count = sum * here.get(1).copied().unwrap_or(0);
            }
        }
        let all_nine = |counts: &[u8]| counts.get(2..width).is_some_and(|inner| inner.iter().all(|&open| open == 9));
        let plain = open.chunks(stride).map(all_nine).collect();
        Grid { width, stride, words, open, plain, changed: vec![true; height] }
    }

    /// Takes up to `steps` steps on some threads; ends early when nothing changes.
    pub(super) fn run(&mut self, steps: u64, threads: u32, runner: &mut Runner<'_>) -> Result<Counts, Cancelled> {
        let mut halos: Vec<Halo> = self.changed.chunks(LINES).map(|_| Halo::default()).collect();
        let several = threads > 1 && self.words.len() >= MIN_PARALLEL_CELLS;
        let threads = several.then(|| Threads::new(threads));
        let (mut counts, mut done) = (Counts::default(), 0);
        while done < steps {
            runner.go_on(done)?;
            let taken = (STEPS as u64).min(steps - done);
            let now = match &threads {
                Some(threads) => threads.run(|| self.advance_in_parallel(&mut halos, taken as usize)),
                None => self.advance(&mut halos, taken as usize),
            };
            counts.outputs += now.outputs;
            // Changes follow from changes in the step before, so there was one in each step up to the last.
            counts.steps += now.steps;
            if now.steps < taken {
                break;
            }
            done += taken;
        }
        Ok(counts)
    }

    /// Takes at most [`STEPS`] steps in this thread.
    fn advance(&mut self, halos: &mut [Halo], steps: usize) -> Counts {
        for (number, halo) in halos.iter_mut().enumerate() {
            halo.read(&self.words, &self.changed, self.stride, number, steps);
        }
        let ground = Ground { open: &self.open, plain: &self.plain, stride: self.stride };
        let bands = self.words.chunks_mut(LINES * self.stride).zip(self.changed.chunks_mut(LINES));
        let mut memory = Band::default();
        let counts = bands
            .zip(halos)
            .enumerate()
            .map(|(number, ((words, changed), halo))| memory.advance(number, halo, words, changed, ground, steps));
        counts.fold(Counts::default(), Counts::and)
    }

    /// Takes at most [`STEPS`] steps on the threads of the current pool.
    fn advance_in_parallel(&mut self, halos: &mut [Halo], steps: usize) -> Counts {
        let (words, changed, stride) = (&self.words, &self.changed, self.stride);
        halos.par_iter_mut().enumerate().for_each(|(number, halo)| halo.read(words, changed, stride, number, steps));
        let ground = Ground { open: &self.open, plain: &self.plain, stride };
        let bands = self.words.par_chunks_mut(LINES * stride).zip(self.changed.par_chunks_mut(LINES));
        let counts =
            bands.zip(halos).enumerate().map_init(Band::default, |memory, (number, ((words, changed), halo))| {
                memory.advance(number, halo, words, changed, ground, steps)
            });
        counts.reduce(Counts::default, Counts::and)
    }

    /// Returns the amounts of all cells, line by line.
    pub(super) fn amounts(&self) -> Vec<i64> {
        let cell = |(&cell, &open): (&u64, &u8)| if open == 0 { WALL } else { amount(cell) as i64 };
        let lines = self.words.chunks(self.stride).zip(self.open.chunks(self.stride));
        lines.flat_map(|(line, open)| line.iter().zip(open).skip(1).take(self.width).map(cell)).collect()
    }
}
