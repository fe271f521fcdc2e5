//! Tables and plots of the figures.

use super::budget::StudyTimes;
use super::paper;
use super::setting::{Setting, Work, by};
use crate::MappingChoice;
use imminent_common::figure::{self, Line, Plot};
use imminent_study::figures::lines;
use imminent_study::outcome::Content;

type Point = imminent_study::figures::Point<Setting, StudyTimes>;
pub(super) type Results<'r> = imminent_study::figures::Results<'r, Setting, StudyTimes>;

/// Labels of the axes.
const SIMULATIONS: &str = "simulations";
const SPEED: &str = "events a second";
const TIME: &str = "s for all events";

/// Note on points whose budget did not suffice for all events.
const CUT: &str = "Where a percentage stands, the budget was enough for that part of the events, with as many simulations and modules; times of all events are in proportion.";

/// Name of four cores, with which the paper compares the mesh.
const FOUR_CORES: &str = "cpu:4";

/// Returns the rate of events by simulations and modules.
pub(super) fn alike(results: &Results<'_>) -> Vec<Content> {
    let cell = |point: &Point| with_cut(speed(point), point);
    let table = results.table(&["modules", SIMULATIONS], results.settings, of_sizes, cell);
    let plot = |place: &String| {
        Content::Plot(Plot::logarithmic(rates(results, place, 1), [SIMULATIONS, SPEED], &format!("{place}.")))
    };
    with_note(results, table, results.places.iter().map(plot))
}

/// Returns the rate of events with four generators beside that with one, whose mapping is given.
pub(super) fn beside_one(results: &Results<'_>, of_one: MappingChoice, printed: Option<paper::Shares>) -> Vec<Content> {
    let share = |point: &Point| {
        let one = Setting { work: Work::Lcg(1), strategy: by(of_one), ..point.setting };
        let one = results.of(&point.place, &one)?;
        Some(point.found.events_per_second() / one.found.events_per_second())
    };
    let four = results.settings.iter().filter(|setting| setting.work == Work::Lcg(4));
    let table = results.table(&["modules", SIMULATIONS], four, of_sizes, |point| {
        let beside = share(point).map_or_else(String::new, |times| format!(" ({times:.2} of one)"));
        with_cut(speed(point) + &beside, point)
    });
    let plots = |place: &String| {
        let four = rates(results, place, 4);
        let mut both = rates(results, place, 1);
        if !four.is_empty() {
            let dashed = |(colour, line)| Line { name: String::new(), is_dashed: true, colour: Some(colour), ..line };
            both = both.into_iter().enumerate().map(dashed).collect();
            both.extend(four.into_iter().enumerate().map(|(colour, line)| line.coloured(colour)));
        }
        let caption = format!("{place}; one generator dashed, four not.");
        let speeds = Plot::logarithmic(both, [SIMULATIONS, SPEED], &caption);
        let doublings = |setting: &Setting| f64::from(setting.simulations).log2();
        let at = |point: &Point| Some(figure::Point::new(doublings(&point.setting), share(point)?));
        let four = results.at(place).filter(|point| point.setting.work == Work::Lcg(4));
        let mut shares = lines(four, at, of_modules);
        let [_, last] = Line::ends(&shares);
        if let Some((name, values)) = printed.filter(|_| !shares.is_empty()) {
            let values = values.iter().map(|(simulations, share)| (simulations.log2(), *share));
            shares.push(Line::printed(name, values.filter(|(doublings, _)| *doublings <= last)));
        }
        let caption = format!("{place}; four generators beside one, and (dashed) as the paper says.");
        let labels = ["simulations, as a power of two", "share of the speed of one generator"];
        [speeds, Plot::new(shares, labels, &caption)].map(Content::Plot)
    };
    with_note(results, table, results.places.iter().flat_map(plots))
}

/// Returns the rates of a number of generators by simulations, with a line for each number of modules.
fn rates(results: &Results<'_>, place: &str, generators: u32) -> Vec<Line> {
    let own = results.at(place).filter(|point| point.setting.work == Work::Lcg(generators));
    lines(own, |point| Some(at_simulations(point, point.found.events_per_second())), of_modules)
}

/// Returns the cost of events by simulations, for each place of the lists.
pub(super) fn overhead(results: &Results<'_>) -> Vec<Content> {
    let describe = |setting: &Setting| [vec![setting.lists()], of_sizes(setting)].concat();
    let table = results.table(&["lists", "modules", SIMULATIONS], results.settings, describe, cost);
    let at = |point: &Point| Some(at_simulations(point, point.found.seconds_of_all()));
    with_note(results, table, by_lists(results, SIMULATIONS, at))
}

