//! Tables and plots of the figures.

use super::paper::{self, Printed};
use super::setting::{Found, Model, Setting};
use imminent_common::figure::{self, Line, Plot};
use imminent_study::figures::lines;
use imminent_study::outcome::Content;

type Point = imminent_study::figures::Point<Setting, Found>;
type Results<'r> = imminent_study::figures::Results<'r, Setting, Found>;

const SECONDS: &str = "s of wall time for a simulated hour";
const PROCESSORS: &str = "threads, or coprocessors of the paper";
const CAPTION: &str = "Solid: measured; levels do not depend on threads. Dashed: printed.";

/// Name of the three printed runs in legends.
const PAPER: &str = "paper, from above: main core, optimized, 8 SPEs";

/// Number of the colour of printed values.
const GREY: usize = 5;

/// Range of processors of the plots, unless more threads were measured.
const RANGE: [f64; 2] = [1.0, paper::SPES as f64];

/// Returns the times of a simulated hour by processors, beside the printed ones.
pub(super) fn times(results: &Results<'_>) -> Vec<Content> {
    let plot = |model: Model| {
        let own = |point: &&Point| point.setting.model == model;
        let mut lines = by_processors(results, own, |point| Some(seconds_an_hour(point)));
        if !lines.is_empty() {
            let [baseline, optimized, on_spes] = Printed::of(model).runs();
            let spes = f64::from(paper::SPES);
            let printed = [Line::level(PAPER, RANGE, baseline), Line::level("", RANGE, optimized)];
            let printed = printed.into_iter().chain([Line::mark("", (spes, on_spes))]);
            lines.extend(printed.map(|line| line.coloured(GREY)));
        }
        Content::Plot(Plot::logarithmic(lines, [PROCESSORS, SECONDS], &format!("The {}. {CAPTION}", model.name())))
    };
    let plots = [Model::Fire, Model::Flood].map(plot);
    [table(results, |point| format!("{:.5}", seconds_an_hour(point)))]
        .into_iter()
        .chain(plots)
        .chain(printed())
        .collect()
}

/// Returns the printed times of a simulated hour.
fn printed() -> [Content; 2] {
    let of_model = |model: Model| {
        let row = |what: String, value: String| vec![model.name().to_owned(), what, value];
        let runs = paper::RUNS.into_iter().zip(Printed::of(model).runs());
        let speed_up = format!("{:.2} x", Printed::of(model).speed_up());
        let runs = runs.map(move |(name, seconds)| row(name.to_owned(), format!("{seconds:.1}")));
        runs.chain([row(format!("{} SPEs beside optimized", paper::SPES), speed_up)]).collect::<Vec<_>>()
    };
    let rows = [Model::Fire, Model::Flood].into_iter().flat_map(of_model).collect();
    let columns = ["model", "run", "s"].map(str::to_owned).to_vec();
    [Content::Text("Printed times of a simulated hour, in seconds:".to_owned()), Content::Table { columns, rows }]
}

/// Returns speeds of several threads. A device has no number of processors, so plots leave it out.
pub(super) fn speed_ups(results: &Results<'_>) -> Vec<Content> {
    let speed_up = |point: &Point| {
        let alone = results.points.iter().find(|it| it.setting == point.setting && it.threads == Some(1))?;
        Some(alone.found.seconds() / point.found.seconds())
    };
    let mut lines = by_processors(results, |point| point.threads.is_some(), speed_up);
    if !lines.is_empty() {
        for (model, colour) in [(Model::Fire, GREY - 1), (Model::Flood, GREY)] {
            let value = (f64::from(paper::SPES), Printed::of(model).speed_up());
            lines.push(Line::mark(&format!("{} of the paper", model.name()), value).coloured(colour));
        }
    }
    let times = |point: &Point| speed_up(point).map_or_else(|| "–".to_owned(), |times| format!("{times:.2} x"));
    let plot = Plot::logarithmic(lines, [PROCESSORS, "speed beside one"], CAPTION);
    vec![table(results, times), Content::Plot(plot)]
}

/// Returns the times of the fire by the side of its grid.
pub(super) fn sides(results: &Results<'_>) -> Vec<Content> {
    let at = |point: &Point| Some(figure::Point::new(f64::from(point.setting.side), seconds_an_hour(point)));
    let points = results.places.iter().flat_map(|place| results.at(place));
    let mut lines = lines(points, at, |point| point.place.clone());
    if !lines.is_empty() {
        let printed = [PAPER, "", ""].into_iter().zip(Printed::of(Model::Fire).runs());
        let mark = |(name, seconds)| Line::mark(name, (f64::from(paper::SIDE), seconds)).coloured(GREY);
        lines.extend(printed.map(mark));
    }
    let plot = Plot::logarithmic(lines, ["cells along a side", SECONDS], "Solid: measured. Dashed: printed.");
    vec![table(results, |point| format!("{:.5}", seconds_an_hour(point))), Content::Plot(plot)]
}

fn table(results: &Results<'_>, cell: impl Fn(&Point) -> String) -> Content {
    let describe = |setting: &Setting| {
        let Setting { model, engine, side, hours } = setting;
        vec![format!("{} by {engine}", model.name()), side.to_string(), hours.to_string()]
    };
    results.table(&["run", "side", "hours"], results.settings, describe, cell)
}

/// Returns a line by threads for each run on the host, and a level for each other place.
fn by_processors(
    results: &Results<'_>,
    is_shown: impl Fn(&&Point) -> bool,
    y: impl Fn(&Point) -> Option<f64>,
) -> Vec<Line> {
    let points = results.places.iter().flat_map(|place| results.at(place)).filter(is_shown);
    // Levels are at no number of threads.
    let at = |point: &Point| Some(figure::Point::new(point.threads.map_or(0.0, f64::from), y(point)?));
    let mut lines = lines(points, at, |point| {
        let by = if point.threads.is_some() { "cpu" } else { &point.place };
        format!("{} by {}, {by}", point.setting.model.name(), point.setting.engine)
    });
    for line in &mut lines {
        if let [only] = line.points.as_slice() {
            line.points = RANGE.map(|x| figure::Point { x, ..*only }).to_vec();
        }
    }
    lines
}

/// Returns the wall time of a simulated hour.
fn seconds_an_hour(point: &Point) -> f64 {
    point.found.seconds() / point.setting.hours
}
