//! Options of `lab figures studies`, and the points of each figure.

use super::figure::{Figure, IN_ORDER, by};
use super::setting::{Setting, Work};
use crate::bench::events::timed::Strategy;
use crate::figures::out::OutArgs;
use crate::figures::parts;
use crate::figures::target::Target;
use clap::Args;
use imminent::models::events::{Mapping, MappingChoice};

/// Options of `lab figures studies`.
#[derive(Debug, Args)]
pub(crate) struct StudyFigures {
    /// Figures to measure: 6 to 9 (generators), auto (the same, mapping chosen), 10 to 12 (cost of events), 13 (the
    /// mesh) [default: all].
    #[arg(value_enum, value_name = "FIGURE")]
    pub(super) parts: Vec<Figure>,
    /// Places where studies run, separated by commas: cpu, cpu:THREADS, wgpu, opencl, cuda, or host, one simulation
    /// after the other [default: every available device, and cpu]. The mesh also runs on four threads of the CPU if it
    /// has them, and one simulation of it on the host.
    #[arg(long, value_name = "P,P,...", value_delimiter = ',', value_parser = Target::parse)]
    pub(super) on: Vec<Target>,
    #[command(flatten)]
    pub(super) out: OutArgs,
    /// Wall time for the runs of each point, in seconds. Longer studies are run with fewer events, at least one at each
    /// module, and tables show the share; the mesh is run at least once. Preparing tables, and compiling, come on top.
    #[arg(long, default_value_t = 0.5, value_name = "S", value_parser = parts::budget)]
    pub(super) budget: f64,
    /// Numbers of simulations of figures 6 to 11.
    #[arg(long, value_delimiter = ',', default_value = "1,2,8,32,128,512,1024,2048,4096,8192,16384", value_name = "N,N,...", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub(super) simulations: Vec<u32>,
    /// Numbers of modules of each simulation.
    #[arg(long, value_delimiter = ',', default_value = "1,2,5,10", value_name = "N,N,...", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(super) modules: Vec<u32>,
    /// Figures 6 to 9: number of events of each simulation, which its modules share.
    #[arg(long, default_value_t = 300, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) events: u32,
    /// Figures 6 to 9: number of iterations of a generator for each event.
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    pub(super) iterations: u32,
    /// Figures 10 to 12: number of events of all simulations together.
    #[arg(long, default_value_t = 1 << 20, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) events_in_all: u32,
    /// Figures 10 and 12, lists of events on the host: numbers of parts, which are on the host or on the device in
    /// turn.
    #[arg(long, value_delimiter = ',', default_value = "1,2", value_name = "N,N,...", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(super) streams: Vec<u32>,
    /// Figure 12: sizes of a module's state in bytes; every event processes all of it.
    #[arg(long, value_delimiter = ',', default_value = "72,256,1024,4096,16384,26000", value_name = "BYTES,...", value_parser = clap::value_parser!(u32).range(8..=1 << 24))]
    pub(super) states: Vec<u32>,
    /// Number of simulations of figure 12.
    #[arg(long, default_value_t = 512, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub(super) middle: u32,
    /// Figure 13: length of each simulation, in seconds.
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS")]
    pub(super) seconds: f64,
    /// Figure 13: number of simulations of each of the nine points.
    #[arg(long, default_value_t = 30, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) seeds: u32,
}

/// Number of points of the mesh study.
const POINTS: u32 = 9;

/// Size in bytes of the paper's smallest states.
const MIN_LADEN: u32 = 72;

impl StudyFigures {
    /// Returns the points of a figure.
    pub(super) fn settings(&self, part: Figure) -> Vec<Setting> {
        let each = |works: &[Work], simulations: &[u32], modules: &[u32], strategies: &[Strategy]| {
            let mut settings = vec![];
            for &strategy in strategies {
                for &work in works {
                    for &modules in modules {
                        let setting = |&simulations| Setting { work, simulations, modules, strategy };
                        settings.extend(simulations.iter().map(setting));
                    }
                }
            }
            settings
        };
        let lists = || -> Vec<Strategy> {
            let streams = |copies| self.streams.iter().map(move |&parts| Strategy::Streams { parts, copies });
            std::iter::once(by(MappingChoice::Auto)).chain(streams(false)).chain(streams(true)).collect()
        };
        match part {
            Figure::Alike => each(&[Work::Lcg(1)], &self.simulations, &self.modules, &[by(IN_ORDER)]),
            Figure::Unsorted | Figure::Sorted | Figure::Padded | Figure::Chosen => {
                let Some([mapping, of_one]) = part.mappings() else { return vec![] };
                let mut settings = each(&[Work::Lcg(1)], &self.simulations, &self.modules, &[by(of_one)]);
                settings.extend(each(&[Work::Lcg(4)], &self.simulations, &self.modules, &[by(mapping)]));
                settings
            }
            Figure::Overhead => each(&[Work::Laden(MIN_LADEN)], &self.simulations, &self.modules, &lists()),
            Figure::Mappings => {
                let mappings = Mapping::ALL.into_iter().map(MappingChoice::Always).chain([MappingChoice::Auto]);
                each(&[Work::Kinds], &self.simulations, &[1], &mappings.map(by).collect::<Vec<_>>())
            }
            Figure::States => {
                let works: Vec<_> = self.states.iter().copied().map(Work::Laden).collect();
                each(&works, &[self.middle], &self.modules, &lists())
            }
            Figure::Mesh => {
                let strategy = by(MappingChoice::Auto);
                let study = Setting { work: Work::Mesh, simulations: self.seeds * POINTS, modules: 5, strategy };
                vec![study, Setting { work: Work::MeshAlone, simulations: POINTS, ..study }]
            }
        }
    }
}