/// Returns the cost of events by the bytes of states, for each place of the lists.
pub(super) fn states(results: &Results<'_>) -> Vec<Content> {
    let bytes = |setting: &Setting| setting.work.bytes().unwrap_or(0);
    let describe = |own: &Setting| vec![own.lists(), own.modules.to_string(), bytes(own).to_string()];
    let table = results.table(&["lists", "modules", "bytes"], results.settings, describe, cost);
    let at = |point: &Point| Some(figure::Point::new(f64::from(bytes(&point.setting)), point.found.seconds_of_all()));
    with_note(results, table, by_lists(results, "bytes of a state", at))
}

/// Returns a plot for each place and each place of the lists, with a line for each number of modules.
fn by_lists(results: &Results<'_>, label: &str, at: impl Fn(&Point) -> Option<figure::Point>) -> Vec<Content> {
    let mut lists: Vec<String> = results.settings.iter().map(Setting::lists).collect();
    lists.dedup();
    let places = results.places.iter().flat_map(|place| lists.iter().map(move |lists| (place, lists)));
    let plot = |(place, lists): (&String, &String)| {
        let own = results.at(place).filter(|point| point.setting.lists() == *lists);
        let caption = format!("{place}, lists {lists}.");
        Content::Plot(Plot::logarithmic(lines(own, &at, of_modules), [label, TIME], &caption))
    };
    places.map(plot).collect()
}

/// Returns the cost of mappings by simulations.
pub(super) fn mappings(results: &Results<'_>) -> Vec<Content> {
    let describe = |setting: &Setting| vec![setting.mapping(), setting.simulations.to_string()];
    let table = results.table(&["mapping", SIMULATIONS], results.settings, describe, cost);
    let plot = |place: &String| {
        let at = |point: &Point| Some(at_simulations(point, point.found.seconds_of_all()));
        let mut lines = lines(results.at(place), at, |point| point.setting.mapping());
        // Another line has the same colour.
        for line in lines.iter_mut().skip(Line::COLOURS) {
            line.is_dashed = true;
            line.name += " (dashed)";
        }
        Content::Plot(Plot::logarithmic(lines, [SIMULATIONS, TIME], &format!("{place}.")))
    };
    with_note(results, table, results.places.iter().map(plot))
}

/// Returns times of the mesh, and its speed beside four cores, or else the first place, and that of the paper.
pub(super) fn meshes(results: &Results<'_>) -> Vec<Content> {
    let own = || results.points.iter().filter(|point| results.settings.contains(&point.setting));
    let is_alone = |point: &Point| point.setting.work == Work::MeshAlone;
    let name = |point: &Point| match is_alone(point) {
        true => "one alone, one core".to_owned(),
        false => point.place.clone(),
    };
    let seconds = |point: &Point| point.found.ran.seconds;
    let study = results.settings.iter().find(|setting| setting.work == Work::Mesh);
    let base = study.and_then(|study| results.of(FOUR_CORES, study).or_else(|| results.of(results.first(), study)));
    let row = |point: &Point| {
        let (simulations, faster) = match (is_alone(point), base) {
            (true, _) => (1, "–".to_owned()),
            (false, None) => (point.setting.simulations, "–".to_owned()),
            (false, Some(base)) => (point.setting.simulations, format!("{:.1} x", seconds(base) / seconds(point))),
        };
        vec![name(point), simulations.to_string(), format!("{:.4}", seconds(point)), speed(point), faster]
    };
    let beside = format!("as fast as {}", base.map_or("–", |point| point.place.as_str()));
    let columns = ["where", SIMULATIONS, "s", "M events/s", &beside].map(str::to_owned).to_vec();
    let table = Content::Table { columns, rows: own().map(row).collect() };
    let times = own().map(|point| (name(point), seconds(point))).collect();
    let caption = "The whole study, and one simulation alone.".to_owned();
    let times = Content::Columns { values: times, label: "s".to_owned(), caption };
    let Some(base) = base else { return vec![table, times] };
    let named = |point: &Point| if is_alone(point) { "a core each".to_owned() } else { name(point) };
    let mut values: Vec<_> = own().map(|point| (named(point), seconds(base) / seconds(point))).collect();
    if base.place == FOUR_CORES {
        values.push(("paper, GPU".to_owned(), paper::ON_GPU));
        values.push(("paper, a core each".to_owned(), paper::ON_GPU * paper::ON_270_CORES));
    }
    let caption = "Speed of the whole study.".to_owned();
    vec![table, times, Content::Columns { values, label: beside, caption }]
}

/// Returns the contents of a figure, with a note if some points have fewer events than they should.
fn with_note(results: &Results<'_>, table: Content, plots: impl IntoIterator<Item = Content>) -> Vec<Content> {
    let is_cut = results.places.iter().flat_map(|place| results.at(place)).any(|point| cut(point).is_some());
    let note = is_cut.then(|| Content::Text(CUT.to_owned()));
    [table].into_iter().chain(note).chain(plots).collect()
}

