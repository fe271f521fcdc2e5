//! Table 5-2 and figures 5-4 to 5-6 of the dissertation: the clustered engine beside the exact one.

mod measure;
mod shown;

use imminent_study::Figures;
use imminent_study::figures::{Figure, Publication, Usual};
use measure::{MEAN, MEANS, SIDE, Setting, Shape};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Returns the figures.
pub(crate) fn of_park() -> Figures {
    let figure = |name, title, settings, contents| Figure {
        is_for: |_: &Setting, place, _| place.device.is_some(),
        ..Figure::new(name, title, settings, contents)
    };
    Figures::from(Publication {
        name: "queueing",
        about: "Table 5-2 and figures 5-4 to 5-6 of queueing networks, which compare the clustered engine with the exact \
                one.",
        title: "Clustering events in intervals of time",
        introduction: "Table 5-2 and figures 5-4 to 5-6 of H. Park's dissertation, measured anew. Interval 0 is the exact \
                       engine.",
        places: &[Usual::Chosen],
        figures: vec![
            figure(
                "5-2",
                "Table 5-2: utilization and sojourn time by interval, beside the printed ones",
                |options: &Options| {
                    let of_mean = |mean| options.each(Shape::Closed, SIDE, mean, &[0.5, 1.0, 2.0]);
                    MEANS.into_iter().flat_map(of_mean).collect()
                },
                shown::table_5_2,
            ),
            figure("5-4", "Figure 5-4: a closed and an open network", Options::networks, shown::networks),
            figure(
                "5-5",
                "Figure 5-5: closed networks by size and mean service",
                Options::parameters,
                shown::parameters,
            ),
            figure("5-6", "Figure 5-6: speed beside the exact engine", Options::speeds, shown::speeds),
        ],
        measure: |options: Options| Box::new(move |setting, place| setting.measure(options.seed, place)),
    })
}

/// Networks, and the length of their simulations.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Options {
    /// Further intervals beside those of the table, in time units.
    #[schemars(inner(range(min = 0.000_001, max = 1e9)))]
    intervals: Vec<f64>,
    /// Numbers of stations along a side of the networks of 5-5 and 5-6.
    #[schemars(inner(range(min = 3, max = 4096)))]
    sides: Vec<u32>,
    /// Length of each replication of 5-2, 5-4 and 5-5, in mean services.
    #[schemars(range(min = 1))]
    services: u32,
    /// Number of replications of each.
    #[schemars(range(min = 2, max = 1000))]
    replications: u64,
    /// Approximate number of events of each run of 5-6.
    #[schemars(range(min = 1))]
    events: u64,
    /// Number of runs of 5-6, of which the fastest counts.
    #[schemars(range(min = 1))]
    runs: u32,
    /// Seed of all random numbers.
    #[schemars(range(min = 0))]
    seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            intervals: vec![0.1, 0.2, 0.5, 1.0, 1.5, 2.0],
            sides: vec![16, 32, 64, 128],
            services: 1000,
            replications: 5,
            events: 1_000_000,
            runs: 3,
            seed: 1,
        }
    }
}

impl Options {
    /// Returns the exact engine (no interval) before the intervals.
    fn each(&self, network: Shape, side: u32, mean_service: f64, intervals: &[f64]) -> Vec<Setting> {
        let (services, replications, runs) = (f64::from(self.services), self.replications, 1);
        let intervals = std::iter::once(None).chain(intervals.iter().copied().map(Some));
        let setting = |interval| Setting { network, side, mean_service, interval, services, replications, runs };
        intervals.map(setting).collect()
    }

    fn networks(&self) -> Vec<Setting> {
        Shape::ALL.into_iter().flat_map(|shape| self.each(shape, SIDE, MEAN, &self.intervals)).collect()
    }

    fn parameters(&self) -> Vec<Setting> {
        let means = MEANS.into_iter().filter(|mean| *mean != MEAN || !self.sides.contains(&SIDE));
        let networks = self.sides.iter().map(|&side| (side, MEAN)).chain(means.map(|mean| (SIDE, mean)));
        networks.flat_map(|(side, mean)| self.each(Shape::Closed, side, mean, &self.intervals)).collect()
    }

    fn speeds(&self) -> Vec<Setting> {
        let networks = Shape::ALL.into_iter().flat_map(|shape| self.sides.iter().map(move |&side| (shape, side)));
        let settings = networks.flat_map(|(shape, side)| self.each(shape, side, MEAN, &self.intervals));
        let timed = |setting: Setting| {
            // A server is busy half of the time.
            let stations = f64::from(setting.side) * f64::from(setting.side);
            let services = (2.0 * self.events as f64 / stations).max(2.0);
            Setting { services, replications: 1, runs: self.runs, ..setting }
        };
        settings.map(timed).collect()
    }
}
