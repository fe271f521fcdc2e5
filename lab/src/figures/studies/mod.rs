//! The command `lab figures studies`: figures 6 to 13 of the paper on parameter studies, measured anew.

mod budget;
mod drawings;
mod paper;
mod part;
mod setting;
mod tables;

use super::measured::{self, wanted};
use super::out::OutArgs;
use super::parts;
use super::place::{Opened, Place};
use budget::Found;
use clap::Args;
use imminent_console::Failure;
use part::Part;
use setting::{Amounts, Setting, Work};
use std::thread::available_parallelism;

/// Options of `lab figures studies`.
#[derive(Debug, Args)]
pub(crate) struct StudyFigures {
    /// Figures to measure: 6 to 9 (generators), auto (the same, mapping chosen), 10 to 12 (cost of events), 13 (the
    /// mesh) [default: all].
    #[arg(value_enum, value_name = "FIGURE")]
    parts: Vec<Part>,
    /// Places where studies run, separated by commas: cpu, cpu:THREADS, wgpu, opencl, cuda, or host, one simulation
    /// after the other [default: every available device, and cpu]. The mesh also runs on four threads of the CPU if it
    /// has them, and one simulation of it on the host.
    #[arg(long, value_name = "P,P,...", value_delimiter = ',', value_parser = Place::parse)]
    on: Vec<Place>,
    #[command(flatten)]
    out: OutArgs,
    /// Wall time for the runs of each point, in seconds. Longer studies are run with fewer events, at least one at each
    /// module, and tables show the share; the mesh is run at least once. Preparing tables, and compiling, come on top.
    #[arg(long, default_value_t = 0.5, value_name = "S", value_parser = parts::budget)]
    budget: f64,
    /// Numbers of simulations of figures 6 to 11.
    #[arg(long, value_delimiter = ',', default_value = "1,2,8,32,128,512,1024,2048,4096,8192,16384", value_name = "N,N,...", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    simulations: Vec<u32>,
    /// Numbers of modules of each simulation.
    #[arg(long, value_delimiter = ',', default_value = "1,2,5,10", value_name = "N,N,...", value_parser = clap::value_parser!(u32).range(1..=1024))]
    modules: Vec<u32>,
    /// Figures 6 to 9: number of events of each simulation, which its modules share.
    #[arg(long, default_value_t = 300, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    events: u32,
    /// Figures 6 to 9: number of iterations of a generator for each event.
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    iterations: u32,
    /// Figures 10 to 12: number of events of all simulations together.
    #[arg(long, default_value_t = 1 << 20, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    events_in_all: u32,
    /// Figures 10 and 12, lists of events on the host: numbers of parts, which are on the host or on the device in
    /// turn.
    #[arg(long, value_delimiter = ',', default_value = "1,2", value_name = "N,N,...", value_parser = clap::value_parser!(u32).range(1..=64))]
    streams: Vec<u32>,
    /// Figure 12: sizes of a module's state in bytes; every event processes all of it.
    #[arg(long, value_delimiter = ',', default_value = "72,256,1024,4096,16384,26000", value_name = "BYTES,...", value_parser = clap::value_parser!(u32).range(8..=1 << 24))]
    states: Vec<u32>,
    /// Number of simulations of figure 12.
    #[arg(long, default_value_t = 512, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    middle: u32,
    /// Figure 13: length of each simulation, in seconds.
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS")]
    seconds: f64,
    /// Figure 13: number of simulations of each of the nine points.
    #[arg(long, default_value_t = 30, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: u32,
}

type Point = measured::Point<Setting, Found>;
type Measured = measured::Measured<Part, Setting, Found>;

/// Place of the paper's comparison: four cores.
const FOUR_CORES: Place = Place::Cpu(Some(4));

impl StudyFigures {
    pub(crate) fn run(mut self: Box<Self>) -> Result<(), Failure> {
        self.parts = parts::in_order(&self.parts);
        let folder = self.out.folder()?;
        let places = Place::open_all(&self.on, || Place::apart().into_iter().chain([Place::Cpu(None)]).collect())?;
        self.measure(&places)?.publish(folder.as_ref(), &tables::COLUMNS, drawings::page, tables::markdown)
    }

    fn measure(&self, places: &[Opened]) -> Result<Measured, Failure> {
        let beside = self.beside(places)?;
        let parts: Vec<_> = self.parts.iter().map(|&part| (part, self.settings(part))).collect();
        let of_setting = |setting: &Setting| {
            let beside = beside.iter().filter(|_| matches!(setting.work, Work::Mesh | Work::MeshAlone));
            places.iter().chain(beside).filter(|place| setting.is_for(place.device())).collect()
        };
        let wanted = wanted(&parts, of_setting);
        let amounts = Amounts {
            events: self.events,
            iterations: self.iterations,
            in_all: self.events_in_all,
            seconds: self.seconds,
            budget: self.budget,
        };
        Measured::measure((parts, places), wanted, Setting::name, |setting, at| {
            Ok(setting.measure(at.device(), &amounts))
        })
    }

    /// Opens further places for the mesh: four threads, if the CPU has them, and the host for one simulation.
    fn beside(&self, places: &[Opened]) -> Result<Vec<Opened>, Failure> {
        if !self.parts.contains(&Part::Mesh) {
            return Ok(vec![]);
        }
        let mut beside = vec![];
        if available_parallelism().is_ok_and(|threads| threads.get() >= 4) {
            beside.push(FOUR_CORES);
        }
        beside.push(Place::Host);
        beside.retain(|place| places.iter().all(|other| other.place != *place));
        beside.into_iter().map(Place::open).collect()
    }
}
