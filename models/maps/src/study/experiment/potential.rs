//! Potential behaviour: what a fire at its head would do in every cell, without an ignition.

use super::super::config::WildfireConfig;
use super::scene::Scene;
use crate::Raster;
use crate::picture::Ramp;
use crate::plate::{Files, add};
use imminent_cell::landscape::Potential;
use imminent_common::answer::Answer;
use imminent_core::Device;
use imminent_core::clock::Instant;
use imminent_study::description::Measure;
use imminent_study::experiment::{Detail, Experiment, ExperimentError, Progress, RunsOn};
use imminent_study::laboratory::Fault;
use imminent_study::outcome::{Content, Outcome, Phases, Section};
use serde_json::{Map, Value as Json, json};
use std::ops::ControlFlow;

/// Flame lengths in metres that separate kinds of attack, 4, 8 and 11 ft, with what is below each (Andrews, Heinsch and
/// Schelvan 2011, RMRS-GTR-253).
const ATTACK: [(f64, &str); 4] = [
    (1.219, "up to 1.2 m: people with hand tools"),
    (2.438, "1.2 to 2.4 m: engines, dozers and aircraft"),
    (3.353, "2.4 to 3.4 m: control at the head is hard"),
    (f64::INFINITY, "above 3.4 m: control at the head is ineffective"),
];

/// Pictures: name of the raster, title, and label of the legend.
const PICTURES: [(&str, &str, &str); 2] =
    [("spread_rate", "Rate of spread at the head", "m/min"), ("flame_length", "Flame length at the head", "m")];

/// Potential behaviour of a landscape at an hour of its weather.
pub(super) struct PotentialRun {
    pub(super) scene: Scene,
    pub(super) config: WildfireConfig,
    pub(super) hour: f64,
    /// `true` to draw pictures.
    pub(super) draws: bool,
}

/// Numbers of a landscape's potential behaviour.
struct Summary {
    measures: Vec<(Measure, Option<f64>)>,
    /// Hectares of each kind of attack.
    attack: [f64; ATTACK.len()],
}

impl Experiment for PotentialRun {
    fn place(&self) -> RunsOn {
        RunsOn::Threads("potential")
    }

    fn parts(&self) -> (Option<u64>, &'static str) {
        (None, "landscapes")
    }

    fn run(
        &mut self,
        _: Option<&Device>,
        detail: Detail,
        _: &mut (dyn FnMut(Progress) -> ControlFlow<()> + Send),
    ) -> Result<Outcome, ExperimentError> {
        let began = Instant::now();
        let weather = self.scene.scenarios.first().map_or(&[][..], |scenario| &scenario.weather);
        let potential = Potential::new(&self.scene.landscape, weather, self.hour)
            .map_err(|error| ExperimentError::Invalid(error.into()))?;
        let simulation = began.elapsed();
        let summary = Summary::of(&self.scene, &potential);
        let digest = potential.digest().to_string();
        let mut phases =
            Phases { simulation, reading: began.elapsed().saturating_sub(simulation), ..Phases::default() };
        let mut outcome = self.outcome(&summary, digest);
        if detail.has_data() {
            let began = Instant::now();
            let mut files = Files::new(self.draws);
            let sections = exhibits(&self.scene, &potential, &mut files).map_err(ExperimentError::Failed)?;
            outcome.sections.extend(sections);
            outcome.files = files.list;
            phases.files = began.elapsed();
        }
        outcome.phases = Some(phases);
        Ok(outcome)
    }
}

impl PotentialRun {
    /// Returns the outcome without files.
    fn outcome(&self, summary: &Summary, digest: String) -> Outcome {
        let Scene { assumed, warnings, landscape, .. } = &self.scene;
        let mut facts = vec![
            ("weather".to_owned(), format!("that of hour {}", self.hour)),
            ("landscape".to_owned(), self.scene.described()),
        ];
        facts.extend(assumed.iter().map(|assumed| ("assumed".to_owned(), assumed.clone())));
        let mean =
            |(measure, value): &(Measure, Option<f64>)| (measure.name.clone(), json!({ "mean": value, "ci95": null }));
        let stats: Map<String, Json> = summary.measures.iter().map(mean).collect();
        let shown = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"));
        let row = |(measure, value): &(Measure, Option<f64>)| [measure.label().replace('_', " "), shown(*value)];
        let attack = ATTACK
            .iter()
            .zip(summary.attack)
            .map(|((_, kind), hectares)| [(*kind).to_owned(), format!("{hectares:.2}")]);
        let values = json!({
            "config": self.config,
            "events": landscape.burnable(),
            "stats": stats,
            "assumed": assumed,
        });
        Outcome {
            title: "Potential fire behaviour".to_owned(),
            answer: Some(Answer {
                question: "What would the head of a fire do in each cell, if fire came there?".to_owned(),
                results: vec![summary.sentence()],
                certainty: "The model is deterministic: the same inputs always give this result. It is as good as the weather, the fuels and the elevation, and as the rows “assumed”.".to_owned(),
            }),
            facts,
            sections: vec![
                Section::table("Measures", ["", "value"], summary.measures.iter().map(row).collect()),
                Section::table("Flame lengths", ["flame length at the head", "ha"], attack.collect()),
            ],
            digest,
            warnings: warnings.clone(),
            values: if let Json::Object(values) = values { values } else { Map::new() },
            ..Outcome::default()
        }
    }
}

