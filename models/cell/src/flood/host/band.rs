//! Several steps of a band of lines.

use super::counts::{Counts, LINES};
use super::line::{Line, level};
use std::ops::Range;

/// Properties of cells that stay as they are.
#[derive(Clone, Copy)]
pub(super) struct Ground<'g> {
    /// Open cells among each cell and its neighbours.
    pub(super) open: &'g [u8],
    /// For each line, `true` if all cells except the outer two have nine open cells around them, themselves included.
    pub(super) plain: &'g [bool],
    /// Length of a line with its closed ends.
    pub(super) stride: usize,
}

/// Lines around a band, as they were before a launch.
#[derive(Default)]
pub(super) struct Halo {
    /// Words of the lines above, then of those below.
    words: [Vec<u64>; 2],
    /// For each of these lines, `true` if it changed in the step before.
    changed: [Vec<bool>; 2],
    /// `true` if one of these lines changed.
    near: bool,
    /// `true` if the grid continues beyond the lines above, and beyond those below.
    cut: [bool; 2],
}

impl Halo {
    /// Reads `depth` lines above and below a band, or as many as the grid has.
    pub(super) fn read(&mut self, words: &[u64], changed: &[bool], stride: usize, band: usize, depth: usize) {
        let band = band * LINES..(band + 1) * LINES;
        let above = band.start.saturating_sub(depth)..band.start;
        let below = band.end.min(changed.len())..(band.end + depth).min(changed.len());
        self.cut = [above.start > 0, below.end < changed.len()];
        self.near = false;
        for ((lines, to), flags) in [above, below].into_iter().zip(&mut self.words).zip(&mut self.changed) {
            to.clear();
            to.extend_from_slice(words.get(lines.start * stride..lines.end * stride).unwrap_or_default());
            flags.clear();
            flags.extend_from_slice(changed.get(lines).unwrap_or_default());
            self.near |= flags.contains(&true);
        }
    }
}

/// Memory of a thread: a band with its halo.
#[derive(Default)]
pub(super) struct Band {
    words: Vec<u64>,
    changed: Vec<bool>,
    next: Vec<bool>,
    /// Lines that belong to the band; the others are its halo.
    mine: Range<usize>,
    cut: [bool; 2],
    line: Line,
}

impl Band {
    /// Takes some steps of a band near which something changed.
    pub(super) fn advance(
        &mut self,
        band: usize,
        halo: &Halo,
        words: &mut [u64],
        changed: &mut [bool],
        ground: Ground<'_>,
        steps: usize,
    ) -> Counts {
        if !halo.near && !changed.contains(&true) {
            return Counts::default();
        }
        let stride = ground.stride;
        self.load(halo, words, changed, stride);
        let first = band * LINES - self.mine.start;
        let open = ground.open.get(first * stride..).unwrap_or_default();
        let plain = ground.plain.get(first..).unwrap_or_default();
        let counts = self.level(Ground { open, plain, stride }, steps);
        self.store(words, changed, stride);
        counts
    }

    /// Brings a band and its halo together.
    fn load(&mut self, halo: &Halo, words: &[u64], changed: &[bool], stride: usize) {
        let (parts, flags) = (&halo.words, &halo.changed);
        self.words.clear();
        [parts[0].as_slice(), words, parts[1].as_slice()].iter().for_each(|part| self.words.extend_from_slice(part));
        self.changed.clear();
        [flags[0].as_slice(), changed, flags[1].as_slice()]
            .iter()
            .for_each(|part| self.changed.extend_from_slice(part));
        self.mine = flags[0].len()..flags[0].len() + changed.len();
        self.cut = halo.cut;
        self.line.widen(stride);
    }

    /// Takes some steps. Each makes one more line at the cut ends of the halo wrong. The ground begins with the first
    /// line of the halo.
    fn level(&mut self, ground: Ground<'_>, steps: usize) -> Counts {
        let Ground { open, plain, stride } = ground;
        let lines = self.changed.len();
        let [cut_above, cut_below] = self.cut;
        let mut counts = Counts::default();
        for step in 1..=steps {
            let first = if cut_above { step } else { 0 };
            let last = if cut_below { lines - step } else { lines };
            self.next.clear();
            self.next.resize(lines, false);
            let mut all = 0;
            // Line whose words before this step `self.line` holds.
            let mut held = None;
            for line in first..last {
                let near = line.saturating_sub(1)..(line + 2).min(lines);
                if !self.changed.get(near).is_some_and(|near| near.contains(&true)) {
                    continue;
                }
                let (before, here) = self.words.split_at_mut(line * stride);
                let (here, below) = here.split_at_mut(stride);
                let above = line.checked_sub(1).and_then(|above| before.get(above * stride..));
                let range = line * stride..(line + 1) * stride;
                if held.is_none() || held != line.checked_sub(1) {
                    self.line.hold(above);
                }
                self.line.add(here, below.get(..stride));
                held = Some(line);
                let plain = plain.get(line).copied().unwrap_or(false);
                let changes = level(self.line.sums(), here, open.get(range).unwrap_or_default(), plain);
                if let Some(next) = self.next.get_mut(line) {
                    *next = changes > 0;
                }
                if self.mine.contains(&line) {
                    all += changes;
                }
            }
            std::mem::swap(&mut self.changed, &mut self.next);
            counts.outputs += all;
            counts.steps = if all > 0 { step as u64 } else { counts.steps };
        }
        counts
    }

    /// Writes the band back, without its halo.
    fn store(&self, words: &mut [u64], changed: &mut [bool], stride: usize) {
        let range = self.mine.start * stride..self.mine.end * stride;
        words.copy_from_slice(self.words.get(range).unwrap_or_default());
        changed.copy_from_slice(self.changed.get(self.mine.clone()).unwrap_or_default());
    }
}
