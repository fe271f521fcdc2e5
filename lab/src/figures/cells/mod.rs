//! The command `lab figures cells`: figures 11 and 12 of the paper on the Cell processor, measured anew.

mod drawings;
mod figure;
mod paper;
mod setting;
mod tables;

use super::measured::wanted;
use super::out::OutArgs;
use super::parts;
use super::target::{Opened, Target};
use clap::Args;
use figure::{Figure, Sizes};
use imminent_console::Failure;
use setting::Setting;
use std::thread::available_parallelism;
use tables::Measured;

/// Options of `lab figures cells`.
#[derive(Debug, Args)]
pub(crate) struct CellFigures {
    /// Figures to measure: 11 (times), 12 (speeds beside one thread), sides (the fire by the side of its grid)
    /// [default: all].
    #[arg(value_enum, value_name = "FIGURE")]
    parts: Vec<Figure>,
    /// Places where models run, separated by commas: cpu, cpu:THREADS, wgpu, opencl, cuda, or host, the sequential
    /// event list of the fire [default: cpu:1,cpu and every available device].
    #[arg(long, value_name = "P,P,...", value_delimiter = ',', value_parser = Target::parse)]
    on: Vec<Target>,
    #[command(flatten)]
    out: OutArgs,
    /// Number of cells along a side in figures 11 and 12.
    #[arg(long, default_value_t = paper::SIDE, value_name = "N", value_parser = clap::value_parser!(u32).range(16..=16_384))]
    side: u32,
    /// Numbers of cells along a side in the figure of sides.
    #[arg(long, value_delimiter = ',', default_value = "64,128,256,512,1024,2048,4096", value_name = "N,N,...", value_parser = clap::value_parser!(u32).range(16..=16_384))]
    sides: Vec<u32>,
    /// Simulated time of the fire, in hours.
    #[arg(long, default_value_t = paper::HOURS, value_name = "H", value_parser = hours)]
    hours: f64,
    /// Simulated time of the flood, in hours.
    #[arg(long, default_value_t = paper::HOURS, value_name = "H", value_parser = hours)]
    flood_hours: f64,
    /// Number of runs of each point, of which the fastest counts.
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    runs: u32,
}

impl CellFigures {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let folder = self.out.folder()?;
        let places = Target::open_all(&self.on, || {
            [Some(1), None].map(Target::Cpu).into_iter().chain(Target::apart()).collect()
        })?;
        self.measure(&places)?.publish(folder.as_ref(), &tables::COLUMNS, drawings::page, tables::markdown)
    }

    fn measure(&self, places: &[Opened]) -> Result<Measured, Failure> {
        let sizes =
            Sizes { side: self.side, sides: self.sides.clone(), fire_hours: self.hours, flood_hours: self.flood_hours };
        let parts: Vec<_> =
            parts::in_order(&self.parts).into_iter().map(|part| (part, part.settings(&sizes))).collect();
        let of_setting = |setting: &Setting| places.iter().filter(|place| setting.is_for(place.device())).collect();
        let wanted = wanted(&parts, of_setting);
        Measured::measure((parts, places), wanted, Setting::name, |setting, at| {
            Ok(setting.measure(at.device(), threads(&at.place), self.runs))
        })
    }
}

/// Returns the number of threads of a place on the CPU backend.
fn threads(place: &Target) -> Option<u32> {
    match place {
        Target::Cpu(None) => available_parallelism().ok().and_then(|threads| u32::try_from(threads.get()).ok()),
        Target::Cpu(threads) => *threads,
        Target::Host | Target::Device(..) => None,
    }
}

/// Parses a simulated time in hours.
fn hours(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(hours) if (0.001..=500.0).contains(&hours) => Ok(hours),
        _ => Err("give a number of hours from 0.001 to 500".to_owned()),
    }
}
