//! The figures as a page with plots.

use super::{Measured, Part, Point, Setting, tables};
use crate::cli::page::{self, escape};
use crate::cli::plot::{self, Curve, PlotError, curves};
use std::fmt::Write;

/// The whole page.
pub(super) fn page(measured: &Measured) -> Result<String, PlotError> {
    let mut page = page::begin("Fluids and packets that share queues");
    page.push_str("<p>Figures 8 to 10 of the paper on GPU-assisted hybrid network traffic, measured anew: wall time of a simulated second.</p>\n");
    let mut devices: Vec<_> =
        measured.points.iter().map(|point| (point.place.as_str(), point.device.clone())).collect();
    devices.dedup();
    devices.sort();
    devices.dedup();
    page::summary(&mut page, &devices);
    for (part, settings) in &measured.parts {
        let _ = writeln!(page, "<h2>{}</h2>", escape(part.title()));
        page.push_str(&measured.drawings(*part, settings)?);
    }
    let _ = writeln!(page, "<pre>{}</pre>", escape(&tables::markdown(measured)));
    page.push_str("</body></html>\n");
    Ok(page)
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
                    text += &figure(&lines, ["campuses", SECONDS], &format!("Fluids on {place}."))?;
                }
                for place in others {
                    let lines = self.lines(settings, &[place], (campuses, faster), |_, setting| of_share(setting));
                    text += &figure(&lines, ["campuses", "speed-up"], &format!("{place} beside {first}."))?;
                }
            }
            Part::Shares => {
                let share = |setting: &Setting| 100.0 * setting.share;
                let lines = self.lines(settings, &others, (share, faster), |place, _| place.to_owned());
                text += &figure(&lines, ["% packets", "speed-up"], &format!("Beside {first}."))?;
            }
            Part::Batches => {
                let batch = |setting: &Setting| f64::from(setting.batch);
                for place in self.places.iter().map(String::as_str) {
                    let name = |_: &str, setting: &Setting| format!("{} campuses", setting.campuses);
                    let lines = self.lines(settings, &[place], (batch, seconds), name);
                    text += &figure(&lines, ["launches of a batch", SECONDS], &format!("Fluids on {place}."))?;
                }
            }
        }
        Ok(text)
    }

    /// A line for each name that the points of some places have.
    fn lines(
        &self,
        settings: &[Setting],
        places: &[&str],
        (x, y): (impl Fn(&Setting) -> f64, impl Fn(&Point) -> Option<f64>),
        name: impl Fn(&str, &Setting) -> String,
    ) -> Vec<Curve> {
        let mut lines: Vec<Curve> = vec![];
        for place in places {
            for setting in settings {
                let Some(y) = self.of(place, *setting).and_then(&y) else { continue };
                let point = plot::Point { x: x(setting), y, half_width: None };
                let name = Some(name(place, setting));
                match lines.iter_mut().find(|line| line.name == name) {
                    Some(line) => line.points.push(point),
                    None => lines.push(Curve { name, points: vec![point], colour: lines.len() }),
                }
            }
        }
        lines.iter_mut().for_each(|line| line.points.sort_by(|a, b| a.x.total_cmp(&b.x)));
        lines
    }
}

/// A plot, unless there is nothing to be seen in it.
fn figure(lines: &[Curve], [x, y]: [&str; 2], caption: &str) -> Result<String, PlotError> {
    if lines.is_empty() {
        return Ok(String::new());
    }
    Ok(format!("<figure>{}<figcaption>{}</figcaption></figure>\n", curves(lines, x, y)?, escape(caption)))
}
