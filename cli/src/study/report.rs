//! What a study found, for programs: the object that `--json` prints.

use super::output::varying;
use imminent::models::study::description::Measure;
use imminent::models::study::effects::{Effect, Factor, Level};
use imminent::models::study::results::Summary;
use imminent::models::study::spread::{Tally, Who};
use imminent::models::study::{Failed, Results, Study, Value};
use serde::{Serialize, Serializer};
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
pub(super) struct Report<'a> {
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
    /// From the start of the process.
    pub(super) total_s: f64,
    /// Events by wall time, where all of them happened now.
    pub(super) events_per_s: Option<f64>,
    pub(super) points: Points<'a>,
    /// What a reader should know of the model.
    pub(super) notes: &'a [String],
    /// By parameter, for those that vary.
    pub(super) main_effects: BTreeMap<String, MainEffects>,
}

/// The points of a study, each put together when it is asked for: there may be more than there is memory for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Points<'a> {
    study: &'a Study,
    results: &'a Results,
}

/// A point of the study.
#[derive(Debug, Serialize)]
pub(super) struct PointReport<'a> {
    pub(super) point: u64,
    /// What varies.
    pub(super) parameters: BTreeMap<&'a str, &'a Value>,
    /// By measure.
    pub(super) measures: BTreeMap<&'a str, Summary>,
}

impl<'a> Points<'a> {
    pub(super) fn point(&self, point: u64) -> PointReport<'a> {
        let Points { study, results } = *self;
        let measures = study.description().measures.iter().enumerate();
        let summary =
            |(place, measure): (usize, &'a Measure)| (measure.name.as_str(), results.summary(study, point, place));
        PointReport { point, parameters: varying(study, point), measures: measures.map(summary).collect() }
    }
}

impl Serialize for Points<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.study.points()).map(|point| self.point(point)))
    }
}

/// What a parameter does.
#[derive(Debug, Serialize)]
pub(super) struct MainEffects {
    pub(super) levels: Vec<Level>,
    /// By measure, for each level.
    pub(super) measures: BTreeMap<String, Vec<Effect>>,
}

impl<'a> Report<'a> {
    /// The report of a study of which `before` runs were finished before.
    pub(super) fn new(study: &'a Study, results: &'a Results, carried: &Carried, wall: Duration, before: u64) -> Self {
        let (description, varying) = (study.description(), study.varying());
        let events = (0..results.runs()).filter_map(|run| results.events(run)).sum::<u64>();
        let measures = || description.measures.iter().enumerate();
        let fixed = description.parameters.iter().enumerate().filter(|(place, _)| !varying.contains(place));
        let fixed = fixed.filter_map(|(place, p)| Some((p.name.clone(), study.value(0, place)?.clone())));
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
            fixed: fixed.collect(),
            runs: results.runs(),
            done: results.done(),
            done_before: before,
            went_on: carried.went_on,
            complete: results.done() == results.runs(),
            failed: results.failures().map(|(run, why)| Failed { run, why: why.to_owned() }).collect(),
            events,
            wall_s,
            total_s: crate::clock::elapsed().as_secs_f64(),
            // Of what was done before, the time is not known.
            events_per_s: (before == 0 && carried.went_on == 0 && wall_s > 0.0 && events > 0)
                .then(|| events as f64 / wall_s),
            points: Points { study, results },
            notes: &description.notes,
            main_effects: varying.iter().filter_map(effects).collect(),
        }
    }
}
