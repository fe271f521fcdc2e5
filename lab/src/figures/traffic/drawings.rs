//! Figures as a page with plots.

use super::super::lines::figure;
use super::super::printed;
use super::setting::{Figure, Measured, Point, Setting};
use super::{paper, tables};
use imminent_report::plot::{Axes, PlotError};

/// Returns the whole page.
pub(super) fn page(measured: &Measured) -> Result<String, PlotError> {
    let about = "Figures 8 to 10 of the paper on GPU-assisted hybrid network traffic, measured anew: wall time of a simulated second.";
    let texts = ["Fluids and packets that share queues", about, &tables::markdown(measured)];
    measured.page(texts, Figure::title, |part, settings| measured.drawings(part, settings))
}

const SECONDS: &str = "s a simulated second";

impl Measured {
    fn drawings(&self, part: Figure, settings: &[Setting]) -> Result<String, PlotError> {
        let mut text = String::new();
        let first = self.places.first().map_or("", String::as_str);
        let others: Vec<&str> = self.places.iter().skip(1).map(String::as_str).collect();
        let seconds = |point: &Point| Some(point.found.seconds_per_second);
        let faster = |point: &Point| self.speed_up(point);
        match part {
            Figure::Campuses => {
                let campuses = |setting: &Setting| f64::from(setting.campuses);
                let of_share = |setting: &Setting| format!("{} % packets", 100.0 * setting.share);
                for place in self.places.iter().map(String::as_str) {
                    let lines = self.lines(settings, &[place], (campuses, seconds), |_, setting| of_share(setting));
                    text += &figure(&lines, Axes::Even, ["campuses", SECONDS], &format!("Fluids on {place}."))?;
                }
                for place in others {
                    let mut lines = self.lines(settings, &[place], (campuses, faster), |_, setting| of_share(setting));
                    if !lines.is_empty() {
                        lines.push(paper::greatest_speed_up(printed::ends(&lines), lines.len()));
                    }
                    let caption = format!("{place} beside {first}, and (dashed) as printed.");
                    text += &figure(&lines, Axes::Logarithmic, ["campuses", "speed-up"], &caption)?;
                }
                text += &self.beside_printed(settings)?;
            }
            Figure::Shares => {
                let share = |setting: &Setting| 100.0 * setting.share;
                let mut lines = self.lines(settings, &others, (share, faster), |place, _| place.to_owned());
                if !lines.is_empty() {
                    lines.push(paper::speed_up_of_packets(lines.len()));
                }
                let caption = format!("Beside {first}, and (dashed) as printed.");
                text += &figure(&lines, Axes::Even, ["% packets", "speed-up"], &caption)?;
            }
            Figure::Batches => {
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

    /// Returns times of all places, with the least and greatest share of packets, beside those that the paper prints.
    fn beside_printed(&self, settings: &[Setting]) -> Result<String, PlotError> {
        let least = settings.iter().map(|own| own.share).fold(f64::INFINITY, f64::min);
        let greatest = settings.iter().map(|own| own.share).fold(0.0, f64::max);
        let ends: Vec<_> = settings.iter().copied().filter(|own| [least, greatest].contains(&own.share)).collect();
        let places: Vec<&str> = self.places.iter().map(String::as_str).collect();
        let campuses = |setting: &Setting| f64::from(setting.campuses);
        let seconds = |point: &Point| Some(point.found.seconds_per_second);
        let name = |place: &str, setting: &Setting| format!("{place}, {} % packets", 100.0 * setting.share);
        let mut lines = self.lines(&ends, &places, (campuses, seconds), name);
        if !lines.is_empty() {
            lines.extend(paper::seconds_by_campuses(printed::ends(&lines), lines.len()));
        }
        figure(&lines, Axes::Logarithmic, ["campuses", SECONDS], "All places, and (dashed) as printed.")
    }
}
