//! Figures of cell spaces as a page with plots.

use super::figure::Figure;
use super::paper::{self, Printed};
use super::setting::{Model, Setting};
use super::tables::{Measured, Point, markdown};
use crate::figures::{lines::figure, printed};
use imminent_report::plot::{self, Axes, Curve, PlotError};

/// Returns the whole page.
pub(super) fn page(measured: &Measured) -> Result<String, PlotError> {
    let about = "Figures 11 and 12 of Liu and Wainer, measured anew: 1024 x 1024 cells of fire and flood.";
    let texts = ["Fire and flood in cell spaces", about, &markdown(measured)];
    measured.page(texts, Figure::title, |part, settings| measured.drawings(part, settings))
}

const SECONDS: &str = "s of wall time for a simulated hour";
const PROCESSORS: &str = "threads, or coprocessors of the paper";
const CAPTION: &str = "Solid: measured; levels do not depend on threads. Dashed: printed.";

/// Name of the three printed runs in legends.
const PAPER: &str = "paper, from above: main core, optimized, 8 SPEs";

/// Index of the colour of printed values.
const GREY: usize = 5;

/// Range of processors of the plots, unless more threads were measured.
const RANGE: [f64; 2] = [1.0, paper::SPES as f64];

impl Measured {
    fn drawings(&self, part: Figure, settings: &[Setting]) -> Result<String, PlotError> {
        match part {
            Figure::Times => Ok(self.times(settings, Model::Fire)? + &self.times(settings, Model::Flood)?),
            Figure::SpeedUps => self.speed_ups(settings),
            Figure::Sides => self.sides(settings),
        }
    }

    fn times(&self, settings: &[Setting], model: Model) -> Result<String, PlotError> {
        let seconds = |point: &Point| Some(point.seconds_an_hour());
        let mut lines = self.by_processors(settings, |own| own.model == model, seconds);
        if !lines.is_empty() {
            lines.extend(printed_times(model));
        }
        figure(&lines, Axes::Logarithmic, [PROCESSORS, SECONDS], &format!("The {}. {CAPTION}", model.name()))
    }

    /// Returns speeds of several threads. A device has no number of processors, so it is left out.
    fn speed_ups(&self, settings: &[Setting]) -> Result<String, PlotError> {
        let speed_up = |point: &Point| point.found.threads.and_then(|_| self.speed_up(point));
        let mut lines = self.by_processors(settings, |_| true, speed_up);
        if !lines.is_empty() {
            for (model, colour) in [(Model::Fire, GREY - 1), (Model::Flood, GREY)] {
                let value = (f64::from(paper::SPES), Printed::of(model).speed_up());
                lines.push(printed::mark(&format!("{} of the paper", model.name()), value, colour));
            }
        }
        figure(&lines, Axes::Logarithmic, [PROCESSORS, "speed beside one"], CAPTION)
    }

    fn sides(&self, settings: &[Setting]) -> Result<String, PlotError> {
        let places: Vec<&str> = self.places.iter().map(String::as_str).collect();
        let side = |setting: &Setting| f64::from(setting.side);
        let seconds = |point: &Point| Some(point.seconds_an_hour());
        let mut lines = self.lines(settings, &places, (side, seconds), |place, _| place.to_owned());
        if !lines.is_empty() {
            let [baseline, optimized, on_spes] = Printed::of(Model::Fire).runs();
            let mark = |seconds| printed::mark(PAPER, (f64::from(paper::SIDE), seconds), GREY);
            lines.extend([mark(baseline), printed::unnamed(mark(optimized)), printed::unnamed(mark(on_spes))]);
        }
        figure(&lines, Axes::Logarithmic, ["cells along a side", SECONDS], "Solid: measured. Dashed: printed.")
    }

    /// Returns a line by threads for each run on the host, and a level for each other place.
    fn by_processors(
        &self,
        settings: &[Setting],
        is_of: impl Fn(&Setting) -> bool,
        y: impl Fn(&Point) -> Option<f64>,
    ) -> Vec<Curve> {
        let mut lines: Vec<Curve> = vec![];
        let own = |setting: &&Setting| is_of(setting);
        for setting in settings.iter().filter(own) {
            let name = format!("{} by {}", setting.model.name(), setting.engine);
            let mut of_threads = vec![];
            for point in self.points.iter().filter(|point| point.setting == *setting) {
                let Some(y) = y(point) else { continue };
                match point.found.threads {
                    Some(threads) => of_threads.push((f64::from(threads), y)),
                    None => lines.push(level(&format!("{name}, {}", point.place), y, lines.len())),
                }
            }
            of_threads.sort_by(|a, b| a.0.total_cmp(&b.0));
            match of_threads.as_slice() {
                [] => {}
                [(_, y)] => lines.push(level(&format!("{name}, cpu"), *y, lines.len())),
                several => lines.push(solid(&format!("{name}, threads"), several, lines.len())),
            }
        }
        lines
    }
}

fn printed_times(model: Model) -> [Curve; 3] {
    let [baseline, optimized, on_spes] = Printed::of(model).runs();
    [
        printed::level(PAPER, RANGE, baseline, GREY),
        printed::unnamed(printed::level(PAPER, RANGE, optimized, GREY)),
        printed::unnamed(printed::mark(PAPER, (f64::from(paper::SPES), on_spes), GREY)),
    ]
}

fn level(name: &str, y: f64, colour: usize) -> Curve {
    let [from, to] = RANGE;
    solid(name, &[(from, y), (to, y)], colour)
}

fn solid(name: &str, values: &[(f64, f64)], colour: usize) -> Curve {
    let points = values.iter().map(|&(x, y)| plot::Point { x, y, half_width: None }).collect();
    Curve { points, ..Curve::new(Some(name.to_owned()), colour) }
}
