//! What a study found, for programs: the object that `--json` prints.

use imminent::models::study::effects::{Effect, Factor, Level};
use imminent::models::study::results::Summary;
use imminent::models::study::spread::{Tally, Who};
use imminent::models::study::{Failed, Results, Study, Value};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// The levels of a parameter in main effects; of more values, groups of neighbours.
pub(super) const MOST_LEVELS: usize = 8;

/// What carried runs out; nothing where all were finished before.
#[derive(Debug, Default)]
pub(super) struct Carried {
    pub(super) stations: Vec<Tally>,
    /// Why the first device was taken.
    pub(super) why: Option<String>,
    /// Runs that went on from where they were.
    pub(super) went_on: u64,
}

/// A device, and what it did.
#[derive(Debug, Serialize)]
pub(super) struct DeviceReport {
    pub(super) name: String,
    pub(super) backend: String,
    pub(super) device: String,
    /// Runs that it carried out now.
    pub(super) runs: u64,
    /// Why it could not go on, if it could not.
    pub(super) lost: Option<String>,
}

impl From<&Tally> for DeviceReport {
    fn from(tally: &Tally) -> Self {
        let Tally { who: Who { name, backend, device }, runs, lost } = tally.clone();
        Self { name, backend, device, runs, lost }
    }
}

impl Carried {
    /// Different ones of something that devices have, in their order.
    fn names(&self, of: fn(&Who) -> &String) -> Option<String> {
        let mut names: Vec<&str> = vec![];
        for name in self.stations.iter().map(|tally| of(&tally.who)) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// Says which devices were lost.
    pub(super) fn tell_losses(&self) {
        for tally in &self.stations {
            if let Some(why) = &tally.lost {
                eprintln!("{} was lost, and others had its runs: {why}", tally.who.name);
            }
        }
    }
}

/// The report.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) title: Option<String>,
    pub(super) model: String,
    pub(super) revision: String,
    pub(super) backend: Option<String>,
    pub(super) device: Option<String>,
    /// Each of them, and what it did.
    pub(super) devices: Vec<DeviceReport>,
    #[serde(skip)]
    pub(super) why: Option<String>,
    pub(super) seed: u64,
    pub(super) repetitions: u64,
    pub(super) common_random_numbers: bool,
    pub(super) fingerprint: String,
    /// Parameters that are the same at every point.
    pub(super) fixed: BTreeMap<String, Value>,
    /// Runs of the study, those that are finished, and those of them that were finished before.
    pub(super) runs: u64,
    pub(super) done: u64,
    pub(super) done_before: u64,
    /// Runs that were under way before, and went on.
    pub(super) went_on: u64,
    pub(super) complete: bool,
    /// Runs that failed, and why.
    pub(super) failed: Vec<Failed>,
    /// Events of all runs that are finished.
    pub(super) events: u64,
    pub(super) wall_s: f64,
    /// Events by wall time, where all of them happened now.
    pub(super) events_per_s: Option<f64>,
    pub(super) points: Vec<PointReport>,
    /// By parameter, for those that vary.
    pub(super) main_effects: BTreeMap<String, MainEffects>,
}

/// A point of the study.
#[derive(Debug, Serialize)]
pub(super) struct PointReport {
    pub(super) point: u64,
    /// What varies.
    pub(super) parameters: BTreeMap<String, Value>,
    /// By measure.
    pub(super) measures: BTreeMap<String, Summary>,
}

/// What a parameter does.
#[derive(Debug, Serialize)]
pub(super) struct MainEffects {
    pub(super) levels: Vec<Level>,
    /// By measure, for each level.
    pub(super) measures: BTreeMap<String, Vec<Effect>>,
}

impl Report {
    /// The report of a study of which `before` runs were finished before.
    pub(super) fn new(study: &Study, results: &Results, carried: &Carried, wall: Duration, before: u64) -> Self {
        let (description, varying) = (study.description(), study.varying());
        let events = (0..results.runs()).filter_map(|run| results.events(run)).sum::<u64>();
        let measures = || description.measures.iter().enumerate();
        let parameters = |point: u64, varies: bool| {
            let named = description.parameters.iter().enumerate();
            let chosen = named.filter(|(place, _)| varying.contains(place) == varies);
            chosen.filter_map(|(place, p)| Some((p.name.clone(), study.value(point, place)?.clone()))).collect()
        };
        let point = |point: u64| PointReport {
            point,
            parameters: parameters(point, true),
            measures: measures().map(|(place, m)| (m.name.clone(), results.summary(study, point, place))).collect(),
        };
        let effects = |place: &usize| {
            let factor = Factor::new(study, *place, MOST_LEVELS);
            let of = |measure: usize| factor.effects(study, results, measure);
            let measures = measures().map(|(place, measure)| (measure.name.clone(), of(place))).collect();
            let name = description.parameters.get(*place)?.name.clone();
            Some((name, MainEffects { levels: factor.levels, measures }))
        };
        let wall_s = wall.as_secs_f64();
        Self {
            title: study.title().map(str::to_owned),
            model: description.name.clone(),
            revision: description.revision.clone(),
            backend: carried.names(|who| &who.backend),
            device: carried.names(|who| &who.device),
            devices: carried.stations.iter().map(DeviceReport::from).collect(),
            why: carried.why.clone(),
            seed: study.seed(),
            repetitions: study.repetitions(),
            common_random_numbers: study.has_common_random_numbers(),
            fingerprint: study.fingerprint().to_string(),
            fixed: parameters(0, false),
            runs: results.runs(),
            done: results.done(),
            done_before: before,
            went_on: carried.went_on,
            complete: results.done() == results.runs(),
            failed: results.failures().map(|(run, why)| Failed { run, why: why.to_owned() }).collect(),
            events,
            wall_s,
            // Of what was done before, the time is not known.
            events_per_s: (before == 0 && carried.went_on == 0 && wall_s > 0.0 && events > 0)
                .then(|| events as f64 / wall_s),
            points: (0..study.points()).map(point).collect(),
            main_effects: varying.iter().filter_map(effects).collect(),
        }
    }
}
