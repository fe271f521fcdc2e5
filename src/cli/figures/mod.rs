//! `imminent figures`: the papers' Table 5-2 and figures 5-4 to 5-6, measured anew: the clustered engine beside the exact one; and those of hybrid traffic and of parameter studies.

#[cfg(feature = "report")]
mod drawings;
#[cfg(feature = "report")]
mod lines;
mod measure;
mod measured;
mod place;
mod studies;
mod tables;
mod traffic;

use super::progress::Bar;
use super::selection::DeviceArgs;
use super::{Failure, print_text};
use clap::{Args, Subcommand, ValueEnum};
use measure::{Bench, Figure, Setting, Shape};
use std::path::{Path, PathBuf};

/// Options of `imminent figures`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Figures {
    #[command(subcommand)]
    other: Option<Other>,
    #[command(flatten)]
    queueing: Queueing,
}

/// Figures of other papers.
#[derive(Debug, Subcommand)]
enum Other {
    /// Figures 8 to 10 of hybrid traffic: wall time of a simulated second by campuses, shares of packets and batches, in several places.
    Traffic(traffic::TrafficFigures),
    /// Figures 6 to 13 of parameter studies: events a second by simulations, modules and mappings, what events cost, and the wireless mesh, in several places.
    Studies(Box<studies::StudyFigures>),
}

impl Figures {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.other {
            Some(Other::Traffic(figures)) => figures.run(),
            Some(Other::Studies(figures)) => figures.run(),
            None => self.queueing.run(),
        }
    }
}

/// What is measured of queueing networks.
#[derive(Debug, Args)]
struct Queueing {
    /// What to measure: 5-2 (the table), 5-4, 5-5, 5-6 [default: all].
    #[arg(value_enum, value_name = "PART")]
    parts: Vec<Part>,
    #[command(flatten)]
    device: DeviceArgs,
    /// Write figures.csv and figures.html into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Intervals beside those of the table, in time units.
    #[arg(long, value_name = "D,…", value_delimiter = ',', default_values_t = [0.1, 0.2, 0.5, 1.0, 1.5, 2.0])]
    intervals: Vec<f64>,
    /// Stations along a side of the networks of 5-5 and 5-6.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [16, 32, 64, 128], value_parser = clap::value_parser!(u32).range(3..=4096))]
    sides: Vec<u32>,
    /// Length of each replication of 5-2, 5-4 and 5-5, in mean services.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    services: u32,
    /// Replications of each.
    #[arg(long, value_name = "R", default_value_t = 5, value_parser = clap::value_parser!(u64).range(2..=1000))]
    reps: u64,
    /// Events of each run of 5-6, about.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    events: u64,
    /// Runs of 5-6 of which the fastest counts.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Seed of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// What can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Part {
    /// Utilization and sojourn time at four intervals and three mean services.
    #[value(name = "5-2")]
    Table,
    /// Sojourn time and utilization of a closed and an open network.
    #[value(name = "5-4")]
    Networks,
    /// Utilization of closed networks of several sizes and mean services.
    #[value(name = "5-5")]
    Parameters,
    /// Speed beside the exact engine.
    #[value(name = "5-6")]
    Speed,
}

/// What was measured of one part, in the order of [`Setting`]s.
struct Measured {
    part: Part,
    figures: Vec<Figure>,
}

/// The side of the papers' networks.
const SIDE: u32 = 32;
/// Their mean service.
const MEAN: f64 = 10.0;
/// The mean services of Table 5-2 and figure 5-5 B.
const MEANS: [f64; 3] = [5.0, 10.0, 20.0];

impl Queueing {
    fn run(self) -> Result<(), Failure> {
        let parts = begin(&self.parts, self.out.as_deref())?;
        let (device, why) = self.device.open()?;
        let bench = Bench::new(&device, self.services, self.reps, self.events, self.runs, self.seed);
        let settings: Vec<_> = parts.iter().map(|&part| (part, self.settings(part))).collect();
        let bar = Bar::new(settings.iter().map(|(_, settings)| settings.len() as u64).sum(), "settings");
        let (mut measured, mut done) = (vec![], 0);
        for (part, settings) in settings {
            let mut figures = vec![];
            for setting in settings {
                figures.push(if part == Part::Speed { bench.time(setting)? } else { bench.observe(setting)? });
                done += 1;
                bar.done(done);
            }
            measured.push(Measured { part, figures });
        }
        drop(bar);
        if let Some(folder) = &self.out {
            save(&folder.join("figures.csv"), &tables::csv(&measured))?;
            #[cfg(feature = "report")]
            save(&folder.join("figures.html"), &drawings::page(&measured, &device.info().name).map_err(Failure::run)?)?;
        }
        print_text(&format!("on {} ({why})\n\n{}", device.info().name, tables::markdown(&measured)))
    }

    /// What is measured for a part, the exact engine (no interval) before the intervals.
    fn settings(&self, part: Part) -> Vec<Setting> {
        let intervals = || std::iter::once(None).chain(self.intervals.iter().copied().map(Some));
        let each = |shape, side, mean: f64| intervals().map(move |interval| Setting { shape, side, mean, interval });
        match part {
            Part::Table => {
                let intervals = [None, Some(0.5), Some(1.0), Some(2.0)];
                let of_mean =
                    |mean| intervals.map(|interval| Setting { shape: Shape::Closed, side: SIDE, mean, interval });
                MEANS.into_iter().flat_map(of_mean).collect()
            }
            Part::Networks => Shape::ALL.into_iter().flat_map(|shape| each(shape, SIDE, MEAN)).collect(),
            Part::Parameters => {
                let sizes = self.sides.iter().flat_map(|&side| each(Shape::Closed, side, MEAN));
                let means = MEANS.into_iter().filter(|mean| *mean != MEAN || !self.sides.contains(&SIDE));
                sizes.chain(means.flat_map(|mean| each(Shape::Closed, SIDE, mean))).collect()
            }
            Part::Speed => {
                let of_shape = |shape| self.sides.iter().flat_map(move |&side| each(shape, side, MEAN));
                Shape::ALL.into_iter().flat_map(of_shape).collect()
            }
        }
    }
}

/// The parts that are asked for, in order and each once, or all of them; and the folder for what is measured, which is made before measuring begins.
fn begin<P: ValueEnum + Ord + Copy>(parts: &[P], out: Option<&Path>) -> Result<Vec<P>, Failure> {
    if let Some(folder) = out {
        std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    }
    let mut parts = if parts.is_empty() { P::value_variants().to_vec() } else { parts.to_vec() };
    parts.sort();
    parts.dedup();
    Ok(parts)
}

/// Reads seconds of wall time.
fn budget(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("give a number of seconds from 0.001 to 86400".to_owned()),
    }
}

fn save(file: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text).map_err(|error| cannot_write(file, &error))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::run(format!("{}: cannot be written: {error}", path.display()))
}