impl Summary {
    fn of(scene: &Scene, potential: &Potential) -> Self {
        let hectares = scene.cell_hectares();
        let spreading = |values: &[f32]| -> Vec<f64> {
            let pairs = values.iter().zip(&potential.rate);
            pairs.filter(|(_, rate)| **rate > 0.0).map(|(value, _)| f64::from(*value)).collect()
        };
        let (rates, flames) = (spreading(&potential.rate), spreading(&potential.flame_length));
        let mean = |values: &[f64]| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
        let most = |values: &[f64]| values.iter().copied().reduce(f64::max);
        let crowns = |kind: u8| Some(potential.crown.iter().filter(|&&crown| crown == kind).count() as f64 * hectares);
        let mut attack = [0.0; ATTACK.len()];
        for flame in &flames {
            let kind = ATTACK.iter().position(|(most, _)| flame <= most).and_then(|kind| attack.get_mut(kind));
            kind.into_iter().for_each(|area| *area += hectares);
        }
        let measure = |name: &str, unit: &str, about: &str, value| (Measure::new(name, unit, about), value);
        let measures = vec![
            measure("burnable", "ha", "Area that can burn.", Some(scene.landscape.burnable() as f64 * hectares)),
            measure("spreading", "ha", "Area where fire spreads.", Some(rates.len() as f64 * hectares)),
            measure("mean_spread_rate", "m/min", "Mean rate of spread where fire spreads.", mean(&rates)),
            measure("greatest_spread_rate", "m/min", "Greatest rate of spread.", most(&rates)),
            measure("mean_flame_length", "m", "Mean flame length where fire spreads.", mean(&flames)),
            measure("greatest_flame_length", "m", "Greatest flame length.", most(&flames)),
            measure("passive_crown", "ha", "Area of passive crown fire.", crowns(1)),
            measure("active_crown", "ha", "Area of active crown fire.", crowns(2)),
        ];
        Summary { measures, attack }
    }

    fn sentence(&self) -> String {
        let value =
            |name: &str| self.measures.iter().find(|(measure, _)| measure.name == name).and_then(|(_, value)| *value);
        match (value("mean_spread_rate"), value("mean_flame_length"), value("spreading")) {
            (Some(rate), Some(flame), Some(area)) => format!(
                "Fire spreads on {area:.2} ha, on average at {rate:.2} m/min with flames of {flame:.2} m. The maps show where."
            ),
            _ => "Fire spreads nowhere: the fuel is too moist, or there is none.".to_owned(),
        }
    }
}

/// Adds rasters and pictures, and returns the sections of a report.
fn exhibits(scene: &Scene, potential: &Potential, files: &mut Files) -> Result<Vec<Section>, Fault> {
    let mut sections = Vec::new();
    for (name, _, values) in potential.quantities() {
        let raster = scene.raster(values.iter().map(|value| f64::from(*value)).collect())?;
        add(name, &raster, scene.format, files)?;
        if let Some((_, title, label)) = PICTURES.iter().find(|(of, ..)| *of == name) {
            picture(scene, &raster, (name, title, label), files)?;
            let caption = "Cells that do not burn show the ground.".to_owned();
            sections.push(Section::new(title, Content::Picture { file: format!("{name}.png"), caption }));
        }
    }
    let burns = |(&crown, rate): (&u8, &f32)| if rate.is_nan() { f64::NAN } else { f64::from(crown) };
    let crown = scene.raster(potential.crown.iter().zip(&potential.rate).map(burns).collect())?;
    add("crown", &crown, scene.format, files)?;
    Ok(sections)
}

fn picture(
    scene: &Scene,
    raster: &Raster,
    (name, title, label): (&str, &str, &str),
    files: &mut Files,
) -> Result<(), Fault> {
    scene.with_plate(title, raster, |plate| plate.quantity(name, raster, (label, Ramp::Heat, 0.0, None), files))?;
    Ok(())
}
