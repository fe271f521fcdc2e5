//! Figures as a page with plots.

use super::super::lines::figure;
use super::{Measured, Part, Point, Setting, tables};
use imminent_cli::plot::{Axes, PlotError};

/// Returns the whole page.
pub(super) fn page(measured: &Measured) -> Result<String, PlotError> {
    let about = "Figures 8 to 10 of the paper on GPU-assisted hybrid network traffic, measured anew: wall time of a simulated second.";
    let texts = ["Fluids and packets that share queues", about, &tables::markdown(measured)];
    measured.page(texts, Part::title, |part, settings| measured.drawings(part, settings))
}

const SECONDS: &str = "s a simulated second";

impl Measured {
    fn drawings(&self, part: Part, settings: &[Setting]) -> Result<String, PlotError> {
        let mut text = String::new();
        let first = self.places.first().map_or("", String::as_str);
        let others: Vec<&str> = self.places.iter().skip(1).map(String::as_str).collect();
        let seconds = |point: &Point| Some(point.found.seconds_per_second);
        let faster = |point: &Point| self.speed_up(point);
        match part {
            Part::Campuses => {
                let campuses = |setting: &Setting| f64::from(setting.campuses);
                let of_share = |setting: &Setting| format!("{} % packets", 100.0 * setting.share);
                for place in self.places.iter().map(String::as_str) {
                    let lines = self.lines(settings, &[place], (campuses, seconds), |_, setting| of_share(setting));
                    text += &figure(&lines, Axes::Even, ["campuses", SECONDS], &format!("Fluids on {place}."))?;
                }
                for place in others {
                    let lines = self.lines(settings, &[place], (campuses, faster), |_, setting| of_share(setting));
                    text += &figure(&lines, Axes::Even, ["campuses", "speed-up"], &format!("{place} beside {first}."))?;
                }
            }
            Part::Shares => {
                let share = |setting: &Setting| 100.0 * setting.share;
                let lines = self.lines(settings, &others, (share, faster), |place, _| place.to_owned());
                text += &figure(&lines, Axes::Even, ["% packets", "speed-up"], &format!("Beside {first}."))?;
            }
            Part::Batches => {
                let batch = |setting: &Setting| f64::from(setting.batch);
                for place in self.places.iter().map(String::as_str) {
                    let name = |_: &str, setting: &Setting| format!("{} campuses", setting.campuses);
                    let lines = self.lines(settings, &[place], (batch, seconds), name);
                    text +=
                        &figure(&lines, Axes::Even, ["launches of a batch", SECONDS], &format!("Fluids on {place}."))?;
                }
            }
        }
        Ok(text)
    }
}
