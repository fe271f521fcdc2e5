//! Tables and plots of the figures.

use super::measure::{Found, MEAN, MEANS, SIDE, Setting, Shape};
use crate::interval::published::{Published, TABLE_5_2};
use imminent_common::figure::{self, Line, Plot};
use imminent_study::figures::lines;
use imminent_study::outcome::Content;

type Point = imminent_study::figures::Point<Setting, Found>;
type Results<'r> = imminent_study::figures::Results<'r, Setting, Found>;

/// Mean and the half-width of its interval.
type Estimate = (Option<f64>, Option<f64>);

const UTILIZATION: fn(&Found) -> Estimate = |found| (found.utilization, found.utilization_ci95);
const SOJOURN: fn(&Found) -> Estimate = |found| (found.sojourn, found.sojourn_ci95);

/// Returns Table 5-2 as measured, as printed, and by theory, and the utilization by interval as a plot.
pub(super) fn table_5_2(results: &Results<'_>) -> Vec<Content> {
    let off = |found: Option<f64>, expected: f64| {
        found.map_or_else(String::new, |mean| format!("{:+.2} %", 100.0 * (mean / expected - 1.0)))
    };
    let row = |point: &Point| {
        let printed = printed(&point.setting)?;
        let corrected = printed.corrected();
        Some(vec![
            point.place.clone(),
            printed.mean_service.to_string(),
            printed.interval.to_string(),
            with_interval(UTILIZATION(&point.found)),
            format!("{:.4}", printed.utilization),
            format!("{:.4}", corrected.utilization),
            off(point.found.utilization, corrected.utilization),
            with_interval(SOJOURN(&point.found)),
            format!("{:.2}", printed.sojourn),
            format!("{:.2}", corrected.sojourn),
            off(point.found.sojourn, corrected.sojourn),
        ])
    };
    let [own, theory] = ["printed", "corrected by theory"];
    let columns = ["on", "mean service", "interval", "utilization", own, theory, "off", "sojourn", own, theory, "off"];
    let rows = results.places.iter().flat_map(|place| results.at(place)).filter_map(row).collect();
    let table = Content::Table { columns: columns.map(str::to_owned).to_vec(), rows };
    let name = |setting: &Setting| format!("mean service {}", setting.mean_service);
    let mut lines = by_interval(results, |_| true, name, UTILIZATION);
    for (colour, mean) in MEANS.into_iter().enumerate() {
        let printed = results.settings.iter().filter(|own| own.mean_service == mean).filter_map(printed);
        let printed = printed.map(|entry| (entry.interval, entry.utilization));
        lines.push(Line::printed("", printed).coloured(colour));
    }
    let caption = "utilization, measured and (dashed) as the dissertation prints it.";
    vec![table, Content::Plot(Plot::new(lines, ["interval", "utilization"], caption))]
}

/// Returns the entry of Table 5-2 for a setting, if there is one.
fn printed(setting: &Setting) -> Option<Published> {
    let interval = setting.interval.unwrap_or(0.0);
    TABLE_5_2.into_iter().find(|entry| entry.interval == interval && entry.mean_service == setting.mean_service)
}

/// Returns sojourn time and utilization of a closed and an open network.
pub(super) fn networks(results: &Results<'_>) -> Vec<Content> {
    let lines = |of| by_interval(results, |_| true, |setting| setting.network.name().to_owned(), of);
    vec![
        estimates(results),
        plot("5-4 A", "mean sojourn at a station", lines(SOJOURN)),
        plot("5-4 B", "utilization", lines(UTILIZATION)),
    ]
}

/// Returns the utilization of closed networks of several sizes and mean services.
pub(super) fn parameters(results: &Results<'_>) -> Vec<Content> {
    let sizes = by_interval(results, |own| own.mean_service == MEAN, sides, UTILIZATION);
    let name = |own: &Setting| format!("mean service {}", own.mean_service);
    let means = by_interval(results, |own| own.side == SIDE, name, UTILIZATION);
    vec![estimates(results), plot("5-5 A", "utilization", sizes), plot("5-5 B", "utilization", means)]
}

