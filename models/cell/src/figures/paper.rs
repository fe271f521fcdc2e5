//! Times that Liu and Wainer print for 50 hours on 1024 x 1024 cells, by the models of this project.

use super::setting::Model;

/// Simulated hours of the printed times.
pub(super) const HOURS: f64 = 50.0;

/// Number of cells along a side of the paper's grids.
pub(super) const SIDE: u32 = 1024;

/// Names of the printed runs.
pub(super) const RUNS: [&str; 3] = ["main core", "main core, optimized", "8 SPEs"];

/// Number of coprocessors of the fastest printed run.
pub(super) const SPES: u32 = 8;

/// Printed times of a model, in seconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Printed {
    /// CD++ on the main core: table 1.
    pub(super) baseline: f64,
    /// Baseline over the time with arrays in place of maps, on the main core.
    pub(super) optimized: f64,
    /// Baseline over the time with eight coprocessors.
    pub(super) on_spes: f64,
}

impl Printed {
    pub(super) fn of(model: Model) -> Printed {
        match model {
            Model::Fire => Printed { baseline: 111_504.59, optimized: 9.1, on_spes: 70.6 },
            Model::Flood => Printed { baseline: 61_432.53, optimized: 7.09, on_spes: 83.32 },
        }
    }

    /// Returns the wall times of a simulated hour: baseline, optimized, and on coprocessors.
    pub(super) fn runs(&self) -> [f64; 3] {
        let hour = self.baseline / HOURS;
        [hour, hour / self.optimized, hour / self.on_spes]
    }

    /// Returns the speed on eight coprocessors beside the optimized program on the main core.
    pub(super) fn speed_up(&self) -> f64 {
        self.on_spes / self.optimized
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text gives some times in hours and minutes too.
    #[test]
    fn printed_values_agree_with_one_another() {
        let minutes = [(Model::Fire, 3.4 * 60.0, 26.3), (Model::Flood, 2.4 * 60.0, 12.3)];
        for (model, optimized, on_spes) in minutes {
            let [_, own_optimized, own_spes] = Printed::of(model).runs().map(|hour| hour * HOURS / 60.0);
            assert!((own_optimized / optimized - 1.0).abs() < 0.005, "{model:?}: {own_optimized}");
            assert!((own_spes / on_spes - 1.0).abs() < 0.002, "{model:?}: {own_spes}");
        }
    }
}
