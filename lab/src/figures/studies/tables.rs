//! Figures as tables: CSV for programs, Markdown for documents.

use super::figure::Figure;
use super::results::{FOUR_CORES, Measured, Point};
use super::setting::{Setting, Work};
use imminent::models::sheet::Of;
use std::fmt::Write;

/// Columns of the CSV table, with a line for each point; times are in seconds.
pub(super) const COLUMNS: [(&str, Of<Point>); 16] = [
    ("on", Of::Text(|point| point.place.clone())),
    ("device", Of::Text(|point| point.device.clone())),
    ("what", Of::Text(|point| point.setting.work.name())),
    ("simulations", Of::Count(|point| u64::from(point.setting.simulations))),
    ("modules", Of::Count(|point| u64::from(point.setting.modules))),
    ("state_bytes", Of::Number(|point| point.setting.work.bytes().map(f64::from))),
    ("lists", Of::Text(|point| point.setting.lists())),
    ("mapping", Of::Text(|point| point.setting.mapping())),
    ("mapping_at_the_end", Of::Text(|point| point.found.ran.mapping.map_or_else(String::new, |it| it.to_string()))),
    ("events", Of::Count(|point| point.found.ran.events)),
    ("events_of_all", Of::Number(|point| Some(point.found.events_of_all))),
    ("steps", Of::Count(|point| point.found.ran.steps)),
    ("runs", Of::Count(|point| point.found.runs as u64)),
    ("seconds", Of::Number(|point| Some(point.found.ran.seconds))),
    ("seconds_of_all", Of::Number(|point| Some(point.found.seconds_of_all()))),
    ("events_per_s", Of::Number(|point| Some(point.found.events_per_second()))),
];

/// Returns a table for each figure.
pub(super) fn markdown(measured: &Measured) -> String {
    let text = measured.markdown(Figure::title, |part, settings| measured.table_of(part, settings));
    match measured.points.iter().any(|point| cut(point).is_some()) {
        true => format!("{text}{CUT}"),
        false => text,
    }
}

/// Note on points whose budget did not suffice for all events.
const CUT: &str = "\nWhere a percentage stands, the budget was enough for that part of the events, with as many simulations and modules; times of all events are in proportion.\n";

impl Measured {
    fn table_of(&self, part: Figure, settings: &[Setting]) -> String {
        let count = |number: u32| number.to_string();
        match part {
            Figure::Alike => {
                let describe = |setting: &Setting| vec![count(setting.modules), count(setting.simulations)];
                self.table(&["modules", "simulations"], settings, describe, |point| with_cut(speed(point), point))
            }
            Figure::Unsorted | Figure::Sorted | Figure::Padded | Figure::Chosen => {
                let four: Vec<_> = settings.iter().copied().filter(|setting| setting.work == Work::Lcg(4)).collect();
                let describe = |setting: &Setting| vec![count(setting.modules), count(setting.simulations)];
                self.table(&["modules", "simulations"], &four, describe, |point| {
                    let beside = self.beside_one(part, point);
                    let beside = beside.map_or_else(String::new, |times| format!(" ({times:.2} of one)"));
                    with_cut(speed(point) + &beside, point)
                })
            }
            Figure::Overhead => {
                let describe =
                    |setting: &Setting| vec![setting.lists(), count(setting.modules), count(setting.simulations)];
                self.table(&["lists", "modules", "simulations"], settings, describe, cost)
            }
            Figure::Mappings => {
                let describe = |setting: &Setting| vec![setting.mapping(), count(setting.simulations)];
                self.table(&["mapping", "simulations"], settings, describe, cost)
            }
            Figure::States => {
                let describe = |setting: &Setting| {
                    vec![setting.lists(), count(setting.modules), count(setting.work.bytes().unwrap_or(0))]
                };
                self.table(&["lists", "modules", "bytes"], settings, describe, cost)
            }
            Figure::Mesh => self.meshes(settings),
        }
    }

    /// Returns the rate of events relative to that with one generator.
    pub(super) fn beside_one(&self, part: Figure, point: &Point) -> Option<f64> {
        let one = self.of(&point.place, point.setting.with_one_generator(part)?)?;
        Some(point.found.events_per_second() / one.found.events_per_second())
    }

