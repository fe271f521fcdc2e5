//! Published results for clustered networks, and their correction by theory.
//!
//! Table 5-2 of `park-dissertation` gives utilization and sojourn time for a torus of 32 x 32 single servers with one
//! token each, at four intervals and three mean services. Without clustering both are known exactly ([`symmetric`]):
//! the table's utilization is 0.8 % above its product form. With as many tokens as stations, Little's law gives the
//! mean sojourn as mean service over utilization, at every interval. The table's sojourn is up to 1.8 % above that.
//! [`Published::corrected`] removes both deviations.

use crate::theory::symmetric;

/// Side of the torus of Table 5-2.
pub const SIDE: u32 = 32;

/// Entry of Table 5-2. Times are in time units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// Mean service time.
    pub mean_service: f64,
    /// Clustering interval.
    pub interval: f64,
    /// Utilization as printed.
    pub utilization: f64,
    /// Mean sojourn time at a station as printed.
    pub sojourn: f64,
}

/// Entries of Table 5-2, row by row.
#[allow(clippy::approx_constant, reason = "a utilization that happens to look like the logarithm of e")]
pub const TABLE_5_2: [Published; 12] = [
    entry(5.0, 0.0, 0.5042, 9.98),
    entry(10.0, 0.0, 0.5042, 19.97),
    entry(20.0, 0.0, 0.5043, 39.92),
    entry(5.0, 0.5, 0.4843, 10.50),
    entry(10.0, 0.5, 0.4938, 20.59),
    entry(20.0, 0.5, 0.4977, 40.73),
    entry(5.0, 1.0, 0.4671, 10.87),
    entry(10.0, 1.0, 0.4840, 21.03),
    entry(20.0, 1.0, 0.4930, 41.22),
    entry(5.0, 2.0, 0.4343, 11.65),
    entry(10.0, 2.0, 0.4671, 21.74),
    entry(20.0, 2.0, 0.4840, 42.06),
];

const fn entry(mean_service: f64, interval: f64, utilization: f64, sojourn: f64) -> Published {
    Published { mean_service, interval, utilization, sojourn }
}

impl Published {
    /// Returns the corrected entry. The utilization is scaled by the ratio of the product form to the table's own value
    /// at interval 0 and the same mean service. The sojourn time follows from it by Little's law.
    #[must_use]
    pub fn corrected(self) -> Self {
        let stations = SIDE * SIDE;
        let expected = symmetric(stations.into(), stations.into(), self.mean_service).utilization;
        let same = |other: &&Self| other.interval == 0.0 && other.mean_service == self.mean_service;
        let unclustered = TABLE_5_2.iter().find(same).map_or(expected, |other| other.utilization);
        let utilization = self.utilization * expected / unclustered;
        Self { utilization, sojourn: self.mean_service / utilization, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_an_interval_the_corrected_table_is_theory() {
        for entry in TABLE_5_2.iter().filter(|entry| entry.interval == 0.0) {
            let corrected = entry.corrected();
            assert!((corrected.utilization - 1024.0 / 2047.0).abs() < 1e-12);
            assert!((corrected.sojourn - entry.mean_service * 2047.0 / 1024.0).abs() < 1e-9);
        }
    }

    #[test]
    fn corrections_of_the_table_are_small() {
        for entry in TABLE_5_2 {
            let corrected = entry.corrected();
            assert!((corrected.utilization / entry.utilization - 1.0).abs() < 0.01, "{entry:?}");
            assert!((corrected.sojourn / entry.sojourn - 1.0).abs() < 0.02, "{entry:?}");
        }
    }
}
