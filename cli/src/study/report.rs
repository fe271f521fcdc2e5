//! The results of a study as the object that `--json` prints.

use imminent::models::estimate::Confidence;
use imminent::models::study::description::Measure;
use imminent::models::study::effects::{Effect, Factor, Level, inert};
use imminent::models::study::results::Summary;
use imminent::models::study::spread::{Identity, Tally};
use imminent::models::study::{Failed, Results, Study, Value};
use imminent_console::print::tell;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::time::Duration;

/// Most levels of a parameter in main effects; more values are divided into groups of neighbours.
pub(super) const MAX_LEVELS: usize = 8;

/// Record of the devices that carried out runs; empty if all were finished before.
#[derive(Debug, Default)]
pub(super) struct Carried {
    pub(super) stations: Vec<Tally>,
    /// Reason why the first device was chosen.
    pub(super) why: Option<String>,
    /// Number of runs that were resumed.
    pub(super) went_on: u64,
}

/// A device and its work.
#[derive(Debug, Serialize)]
pub(super) struct DeviceReport {
    pub(super) name: String,
    pub(super) backend: String,
    pub(super) device: String,
    /// Number of runs that it carried out in this process.
    pub(super) runs: u64,
    /// Reason why the device failed, if it did.
    pub(super) lost: Option<String>,
}

impl From<&Tally> for DeviceReport {
    fn from(tally: &Tally) -> Self {
        let Tally { identity: Identity { name, backend, device }, runs, lost } = tally.clone();
        Self { name, backend, device, runs, lost }
    }
}

impl Carried {
    /// Returns the distinct names of the devices, in their order, joined.
    fn names(&self, of: fn(&Identity) -> &String) -> Option<String> {
        let mut names: Vec<&str> = vec![];
        for name in self.stations.iter().map(|tally| of(&tally.identity)) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// Reports the devices that failed.
    pub(super) fn report_losses(&self) {
        for tally in &self.stations {
            if let Some(why) = &tally.lost {
                tell(&format!("{} failed, and the other devices executed its runs: {why}", tally.identity.name));
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
    /// Each device and its work.
    pub(super) devices: Vec<DeviceReport>,
    #[serde(skip)]
    pub(super) why: Option<String>,
    pub(super) seed: u64,
    pub(super) repetitions: u64,
    /// Confidence of all intervals.
    pub(super) confidence: Confidence,
    pub(super) common_random_numbers: bool,
    pub(super) fingerprint: String,
    /// Digest of the values of all finished runs.
    pub(super) digest: String,
    /// Parameters that are the same at every point.
    pub(super) fixed: BTreeMap<String, Value>,
    /// Runs of the study, those that are finished, and those of them that were finished before.
    pub(super) runs: u64,
    pub(super) done: u64,
    pub(super) done_before: u64,
    /// Number of runs that were resumed.
    pub(super) went_on: u64,
    pub(super) complete: bool,
    /// Runs that failed, with the reasons.
    pub(super) failed: Vec<Failed>,
    /// Events of all runs that are finished.
    pub(super) events: u64,
    pub(super) wall_s: f64,
    /// Seconds from the start of the process.
    pub(super) total_s: f64,
    /// Events by wall time, if all of them happened in this process.
    pub(super) events_per_s: Option<f64>,
    pub(super) points: Points<'a>,
    /// Notes for readers, of the model and on inert parameters.
    pub(super) notes: Vec<String>,
    /// Main effects of each parameter that varies.
    pub(super) main_effects: BTreeMap<String, MainEffects>,
}

/// Points of a study, each made when it is needed: they may exceed the memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Points<'a> {
    study: &'a Study,
    results: &'a Results,
}

/// A point of the study.
#[derive(Debug, Serialize)]
pub(super) struct PointReport<'a> {
    pub(super) point: u64,
    /// Parameters that vary, with their values.
    pub(super) parameters: BTreeMap<&'a str, &'a Value>,
    /// Statistics of each measure.
    pub(super) measures: BTreeMap<&'a str, Summary>,
}

/// Returns the varying parameters and their values at a point.
pub(super) fn varying(study: &Study, point: u64) -> BTreeMap<&str, &Value> {
    let parameters = &study.description().parameters;
    let value = |place: usize| Some((parameters.get(place)?.name.as_str(), study.value(point, place)?));
    study.varying().into_iter().filter_map(value).collect()
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

/// Main effects of a parameter.
#[derive(Debug, Serialize)]
pub(super) struct MainEffects {
    pub(super) levels: Vec<Level>,
    /// Effects of each level, by measure.
    pub(super) measures: BTreeMap<String, Vec<Effect>>,
}

/// Says which parameters change nothing.
fn inert_notes(study: &Study, results: &Results) -> Vec<String> {
    let name = |place: usize| study.description().parameters.get(place).map(|parameter| parameter.name.clone());
    let inert = inert(study, results).into_iter().filter_map(name);
    let note = |name| {
        format!(
            "`{name}` changes no measure of any run: look whether the model uses it, or whether its values reach far enough"
        )
    };
    inert.map(note).collect()
}

impl<'a> Report<'a> {
    /// Makes the report of a study of which `before` runs were finished earlier.
    pub(super) fn new(study: &'a Study, results: &'a Results, carried: &Carried, wall: Duration, before: u64) -> Self {
        let (description, varying) = (study.description(), study.varying());
        let events = (0..results.runs()).filter_map(|run| results.events(run)).sum::<u64>();
        let measures = || description.measures.iter().enumerate();
        let fixed = description.parameters.iter().enumerate().filter(|(place, _)| !varying.contains(place));
        let fixed = fixed.filter_map(|(place, p)| Some((p.name.clone(), study.value(0, place)?.clone())));
        let effects = |place: &usize| {
            let factor = Factor::new(study, *place, MAX_LEVELS);
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
            backend: carried.names(|identity| &identity.backend),
            device: carried.names(|identity| &identity.device),
            devices: carried.stations.iter().map(DeviceReport::from).collect(),
            why: carried.why.clone(),
            seed: study.seed(),
            repetitions: study.repetitions(),
            confidence: study.confidence(),
            common_random_numbers: study.has_common_random_numbers(),
            fingerprint: study.fingerprint().to_string(),
            digest: results.digest(),
            fixed: fixed.collect(),
            runs: results.runs(),
            done: results.done(),
            done_before: before,
            went_on: carried.went_on,
            complete: results.done() == results.runs(),
            failed: results.failures().map(|(run, why)| Failed { run, why: why.to_owned() }).collect(),
            events,
            wall_s,
            total_s: imminent_console::clock::elapsed().as_secs_f64(),
            // The time of earlier runs is not known.
            events_per_s: (before == 0 && carried.went_on == 0 && wall_s > 0.0 && events > 0)
                .then(|| events as f64 / wall_s),
            points: Points { study, results },
            notes: description.notes.iter().cloned().chain(inert_notes(study, results)).collect(),
            main_effects: varying.iter().filter_map(effects).collect(),
        }
    }
}