fn of_modules(point: &Point) -> String {
    let modules = point.setting.modules;
    if modules == 1 { "1 module".to_owned() } else { format!("{modules} modules") }
}

fn of_sizes(setting: &Setting) -> Vec<String> {
    vec![setting.modules.to_string(), setting.simulations.to_string()]
}

fn at_simulations(point: &Point, y: f64) -> figure::Point {
    figure::Point::new(f64::from(point.setting.simulations), y)
}

/// Formats the rate in millions of events per second.
fn speed(point: &Point) -> String {
    let millions = point.found.events_per_second() / 1e6;
    if millions < 10.0 { format!("{millions:.4}") } else { format!("{millions:.1}") }
}

/// Formats the time of the whole study in milliseconds, and of an event in nanoseconds.
fn cost(point: &Point) -> String {
    let seconds = point.found.seconds_of_all();
    let each = 1e9 / point.found.events_per_second();
    with_cut(format!("{:.3} ({each:.2})", seconds * 1e3), point)
}

/// Returns the share of the events that the budget allowed, unless it is nearly all. Modules share events evenly, so a
/// few may be left over.
fn cut(point: &Point) -> Option<f64> {
    let settled = f64::from(point.setting.simulations) * f64::from(point.setting.modules);
    let left_over = point.found.events_of_all - point.found.ran.events as f64;
    (left_over >= settled).then(|| 100.0 * point.found.share())
}

fn with_cut(text: String, point: &Point) -> String {
    match cut(point) {
        Some(percent) if percent < 1.0 => format!("{text}, {percent:.3} %"),
        Some(percent) => format!("{text}, {percent:.0} %"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic)]
    use super::*;
    use crate::Mapping;
    use crate::benchmarks::timed::TimedRun;

    fn point(place: &str, setting: Setting, [events, of_all]: [u64; 2], seconds: f64) -> Point {
        let ran = TimedRun { seconds, events, steps: 1, mapping: None, speculation: None };
        let found = StudyTimes { ran, runs: 1, events_of_all: of_all as f64 };
        Point { place: place.to_owned(), threads: None, setting, found }
    }

    fn setting(work: Work, mapping: Mapping) -> Setting {
        Setting { work, simulations: 8, modules: 2, strategy: by(MappingChoice::Always(mapping)) }
    }

    /// Returns the rows of the table, and whether a note says that points were cut.
    fn told(
        contents: impl Fn(&Results<'_>) -> Vec<Content>,
        settings: &[Setting],
        points: &[Point],
    ) -> (Vec<String>, bool) {
        let places = ["cuda".to_owned(), "cpu".to_owned()];
        let shown = contents(&Results { settings, places: &places, points });
        let Content::Table { rows, .. } = &shown[0] else { panic!("{shown:?}") };
        let is_cut = shown.contains(&Content::Text(CUT.to_owned()));
        (rows.iter().map(|row| row.join(" | ")).collect(), is_cut)
    }

    #[test]
    fn four_generators_stand_beside_one() {
        let [one, four] = [(1, Mapping::InOrder), (4, Mapping::Sorted)].map(|(n, by)| setting(Work::Lcg(n), by));
        let points = vec![point("cuda", one, [2400, 2400], 0.001), point("cuda", four, [2400, 2400], 0.002)];
        let (rows, is_cut) =
            told(|results| beside_one(results, MappingChoice::Always(Mapping::InOrder), None), &[one, four], &points);
        assert_eq!((rows, is_cut), (vec!["2 | 8 | 1.2000 (0.50 of one) | –".to_owned()], false));
    }

    #[test]
    fn what_was_cut_is_told() {
        let study = setting(Work::Kinds, Mapping::Padded);
        let cut = vec![point("cuda", study, [160, 1600], 0.001), point("cpu", study, [1596, 1600], 0.001)];
        let (rows, is_cut) = told(mappings, &[study], &cut);
        // A tenth in a millisecond: all in ten, 6,250 ns each. Four missing events are those that modules cannot share.
        assert_eq!((rows, is_cut), (vec!["pad | 8 | 10.000 (6250.00), 10 % | 1.003 (626.57)".to_owned()], true));
    }

    #[test]
    fn meshes_stand_beside_four_cores() {
        let study = setting(Work::Mesh, Mapping::InOrder);
        let alone = Setting { work: Work::MeshAlone, ..study };
        let points = vec![
            point("cuda", study, [1000, 1000], 0.5),
            point("cpu:4", study, [1000, 1000], 2.0),
            point("host", alone, [10, 10], 0.1),
        ];
        let (rows, _) = told(meshes, &[study, alone], &points);
        assert_eq!(rows[0], "cuda | 8 | 0.5000 | 0.0020 | 4.0 x");
        assert_eq!(rows[2], "one alone, one core | 1 | 0.1000 | 0.0001 | –");
    }
}
