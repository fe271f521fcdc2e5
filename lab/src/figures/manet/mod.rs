//! The command `lab figures manet`: figures 5-8 to 5-10 of the dissertation, measured anew.

mod drawings;
mod part;
mod setting;
mod tables;

use super::measured::wanted;
use super::out::OutArgs;
use super::parts;
use super::place::{Opened, Place};
use clap::Args;
use imminent_console::Failure;
use part::Part;
use setting::{Setting, Times};
use tables::Measured;

/// Options of `lab figures manet`.
#[derive(Debug, Args)]
pub(crate) struct ManetFigures {
    /// Figures to measure: 5-8 (delay), 5-9 (hops and delivery ratio), 5-10 (speed beside the sequential program)
    /// [default: all].
    #[arg(value_enum, value_name = "FIGURE")]
    parts: Vec<Part>,
    /// Places where networks are simulated, separated by commas: cpu, cpu:THREADS, wgpu, opencl, cuda, or host, the
    /// sequential program [default: host, every available device, and cpu].
    #[arg(long, value_name = "P,P,...", value_delimiter = ',', value_parser = Place::parse)]
    on: Vec<Place>,
    #[command(flatten)]
    out: OutArgs,
    /// Numbers of nodes; fields and traffic are those of Table 5-1.
    #[arg(long, value_delimiter = ',', default_value = "50,200,800,3200", value_name = "N,N,...", value_parser = clap::value_parser!(u32).range(2..=4_000_000))]
    nodes: Vec<u32>,
    /// Also simulate fields of half the width: 9,000 m2 a node.
    #[arg(long)]
    halved: bool,
    /// Clock intervals in ms; 0 for exact times.
    #[arg(long, value_delimiter = ',', default_value = "0,1,2", value_name = "MS,...", value_parser = interval)]
    intervals: Vec<f64>,
    /// Simulated time in s.
    #[arg(long, default_value_t = 100.0, value_name = "S")]
    seconds: f64,
    /// Number of replications, which a device simulates together.
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1000))]
    replications: u32,
}

impl ManetFigures {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let folder = self.out.folder()?;
        let usual = || [Place::Host].into_iter().chain(Place::apart()).chain([Place::Cpu(None)]).collect();
        let places = Place::open_all(&self.on, usual)?;
        self.measure(&places)?.publish(folder.as_ref(), &tables::COLUMNS, drawings::page, tables::markdown)
    }

    fn measure(&self, places: &[Opened]) -> Result<Measured, Failure> {
        let widths: &[bool] = if self.halved { &[false, true] } else { &[false] };
        let mut settings = vec![];
        for &is_halved in widths {
            for &nodes in &self.nodes {
                let of = |&interval_ms: &f64| Setting { nodes, is_halved, interval_ms };
                settings.extend(self.intervals.iter().map(of));
            }
        }
        let parts: Vec<_> = parts::in_order(&self.parts).into_iter().map(|part| (part, settings.clone())).collect();
        let wanted = wanted(&parts, |_| places.iter().collect());
        let times = Times { seconds: self.seconds, replications: self.replications };
        Measured::measure((parts, places), wanted, Setting::name, |setting, at| Ok(setting.measure(at.device(), times)))
    }
}

/// Parses a clock interval in ms.
fn interval(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(interval) if (0.0..=8.192).contains(&interval) => Ok(interval),
        _ => Err("give milliseconds from 0 to 8.192, the airtime of a packet".to_owned()),
    }
}