    /// Returns the points of the mesh with their names: a place, or one simulation alone.
    pub(super) fn of_mesh<'m>(&'m self, settings: &'m [Setting]) -> impl Iterator<Item = (String, &'m Point)> {
        self.points.iter().filter(|point| settings.contains(&point.setting)).map(|point| {
            let name = match point.setting.work {
                Work::MeshAlone => "one alone, one core".to_owned(),
                _ => point.place.clone(),
            };
            (name, point)
        })
    }

    /// Returns the measurement of the mesh with which others are compared: on four cores, or else in the first place.
    pub(super) fn mesh_base(&self, settings: &[Setting]) -> Option<&Point> {
        let study = settings.iter().find(|setting| setting.work == Work::Mesh)?;
        self.of(&FOUR_CORES.to_string(), *study).or_else(|| self.of(self.places.first()?, *study))
    }

    fn meshes(&self, settings: &[Setting]) -> String {
        let base = self.mesh_base(settings);
        let beside = base.map_or("–", |point| point.place.as_str());
        let mut text = format!(
            "| where | simulations | s | M events/s | as fast as {beside} |\n| --- | --- | --- | --- | --- |\n"
        );
        for (name, point) in self.of_mesh(settings) {
            let (simulations, faster) = match (point.setting.work, base) {
                (Work::MeshAlone, _) => (1, "–".to_owned()),
                (_, None) => (point.setting.simulations, "–".to_owned()),
                (_, Some(base)) => {
                    let times = base.found.ran.seconds / point.found.ran.seconds;
                    (point.setting.simulations, format!("{times:.1} x"))
                }
            };
            let _ = writeln!(
                text,
                "| {name} | {simulations} | {:.4} | {} | {faster} |",
                point.found.ran.seconds,
                speed(point)
            );
        }
        text
    }
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
    use super::super::budget::StudyTimes;
    use super::*;
    use crate::bench::events::timed::{Strategy, TimedRun};
    use imminent::models::events::Execution;
    use imminent::models::events::{Mapping, MappingChoice};

    fn point(place: &str, setting: Setting, [events, of_all]: [u64; 2], seconds: f64) -> Point {
        let ran = TimedRun { seconds, events, steps: 1, mapping: None, speculation: None };
        let found = StudyTimes { ran, runs: 1, events_of_all: of_all as f64 };
        Point { place: place.to_owned(), device: "a device".to_owned(), setting, found }
    }

    fn setting(work: Work, mapping: Mapping) -> Setting {
        let strategy = Strategy::Lists {
            execution: Execution::Device,
            mapping: MappingChoice::Always(mapping),
            per_step: None,
            window: None,
        };
        Setting { work, simulations: 8, modules: 2, strategy }
    }

    fn told(part: Figure, settings: Vec<Setting>, points: Vec<Point>) -> String {
        let places = vec!["cuda".to_owned(), "cpu".to_owned()];
        markdown(&Measured {
            parts: vec![(part, settings)],
            places,
            points,
            left_out: vec!["something".to_owned()],
            missing: None,
        })
    }

    #[test]
    fn four_generators_stand_beside_one() {
        let [one, four] = [(1, Mapping::InOrder), (4, Mapping::Sorted)].map(|(n, by)| setting(Work::Lcg(n), by));
        let points = vec![point("cuda", one, [2400, 2400], 0.001), point("cuda", four, [2400, 2400], 0.002)];
        let text = told(Figure::Sorted, vec![one, four], points);
        assert!(text.contains("| 2 | 8 | 1.2000 (0.50 of one) | – |\n"), "{text}");
        assert!(text.contains("left out: something") && !text.contains("percentage"), "{text}");
    }

    #[test]
    fn what_was_cut_is_told() {
        let study = setting(Work::Kinds, Mapping::Padded);
        let cut = vec![point("cuda", study, [160, 1600], 0.001), point("cpu", study, [1596, 1600], 0.001)];
        let text = told(Figure::Mappings, vec![study], cut);
        // A tenth in a millisecond: all in ten, 6,250 ns each. Four missing events are those that modules cannot share.
        assert!(text.contains("| pad | 8 | 10.000 (6250.00), 10 % | 1.003 (626.57) |\n"), "{text}");
        assert!(text.contains("in proportion"), "{text}");
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
        let text = told(Figure::Mesh, vec![study, alone], points);
        assert!(
            text.contains("as fast as cpu:4 |") && text.contains("| cuda | 8 | 0.5000 | 0.0020 | 4.0 x |"),
            "{text}"
        );
        assert!(text.contains("| one alone, one core | 1 | 0.1000 | 0.0001 | – |"), "{text}");
    }
}
