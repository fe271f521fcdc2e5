//! Figures as a page with plots.

use super::part::Part;
use super::setting::Setting;
use super::tables::{Measured, Point, markdown};
use crate::figures::lines::figure;
use imminent_report::plot::{Axes, PlotError};

/// Returns the whole page.
pub(super) fn page(measured: &Measured) -> Result<String, PlotError> {
    let about = "Figures 5-8 to 5-10 of Park's dissertation, measured anew: the scenarios of Table 5-1.";
    let texts = ["Mobile ad hoc networks", about, &markdown(measured)];
    measured.page(texts, Part::title, |part, settings| measured.drawings(part, settings))
}

const INTERVAL: &str = "clock interval in ms";

impl Measured {
    fn drawings(&self, part: Part, settings: &[Setting]) -> Result<String, PlotError> {
        match part {
            Part::Delay => self.by_interval(settings, "delay in ms", |point| point.found.delay.mean.map(|s| s * 1e3)),
            Part::Delivery => {
                let hops = self.by_interval(settings, "hops", |point| point.found.hops.mean)?;
                let of = |point: &Point| point.found.delivered.mean.map(|share| share * 100.0);
                Ok(hops + &self.by_interval(settings, "% of packets", of)?)
            }
            Part::Speed => self.speeds(settings),
        }
    }

    /// Draws a result of the first place by clock interval, with a line for each scenario. All places agree.
    fn by_interval(
        &self,
        settings: &[Setting],
        label: &str,
        y: impl Fn(&Point) -> Option<f64>,
    ) -> Result<String, PlotError> {
        let places: Vec<&str> = self.places.iter().map(String::as_str).take(1).collect();
        let name = |_: &str, setting: &Setting| format!("{} nodes, {}", setting.nodes, setting.field());
        let lines = self.lines(settings, &places, (|setting: &Setting| setting.interval_ms, y), name);
        figure(&lines, Axes::Even, [INTERVAL, label], "Means over the replications.")
    }

    fn speeds(&self, settings: &[Setting]) -> Result<String, PlotError> {
        let places: Vec<&str> = self.places.iter().map(String::as_str).skip(1).collect();
        let exact: Vec<_> =
            settings.iter().copied().filter(|setting| setting.interval_ms == 0.0 && !setting.is_halved).collect();
        let nodes = |setting: &Setting| f64::from(setting.nodes);
        let lines =
            self.lines(&exact, &places, (nodes, |point: &Point| self.speed(point)), |place, _| place.to_owned());
        let caption =
            "Exact times, printed widths, all replications together; beside the first place, one after the other.";
        figure(&lines, Axes::Logarithmic, ["nodes", "speed beside the first place"], caption)
    }
}
