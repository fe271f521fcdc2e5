//! Table 5-2 and figures 5-4 to 5-6 of the dissertation: the clustered engine beside the exact one.

mod drawings;
mod figure;
mod measure;
mod tables;

use super::out::{OutArgs, draw, save};
use super::parts::{in_order, missing};
use clap::Args;
use figure::{Figure, MEAN, MEANS, Measured, SIDE};
use imminent_console::progress::Bar;
use imminent_console::selection::DeviceArgs;
use imminent_console::{Failure, interrupt, print::print_text};
use measure::{Bench, Setting, Shape};

/// Options for the figures of queueing networks.
#[derive(Debug, Args)]
pub(super) struct Queueing {
    /// Figures to measure: 5-2 (the table), 5-4, 5-5, 5-6 [default: all].
    #[arg(value_enum, value_name = "PART")]
    parts: Vec<Figure>,
    #[command(flatten)]
    device: DeviceArgs,
    #[command(flatten)]
    out: OutArgs,
    /// Further intervals beside those of the table, in time units.
    #[arg(long, value_name = "D,…", value_delimiter = ',', default_values_t = [0.1, 0.2, 0.5, 1.0, 1.5, 2.0])]
    intervals: Vec<f64>,
    /// Numbers of stations along a side of the networks of 5-5 and 5-6.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [16, 32, 64, 128], value_parser = clap::value_parser!(u32).range(3..=4096))]
    sides: Vec<u32>,
    /// Length of each replication of 5-2, 5-4 and 5-5, in mean services.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    services: u32,
    /// Number of replications of each.
    #[arg(long, value_name = "R", default_value_t = 5, value_parser = clap::value_parser!(u64).range(2..=1000))]
    replications: u64,
    /// Approximate number of events of each run of 5-6.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    events: u64,
    /// Number of runs of 5-6, of which the fastest counts.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Seed of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

impl Queueing {
    pub(super) fn run(self) -> Result<(), Failure> {
        let (parts, folder) = (in_order(&self.parts), self.out.folder()?);
        let (device, why) = self.device.open()?;
        let bench = Bench::new(&device, self.services, self.replications, self.events, self.runs, self.seed);
        let settings: Vec<_> = parts.iter().map(|&part| (part, self.settings(part))).collect();
        let all = settings.iter().map(|(_, settings)| settings.len() as u64).sum();
        let bar = Bar::new(all, "settings");
        let (mut measured, mut done) = (vec![], 0);
        interrupt::watch();
        for (part, settings) in settings {
            let mut figures = vec![];
            for setting in settings {
                if interrupt::requested() {
                    break;
                }
                figures.push(if part == Figure::Speed { bench.time(setting)? } else { bench.observe(setting)? });
                done += 1;
                bar.done(done);
            }
            measured.push(Measured { part, figures });
        }
        drop(bar);
        measured.retain(|measured| !measured.figures.is_empty());
        let missing = missing(done, all, "settings")?;
        if let Some(folder) = &folder {
            folder.replace(|folder| {
                save(folder, "figures.csv", &tables::csv(&measured))?;
                draw(folder, drawings::page(&measured, &device.info().name, missing.as_deref()))?;
                Ok(())
            })?;
        }
        let name = &device.info().name;
        let partial = missing.as_ref().map_or_else(String::new, |missing| format!("partial: {missing}\n\n"));
        print_text(&format!("on {name} ({why})\n\n{partial}{}", tables::markdown(&measured)))?;
        missing.map_or(Ok(()), |missing| Err(Failure::run(missing)))
    }

    /// Returns the settings of a part, the exact engine (no interval) before the intervals.
    fn settings(&self, part: Figure) -> Vec<Setting> {
        let intervals = || std::iter::once(None).chain(self.intervals.iter().copied().map(Some));
        let each = |shape, side, mean: f64| intervals().map(move |interval| Setting { shape, side, mean, interval });
        match part {
            Figure::Table => {
                let intervals = [None, Some(0.5), Some(1.0), Some(2.0)];
                let of_mean =
                    |mean| intervals.map(|interval| Setting { shape: Shape::Closed, side: SIDE, mean, interval });
                MEANS.into_iter().flat_map(of_mean).collect()
            }
            Figure::Networks => Shape::ALL.into_iter().flat_map(|shape| each(shape, SIDE, MEAN)).collect(),
            Figure::Parameters => {
                let sizes = self.sides.iter().flat_map(|&side| each(Shape::Closed, side, MEAN));
                let means = MEANS.into_iter().filter(|mean| *mean != MEAN || !self.sides.contains(&SIDE));
                sizes.chain(means.flat_map(|mean| each(Shape::Closed, SIDE, mean))).collect()
            }
            Figure::Speed => {
                let of_shape = |shape| self.sides.iter().flat_map(move |&side| each(shape, side, MEAN));
                Shape::ALL.into_iter().flat_map(of_shape).collect()
            }
        }
    }
}