/// Returns the speed of the clustered engine beside the exact one.
pub(super) fn speeds(results: &Results<'_>) -> Vec<Content> {
    let beside = |point: &Point| {
        point.setting.interval?;
        Some(point.found.events_per_s / results.of(&point.place, &point.setting.exact())?.found.events_per_s)
    };
    let table = rows(results, &["M events/s", "beside exact"], |point| {
        let times = beside(point).map_or_else(|| "–".to_owned(), |times| format!("{times:.2}"));
        vec![format!("{:.2}", point.found.events_per_s / 1e6), times]
    });
    let of_shape = |(letter, shape): (char, Shape)| {
        let own = results.at(results.first()).filter(|point| point.setting.network == shape);
        let at = |point: &Point| Some(figure::Point::new(point.setting.interval?, beside(point)?));
        let what = format!("speed beside the exact engine, {} network", shape.name());
        plot(&format!("5-6 {letter}"), &what, lines(own, at, |point| sides(&point.setting)))
    };
    [table].into_iter().chain(('A'..).zip(Shape::ALL).map(of_shape)).collect()
}

fn sides(setting: &Setting) -> String {
    format!("{0} x {0}", setting.side)
}

/// Returns lines of the first place by interval, with a name for each setting.
fn by_interval(
    results: &Results<'_>,
    is_shown: impl Fn(&Setting) -> bool,
    name: impl Fn(&Setting) -> String,
    of: fn(&Found) -> Estimate,
) -> Vec<Line> {
    let at = |point: &Point| {
        let (mean, half_width) = of(&point.found);
        Some(figure::Point { x: point.setting.interval.unwrap_or(0.0), y: mean?, half_width })
    };
    let own = results.at(results.first()).filter(|point| is_shown(&point.setting));
    lines(own, at, |point| name(&point.setting))
}

fn plot(name: &str, what: &str, lines: Vec<Line>) -> Content {
    Content::Plot(Plot::new(lines, ["interval", what], &format!("Figure {name}: {what}.")))
}

/// Returns a table of utilizations and sojourn times, with their errors beside the exact engine.
fn estimates(results: &Results<'_>) -> Content {
    let names = ["utilization", "error", "corrected (5-5)", "sojourn", "error"];
    rows(results, &names, |point| {
        let exact = results.of(&point.place, &point.setting.exact()).filter(|_| point.setting.interval.is_some());
        let error = |of: fn(&Found) -> Estimate| {
            let error = exact.and_then(|exact| Some(of(&point.found).0? / of(&exact.found).0? - 1.0));
            error.map_or_else(|| "–".to_owned(), |error| format!("{:+.2} %", 100.0 * error))
        };
        let found = &point.found;
        let corrected = (found.utilization_corrected, found.utilization_corrected_ci95);
        vec![
            with_interval(UTILIZATION(found)),
            error(UTILIZATION),
            corrected.0.map_or_else(|| "–".to_owned(), |_| with_interval(corrected)),
            with_interval(SOJOURN(found)),
            error(SOJOURN),
        ]
    })
}

/// Returns a table with a row for each setting in each place.
fn rows(results: &Results<'_>, names: &[&str], cells: impl Fn(&Point) -> Vec<String>) -> Content {
    let columns = ["on", "shape", "network", "mean service", "interval"].iter().chain(names);
    let row = |point: &Point| {
        let Setting { network, side, mean_service, interval, .. } = &point.setting;
        let interval = interval.map_or_else(|| "exact".to_owned(), |interval| interval.to_string());
        let begin = [network.name().to_owned(), format!("{side}²"), mean_service.to_string(), interval];
        std::iter::once(point.place.clone()).chain(begin).chain(cells(point)).collect()
    };
    let rows = results.places.iter().flat_map(|place| results.at(place)).map(row).collect();
    Content::Table { columns: columns.map(|name| (*name).to_owned()).collect(), rows }
}

/// Formats mean and half-width, with four decimals below 1 and two above.
fn with_interval((mean, half): Estimate) -> String {
    let Some(mean) = mean else { return "none".to_owned() };
    let digits = if mean < 1.0 { 4 } else { 2 };
    half.map_or_else(|| format!("{mean:.digits$}"), |half| format!("{mean:.digits$} ± {half:.digits$}"))
}
