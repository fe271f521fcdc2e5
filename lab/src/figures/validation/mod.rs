//! The command `lab figures validation`: figures 6 and 7 of the paper on hybrid traffic.

mod case;
mod drawings;
mod figure;
mod tables;

use super::out::{OutArgs, draw};
use super::parts;
use case::{Case, Sample};
use clap::Args;
use figure::Figure;
use imminent::models::sheet::Records;
use imminent_console::progress::Bar;
use imminent_console::selection::DeviceArgs;
use imminent_console::{Failure, interrupt, print::print_text};

/// Options of `lab figures validation`.
#[derive(Debug, Args)]
pub(crate) struct ValidationFigures {
    /// Figures to draw: 6 (queue by packet sessions), 7 (windows by batches) [default: both].
    #[arg(value_enum, value_name = "FIGURE")]
    parts: Vec<Figure>,
    #[command(flatten)]
    device: DeviceArgs,
    #[command(flatten)]
    out: OutArgs,
    /// Simulated time, in seconds.
    #[arg(long, default_value_t = 90, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,
    /// Seed of the packets' random numbers.
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
}

impl ValidationFigures {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let (parts, folder) = (parts::in_order(&self.parts), self.out.folder()?);
        let (device, why) = self.device.open()?;
        let mut cases: Vec<Case> = vec![];
        for case in parts.iter().flat_map(|part| part.cases()) {
            if !cases.contains(&case) {
                cases.push(case);
            }
        }
        let all = cases.len() as u64;
        let bar = Bar::new(all, "simulations");
        let (mut samples, mut done): (Vec<Sample>, _) = (vec![], 0);
        interrupt::watch();
        for case in cases {
            if interrupt::requested() {
                break;
            }
            samples.extend(case.run(&device, self.seconds, self.seed).map_err(Failure::run)?);
            done += 1;
            bar.done(done);
        }
        drop(bar);
        let missing = parts::missing(done, all, "simulations")?;
        let (name, tables) = (&device.info().name, tables::markdown(&parts, &samples));
        if let Some(folder) = &folder {
            folder.replace(|folder| {
                folder.csv(&Records { name: "figures", columns: &tables::COLUMNS, rows: &samples })?;
                draw(folder, drawings::page(&parts, &samples, name, (&tables, missing.as_deref())))?;
                Ok(())
            })?;
        }
        let partial = missing.as_ref().map_or_else(String::new, |missing| format!("partial: {missing}\n\n"));
        print_text(&format!("on {name} ({why})\n\n{partial}{tables}"))?;
        missing.map_or(Ok(()), |missing| Err(Failure::run(missing)))
    }
}
