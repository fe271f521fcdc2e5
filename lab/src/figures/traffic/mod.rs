//! The command `lab figures traffic`: figures 8 to 10 of the paper on hybrid traffic, measured anew.

mod drawings;
mod paper;
mod setting;
mod tables;

use super::measured::wanted;
use super::out::OutArgs;
use super::parts;
use super::target::{Opened, Target};
use crate::bench::hybrid::cell::{Cell, CellTimes, Warm, share};
use crate::bench::networks::{campuses, invalid};
use clap::{Args, ValueEnum};
use imminent::models::traffic::Traffic;
use imminent::models::traffic::coupling::MAX_LAUNCHES;
use imminent::models::traffic::packet::clock::SECOND;
use imminent_console::Failure;
use setting::{Figure, Measured, Setting};
use std::time::Duration;

/// Options of `lab figures traffic`.
#[derive(Debug, Args)]
pub(crate) struct TrafficFigures {
    /// Figures to measure: 8 (campuses and shares of packets), 9 (shares), 10 (batches) [default: all].
    #[arg(value_enum, value_name = "FIGURE")]
    parts: Vec<Figure>,
    /// Places that simulate fluids, separated by commas: cpu, cpu:THREADS, wgpu, opencl, cuda, or host, one flow after
    /// the other. Speed-ups are relative to the first [default: cpu:1,cpu:2,cpu and every available device].
    #[arg(long, value_name = "P,P,...", value_delimiter = ',', value_parser = Target::parse)]
    on: Vec<Target>,
    #[command(flatten)]
    out: OutArgs,
    /// Wall time for each point, in seconds. As much as fits is simulated, up to half of the time before measuring
    /// begins. Preparing the network, and compiling, come on top.
    #[arg(long, default_value_t = 5.0, value_name = "S", value_parser = parts::budget)]
    budget: f64,
    /// Numbers of campuses of figures 8 and 10.
    #[arg(long, value_delimiter = ',', default_value = "4,8,16", value_name = "N,N,...", value_parser = clap::value_parser!(u32).range(1..=5000))]
    campuses: Vec<u32>,
    /// Shares of the flows that are packets in figure 8, from 0 to 1; figure 10 uses the largest of them.
    #[arg(long, value_delimiter = ',', default_value = "0,0.005,0.01", value_name = "S,S,...", value_parser = share)]
    shares: Vec<f64>,
    /// Number of launches of a batch in figures 8 and 9.
    #[arg(long, default_value_t = 3, value_name = "B", value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_LAUNCHES)))]
    batch: u32,
    /// Number of campuses of figure 9.
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=5000))]
    middle: u32,
    /// Shares of packets of figure 9.
    #[arg(long, value_delimiter = ',', default_value = "0,0.01,0.05,0.1,0.25,0.5,1", value_name = "S,S,...", value_parser = share)]
    more_shares: Vec<f64>,
    /// Numbers of launches of a batch in figure 10; 0 for lock-step.
    #[arg(long, value_delimiter = ',', default_value = "1,2,3,4,5,6,7", value_name = "B,B,...", value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_LAUNCHES)))]
    batches: Vec<u32>,
    /// Length of a step, in microseconds: at most the delay of a LAN's links, 1 ms.
    #[arg(long, default_value_t = 500, value_name = "US", value_parser = clap::value_parser!(u64).range(1..=1000))]
    step: u64,
    /// Capacity of the queues, in milliseconds of transmission on their links.
    #[arg(long, default_value_t = 200, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    room: u32,
    /// Simulated milliseconds before measuring begins, as far as the budget allows.
    #[arg(long, default_value_t = 2000, value_name = "MS", value_parser = clap::value_parser!(u64).range(0..=600_000))]
    warm_up: u64,
}

impl TrafficFigures {
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        self.parts = parts::in_order(&self.parts);
        let folder = self.out.folder()?;
        let places = Target::open_all(&self.on, || {
            let threads = [Some(1), Some(2), None].map(Target::Cpu);
            threads.into_iter().chain(Target::apart()).collect()
        })?;
        self.measure(&places)?.publish(folder.as_ref(), &tables::COLUMNS, drawings::page, tables::markdown)
    }

    fn measure(&self, places: &[Opened]) -> Result<Measured, Failure> {
        let networks = self.networks();
        let apart = places.iter().any(|place| place.place.is_apart());
        // Batches only matter if fluids and packets are on different devices.
        let is_wanted = |setting: &Setting, place: &Opened| {
            let by_batches = !self.is_of(Figure::Campuses, setting) && !self.is_of(Figure::Shares, setting);
            !(by_batches && apart && !place.place.is_apart())
        };
        let of_setting = |setting: &Setting| places.iter().filter(|place| is_wanted(setting, place)).collect();
        let wanted = wanted(&networks, of_setting);
        let parts = self.parts.iter().map(|&part| (part, self.settings(part))).collect();
        // Settings of one network follow one another.
        let mut network: Option<((u32, f64), Traffic)> = None;
        Measured::measure((parts, places), wanted, Setting::name, |setting, at| {
            let key = (setting.campuses, setting.share);
            let traffic = match network.take_if(|(of, _)| *of == key) {
                Some((_, traffic)) => traffic,
                None => campuses(setting.campuses, self.room, setting.share).map_err(Failure::usage)?,
            };
            let found = self.point(at, &traffic, setting);
            network = Some((key, traffic));
            Ok(found)
        })
    }

    fn point(&self, place: &Opened, traffic: &Traffic, setting: Setting) -> imminent::Result<CellTimes> {
        let budget = Duration::from_secs_f64(self.budget);
        let warm = Warm { until: self.warm_up * (SECOND / 1000), patience: budget / 2 };
        let size = traffic.step(self.step * 1000, true).map_err(invalid)?;
        let cell = Cell { traffic, size, batch: setting.batch, budget: budget / 2, warm };
        match place.device() {
            Some(device) => cell.on_device(device),
            None => cell.on_host(),
        }
    }

    /// Returns the settings to be measured, by network.
    fn networks(&self) -> Vec<((u32, f64), Vec<Setting>)> {
        let mut networks: Vec<((u32, f64), Vec<Setting>)> = vec![];
        for setting in Figure::value_variants().iter().flat_map(|&part| self.settings(part)) {
            let key = (setting.campuses, setting.share);
            match networks.iter_mut().find(|(network, _)| *network == key) {
                Some((_, settings)) if settings.contains(&setting) => {}
                Some((_, settings)) => settings.push(setting),
                None => networks.push((key, vec![setting])),
            }
        }
        networks
    }

    fn is_of(&self, part: Figure, setting: &Setting) -> bool {
        self.settings(part).contains(setting)
    }

    /// Returns the points of a figure, if it is to be measured.
    fn settings(&self, part: Figure) -> Vec<Setting> {
        if !self.parts.contains(&part) {
            return vec![];
        }
        let each = |campuses: &[u32], shares: &[f64], batches: &[u32]| {
            let mut settings = vec![];
            for &campuses in campuses {
                for &share in shares {
                    settings.extend(batches.iter().map(|&batch| Setting { campuses, share, batch }));
                }
            }
            settings
        };
        match part {
            Figure::Campuses => each(&self.campuses, &self.shares, &[self.batch]),
            Figure::Shares => each(&[self.middle], &self.more_shares, &[self.batch]),
            Figure::Batches => each(&self.campuses, &[self.shares.iter().copied().fold(0.0, f64::max)], &self.batches),
        }
    }
}
