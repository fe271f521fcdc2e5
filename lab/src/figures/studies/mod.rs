//! The command `lab figures studies`: figures 6 to 13 of the paper on parameter studies, measured anew.

mod budget;
mod drawings;
mod figure;
mod options;
mod paper;
mod results;
mod setting;
mod tables;

use super::measured::wanted;
use super::parts;
use super::target::{Opened, Target};
use figure::Figure;
use imminent_console::Failure;
pub(crate) use options::StudyFigures;
use results::{FOUR_CORES, Measured};
use setting::{Amounts, Setting, Work};
use std::thread::available_parallelism;

impl StudyFigures {
    pub(crate) fn run(mut self: Box<Self>) -> Result<(), Failure> {
        self.parts = parts::in_order(&self.parts);
        let folder = self.out.folder()?;
        let places = Target::open_all(&self.on, || Target::apart().into_iter().chain([Target::Cpu(None)]).collect())?;
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
        if !self.parts.contains(&Figure::Mesh) {
            return Ok(vec![]);
        }
        let mut beside = vec![];
        if available_parallelism().is_ok_and(|threads| threads.get() >= 4) {
            beside.push(FOUR_CORES);
        }
        beside.push(Target::Host);
        beside.retain(|place| places.iter().all(|other| other.place != *place));
        beside.into_iter().map(Target::open).collect()
    }
}
