//! Outcome of an ensemble: counts of fires in each cell.

use super::details::FLAME_CLASSES;
use super::plan::Plan;
use crate::outcome::Digest;
use crate::time::MILLISECONDS_PER_HOUR;
use imminent_core::Progress;

/// Parts of the simulated time by which arrivals are counted.
pub const BINS: usize = 24;

/// Update on an ensemble under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// Steps so far, as [`EnsembleRun`](super::EnsembleRun) counts them.
    Progress(Progress),
    /// A fire is over.
    Ended {
        /// Number of the fire, from 0.
        fire: usize,
        /// Number of cells that it burns, those included that are lit.
        size: u32,
    },
}

/// Counts of fires in each cell of a landscape, their arrival times, and the sizes of all fires. Cells are in row-major
/// order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Burnt {
    /// Number of fires that are over: all, or fewer in a cancelled run.
    pub fires: u32,
    /// Rows of the landscape.
    pub rows: u32,
    /// Columns of the landscape.
    pub columns: u32,
    /// Simulated time of each fire, in milliseconds.
    pub horizon: u32,
    /// Number of fires that burn each cell.
    pub burnt: Vec<u32>,
    /// Number of fires that come to each cell in each of [`BINS`] equal parts of the simulated time, cell by cell.
    pub arrivals: Vec<u32>,
    /// Numbers of the fires that are over, in ascending order.
    pub numbers: Vec<u32>,
    /// Number of cells that each of these fires burns, those included that are lit.
    pub sizes: Vec<u32>,
    /// Time in milliseconds at which each of these fires reaches each of the
    /// [points](super::Ensemble::with_points), fire by fire; [`NEVER`](super::NEVER) if it does not.
    pub reached: Vec<u32>,
    /// Number of fires that reach each cell with flames of each of [`FLAME_CLASSES`], cell by cell; nothing unless
    /// [asked for](super::Ensemble::with_flames).
    pub flames: Vec<u32>,
}

/// Returns the part of the simulated time in which a time lies.
pub(super) fn bin(time: u32, horizon: u32) -> usize {
    (u64::from(time) * BINS as u64 / (u64::from(horizon) + 1)) as usize
}

impl Burnt {
    /// Counts of no fire, for the fires of a plan.
    pub(super) fn empty(plan: &Plan) -> Self {
        let cells = plan.landscape.cells();
        Burnt {
            fires: 0,
            rows: plan.landscape.rows(),
            columns: plan.landscape.columns(),
            horizon: plan.horizon,
            burnt: vec![0; cells],
            arrivals: vec![0; cells * BINS],
            numbers: Vec::with_capacity(plan.fires.len()),
            sizes: Vec::with_capacity(plan.fires.len()),
            reached: Vec::with_capacity(plan.fires.len() * plan.points.len()),
            flames: Vec::new(),
        }
    }

    /// Notes the size of a fire that is over, and when it reached the points.
    pub(super) fn note(&mut self, fire: usize, size: u32, reached: &[u32]) {
        self.fires += 1;
        self.numbers.push(fire as u32);
        self.sizes.push(size);
        self.reached.extend(reached);
    }

    /// Counts a fire by its ignition times. Gives its size.
    pub(super) fn add(&mut self, ignition: &[u32]) -> u32 {
        let mut size = 0;
        for (cell, &time) in ignition.iter().enumerate().filter(|&(_, &time)| time != super::NEVER) {
            size += 1;
            if let Some(count) = self.burnt.get_mut(cell) {
                *count += 1;
            }
            if let Some(count) = self.arrivals.get_mut(cell * BINS + bin(time, self.horizon)) {
                *count += 1;
            }
        }
        size
    }

    /// Returns the share of the fires that burn a cell, by its number; 0 of no fires.
    #[must_use]
    pub fn probability(&self, cell: usize) -> f64 {
        let burnt = self.burnt.get(cell).copied().unwrap_or(0);
        if self.fires == 0 { 0.0 } else { f64::from(burnt) / f64::from(self.fires) }
    }

    /// Returns the share of the fires that burn a cell, by its number, which reach it with flames of a class of
    /// [`FLAME_BOUNDS`](super::FLAME_BOUNDS); `None` if no fire burns it, or flames were not counted.
    #[must_use]
    pub fn flame_probability(&self, cell: usize, class: usize) -> Option<f64> {
        let counts = self.flames.get(cell * FLAME_CLASSES..(cell + 1) * FLAME_CLASSES)?;
        let all = self.burnt.get(cell).copied().filter(|&burnt| burnt > 0)?;
        counts.get(class).map(|&count| f64::from(count) / f64::from(all))
    }

    /// Returns the hours after which a share of the fires that burn a cell have reached it, interpolated linearly
    /// within a part of the time; `None` if no fire burns it.
    #[must_use]
    pub fn arrival(&self, cell: usize, share: f64) -> Option<f64> {
        let all = self.burnt.get(cell).copied().filter(|&burnt| burnt > 0)?;
        let bins = self.arrivals.get(cell * BINS..(cell + 1) * BINS)?;
        let wanted = share.clamp(0.0, 1.0) * f64::from(all);
        let hours = (f64::from(self.horizon) + 1.0) / MILLISECONDS_PER_HOUR / BINS as f64;
        let mut before = 0.0;
        for (number, &count) in bins.iter().enumerate().filter(|&(_, &count)| count > 0) {
            let count = f64::from(count);
            if before + count >= wanted {
                return Some(hours * (number as f64 + (wanted - before) / count));
            }
            before += count;
        }
        None
    }

    /// Returns the digest of all counts and times.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let wide = |counts: &[u32]| -> Vec<u64> { counts.iter().copied().map(u64::from).collect() };
        let shape = [self.fires, self.rows, self.columns, self.horizon].map(u64::from);
        let (burnt, arrivals, sizes) = (wide(&self.burnt), wide(&self.arrivals), wide(&self.sizes));
        // Details that were not asked for leave the digest as it is without them.
        let details = [&self.reached, &self.flames].into_iter().filter(|part| !part.is_empty());
        let details: Vec<Vec<u64>> = details.map(|part| wide(part)).collect();
        Digest::of(
            [&shape[..], &burnt[..], &arrivals[..], &sizes[..]].into_iter().chain(details.iter().map(Vec::as_slice)),
        )
    }
}
