//! Measurement of the settings of figures in places.

use super::results::{Point, Results};
use super::{GoOn, Place, Publication};
use crate::outcome::Content;
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// Measured figures.
#[derive(Debug)]
pub struct Shown {
    /// Row of each result: figures, place, device, setting and results.
    pub rows: Vec<Map<String, Json>>,
    /// Title of each figure with its tables and plots.
    pub parts: Vec<(&'static str, Vec<Content>)>,
    /// Name and device of each place where something was measured.
    pub devices: Vec<(String, String)>,
    /// Settings that could not be measured, with reasons.
    pub left_out: Vec<String>,
    /// Number of points that were measured, or left out.
    pub done: u64,
    /// Number of points.
    pub all: u64,
}

/// Setting in a place, with the numbers of its figures.
type Wanted<'p, S> = (S, &'p Place, Vec<usize>);

impl<O, S: Serialize + Clone + PartialEq, R: Serialize> Publication<O, S, R> {
    /// Measures figures, by their numbers.
    pub(super) fn measured(&self, options: O, asked: &[usize], places: &[Place], go_on: GoOn<'_>) -> Shown {
        let figures = self.figures.iter().enumerate().filter(|(number, _)| asked.contains(number));
        let parts: Vec<_> = figures.map(|(number, figure)| (number, figure, (figure.settings)(&options))).collect();
        let mut wanted: Vec<Wanted<'_, S>> = vec![];
        for (number, figure, settings) in &parts {
            for setting in settings {
                let is_for = |place: &&Place| {
                    (!place.is_beside || !figure.beside.is_empty()) && (figure.is_for)(setting, place, places)
                };
                for place in places.iter().filter(is_for) {
                    let same = |(own, at, _): &&mut Wanted<'_, S>| own == setting && at.name == place.name;
                    match wanted.iter_mut().find(same) {
                        Some((.., numbers)) => numbers.push(*number),
                        None => wanted.push((setting.clone(), place, vec![*number])),
                    }
                }
            }
        }
        let all = wanted.len() as u64;
        let mut shown = Shown { rows: vec![], parts: vec![], devices: vec![], left_out: vec![], done: 0, all };
        let (mut points, mut measure) = (vec![], (self.measure)(options));
        for (setting, place, numbers) in wanted {
            if !go_on(shown.done, all) {
                break;
            }
            shown.done += 1;
            match measure(&setting, place) {
                Ok(found) => {
                    let point = Point { place: place.name.clone(), threads: place.threads, setting, found };
                    let names: Vec<_> = numbers.iter().filter_map(|at| Some(self.figures.get(*at)?.name)).collect();
                    shown.add_rows(&point, place.device_name(), &names.join(" "));
                    points.push(point);
                }
                Err(error) => shown.left_out.push(format!("{} on {}: {error}", named(&setting), place.name)),
            }
        }
        let names: Vec<_> = places.iter().filter(|place| !place.is_beside).map(|place| place.name.clone()).collect();
        let contents = parts.iter().map(|(_, figure, settings)| {
            let results = Results { settings, places: &names, points: &points };
            (figure.title, (figure.contents)(&results))
        });
        shown.parts = contents.collect();
        shown
    }
}

impl Shown {
    /// Adds a row for the results of a point, or for each element of their list.
    fn add_rows<S: Serialize, R: Serialize>(&mut self, point: &Point<S, R>, device: String, figures: &str) {
        let place = [("figures", figures), ("on", &point.place), ("device", &device)];
        let begin = place.map(|(name, text)| (name.to_owned(), Json::from(text)));
        let begin: Vec<_> = begin.into_iter().chain(fields(&point.setting)).collect();
        let mut add = |found| self.rows.push(begin.iter().cloned().chain(found).collect());
        match serde_json::to_value(&point.found) {
            Ok(Json::Array(several)) => several.iter().for_each(|found| add(fields(found))),
            Ok(found) => add(fields(&found)),
            Err(_) => {}
        }
        let at = (point.place.clone(), device);
        if !self.devices.contains(&at) {
            self.devices.push(at);
        }
    }
}

/// Returns names and values, in the order of their columns.
fn fields<T: Serialize>(of: &T) -> Map<String, Json> {
    match serde_json::to_value(of) {
        Ok(Json::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// Names a setting by its values.
fn named<S: Serialize>(setting: &S) -> String {
    let fields = fields(setting).into_iter().filter(|(_, value)| !value.is_null());
    let texts = fields.map(|(name, value)| match value {
        Json::String(text) => format!("{name} {text}"),
        other => format!("{name} {other}"),
    });
    texts.collect::<Vec<_>>().join(", ")
}
