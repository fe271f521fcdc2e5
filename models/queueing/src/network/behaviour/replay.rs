//! Arrivals of a table, which a source replays.

use crate::outcome::{Digest, Hasher};
use imminent_common::time::{Tick, TimeError};
use std::fmt;

/// Arrivals of a table, in the order of time, which a source replays instead of drawing them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Replay {
    /// Rows of the table.
    pub rows: Vec<Replayed>,
    /// Stations for whose services the table has a length.
    pub stations: Vec<u32>,
    /// Lengths of services, in time units: for each row one for each of the stations. `None` draws it by the law.
    pub services: Vec<Option<f64>>,
}

/// Row of a table of arrivals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Replayed {
    /// Time of the arrival, in time units from the start of the run.
    pub time: f64,
    /// Class of the tokens.
    pub class: u32,
    /// Number of tokens, at least 1.
    pub tokens: u32,
}

impl Replay {
    /// Largest number of tokens of a row: 10^6.
    pub const MAX_TOKENS: u32 = 1_000_000;

    /// Returns the classes that come, each once, in ascending order.
    #[must_use]
    pub fn classes(&self) -> Vec<u32> {
        let classes: std::collections::BTreeSet<u32> = self.rows.iter().map(|row| row.class).collect();
        classes.into_iter().collect()
    }

    /// Returns `true` if tokens of a class come.
    #[must_use]
    pub fn has_class(&self, class: u32) -> bool {
        self.rows.iter().any(|row| row.class == class)
    }

    /// Returns the mean time between tokens of a class, in time units, for estimates; 1 if all come at once.
    #[must_use]
    pub fn mean_time_between(&self, class: u32) -> f64 {
        let of_class = self.rows.iter().filter(|row| row.class == class);
        let tokens: f64 = of_class.map(|row| f64::from(row.tokens)).sum();
        let span = self.rows.last().map_or(0.0, |row| row.time);
        let mean = span / tokens.max(1.0);
        if mean > 0.0 { mean } else { 1.0 }
    }

    /// Returns the table in ticks.
    pub(super) fn compiled(&self, tick: Tick) -> Result<ReplayInTicks, TimeError> {
        let mut table = ReplayInTicks {
            rows: Vec::with_capacity(self.rows.len()),
            stations: self.stations.clone(),
            services: Vec::with_capacity(self.services.len()),
            digest: Hasher::new("imminent queueing replay 1").finish(),
        };
        for row in &self.rows {
            table.rows.push(RowInTicks { time: tick.ticks(row.time)?, class: row.class, tokens: row.tokens });
        }
        for length in &self.services {
            // A service takes a tick at least, as those of laws do.
            let ticks = length.map(|length| tick.ticks(length)).transpose()?.map(|ticks| ticks.max(1));
            table.services.push(ticks.unwrap_or(BY_LAW));
        }
        table.digest = table.digest();
        Ok(table)
    }
}

/// Entry of a table for a service whose length is drawn by the law.
const BY_LAW: u64 = u64::MAX;

/// Row of a table in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowInTicks {
    pub(crate) time: u64,
    pub(crate) class: u32,
    pub(crate) tokens: u32,
}

/// Arrivals of a table in ticks. Rows of the same tick are one emission.
#[derive(Clone, PartialEq)]
pub(crate) struct ReplayInTicks {
    rows: Vec<RowInTicks>,
    stations: Vec<u32>,
    services: Vec<u64>,
    /// Digest of all of the table.
    digest: Digest,
}

impl ReplayInTicks {
    /// Returns the rows of the emission that begins with a row, with the number of the first.
    pub(crate) fn emission(&self, first: u32) -> impl Iterator<Item = (u32, RowInTicks)> + '_ {
        let rows = self.rows.get(first as usize..).unwrap_or(&[]);
        let time = rows.first().map(|row| row.time);
        (first..).zip(rows.iter().copied()).take_while(move |(_, row)| Some(row.time) == time)
    }

    /// Returns `true` if several tokens come in one tick.
    pub(crate) fn has_batches(&self) -> bool {
        let at_once = self.rows.windows(2).any(|pair| matches!(pair, [a, b] if a.time == b.time));
        at_once || self.rows.iter().any(|row| row.tokens > 1)
    }

    /// Returns the length of the service at a station for the tokens of a row, in ticks; `None` if its law draws it.
    pub(crate) fn service(&self, row: u32, station: u32) -> Option<u64> {
        let place = self.stations.iter().position(|other| *other == station)?;
        let length = *self.services.get(row as usize * self.stations.len() + place)?;
        (length != BY_LAW).then_some(length)
    }

    fn digest(&self) -> Digest {
        let mut hasher = Hasher::new("imminent queueing replay 1");
        hasher.words(&[self.rows.len() as u64, self.stations.len() as u64]);
        self.stations.iter().for_each(|station| hasher.words(&[u64::from(*station)]));
        self.rows.iter().for_each(|row| hasher.words(&[row.time, u64::from(row.class), u64::from(row.tokens)]));
        hasher.words(&self.services);
        hasher.finish()
    }
}

impl fmt::Debug for ReplayInTicks {
    /// Writes the digest, which stands for the table in the fingerprint of a network.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Replay({} rows, {})", self.rows.len(), self.digest)
    }
}
