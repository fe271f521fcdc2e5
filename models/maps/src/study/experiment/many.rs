//! An ensemble of fires on a landscape.

use super::scene::Scene;
use super::tables;
use crate::picture::Ramp;
use crate::plate::{Files, add};
use imminent_cell::landscape::{Burnt, Ensemble, FLAME_CLASSES};
use imminent_cell::study::{Account, Findings};
use imminent_cell::time::MILLISECONDS_PER_HOUR;
use imminent_common::answer::Answer;
use imminent_common::estimate::Confidence;
use imminent_common::figure::Point;
use imminent_common::sheet::Sheet;
use imminent_study::description::Measure;
use imminent_study::laboratory::Fault;
use imminent_study::outcome::{Content, Rows, Section};

/// Quantiles of arrival, with the names of their rasters.
const QUANTILES: [(f64, &str); 3] = [(0.1, "arrival_10"), (0.5, "arrival_50"), (0.9, "arrival_90")];

/// Names of the rasters of flame lengths, by their class.
const FLAMES: [&str; FLAME_CLASSES] =
    ["flames_0_2ft", "flames_2_4ft", "flames_4_6ft", "flames_6_8ft", "flames_8_12ft", "flames_above_12ft"];

/// Most points of the curve of sizes.
const POINTS: usize = 400;

/// Measures of an ensemble, after those of studies.
pub(super) fn measures() -> [Measure; 2] {
    [
        Measure::new("cells_burnt", "", "Cells that all fires burn together."),
        Measure::new("fires", "", "Fires that are over."),
    ]
}

pub(super) fn findings(scene: &Scene, burnt: &Burnt, large: f64) -> Findings {
    let cells: u64 = burnt.sizes.iter().copied().map(u64::from).sum();
    let (hectares, count) = (scene.cell_hectares(), f64::from(burnt.fires.max(1)));
    let largest = burnt.sizes.iter().copied().max().map_or(0.0, f64::from) * hectares;
    let above = burnt.sizes.iter().filter(|&&cells| f64::from(cells) * hectares > large).count();
    let mean = cells as f64 * hectares / count;
    let values = [mean, largest, above as f64 / count, cells as f64, f64::from(burnt.fires)];
    Findings {
        events: cells,
        values: values.map(Some).to_vec(),
        digest: burnt.digest(),
        simulated: burnt.horizon.into(),
    }
}

pub(super) fn account(scene: &Scene, burnt: &Burnt, confidence: Confidence) -> Account {
    let areas: Vec<f64> = burnt.sizes.iter().map(|size| f64::from(*size) * scene.cell_hectares()).collect();
    let estimate = confidence.of(&areas);
    let half = estimate.half_width().map_or_else(String::new, |half| format!(" ± {half:.2}"));
    let largest = areas.iter().copied().fold(0.0, f64::max);
    Account {
        title: "Fires on a landscape",
        answer: Answer {
            question: format!(
                "Where do fires burn, and how large do they become within {} h?",
                f64::from(burnt.horizon) / MILLISECONDS_PER_HOUR
            ),
            results: vec![format!(
                "{:.2}{half} ha on average, and at most {largest:.2} ha. The map shows where.",
                estimate.mean.unwrap_or(0.0)
            )],
            certainty: format!(
                "With a probability of {confidence} the interval (±) covers the mean of all fires that could be drawn; it comes from {} fires. Errors of the inputs come on top: see the rows “assumed”.",
                areas.len()
            ),
        },
        facts: vec![("landscape", scene.described())],
        assumed: scene.assumed.clone(),
        warnings: scene.warnings.clone(),
        ..Account::default()
    }
}

/// Adds files and sections of an outcome, and returns its tables.
pub(super) fn exhibits(
    scene: &Scene,
    ensemble: &Ensemble,
    burnt: &Burnt,
    files: &mut Files,
    sections: &mut Vec<Section>,
) -> Result<Vec<Box<dyn Sheet>>, Fault> {
    let cells = scene.landscape.cells();
    let chance = |cell: usize| scene.landscape.site(cell).map_or(f64::NAN, |_| burnt.probability(cell));
    let probability = scene.raster((0..cells).map(chance).collect())?;
    add("burn_probability", &probability, scene.format, files)?;
    for (share, name) in QUANTILES {
        let time = |cell: usize| burnt.arrival(cell, share).unwrap_or(f64::NAN);
        add(name, &scene.raster((0..cells).map(time).collect())?, scene.format, files)?;
    }
    if !burnt.flames.is_empty() {
        for (class, name) in FLAMES.iter().enumerate() {
            let share = |cell: usize| burnt.flame_probability(cell, class).unwrap_or(f64::NAN);
            add(name, &scene.raster((0..cells).map(share).collect())?, scene.format, files)?;
        }
    }
    let quantity = ("share of\nthe fires\nthat burn it", Ramp::Chance, 0.0, None);
    scene.with_plate("Burn probability", &probability, |plate| {
        plate.quantity("burn_probability", &probability, quantity, files)
    })?;
    let caption = "Share of the fires that burn a cell.".to_owned();
    let picture = Content::Picture { file: "burn_probability.png".to_owned(), caption };
    sections.push(Section::new("Burn probability", picture));
    let labels = ["hectares", "share of fires at least as large"].map(str::to_owned);
    let points = shares(&burnt.sizes, scene.cell_hectares());
    let points = points.into_iter().map(|(x, y)| Point { x, y, half_width: None }).collect();
    let caption = "Share of the fires that are at least as large.".to_owned();
    sections.push(Section::new("Sizes of the fires", Content::Curve { points, labels, caption }));
    sections.push(Section::new("Weathers", Content::Sheet("weathers")));
    let sizes = tables::sizes(scene, ensemble, burnt);
    let weathers = tables::weathers(scene, &sizes);
    let mut sheets: Vec<Box<dyn Sheet>> = vec![
        Box::new(Rows { name: "sizes", columns: tables::SIZES, rows: sizes }),
        Box::new(Rows { name: "weathers", columns: tables::WEATHERS, rows: weathers }),
    ];
    if !scene.points.is_empty() {
        let rows = tables::arrivals(scene, &burnt.numbers, &burnt.reached);
        sheets.push(Box::new(Rows { name: "arrivals", columns: tables::ARRIVALS, rows }));
    }
    Ok(sheets)
}

/// Returns sizes, each with the share of the fires that are at least as large.
fn shares(sizes: &[u32], hectares: f64) -> Vec<(f64, f64)> {
    let mut sorted = sizes.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let count = sorted.len().max(1) as f64;
    let stride = sorted.len().div_ceil(POINTS).max(1);
    let point = |(rank, size): (usize, &u32)| (f64::from(*size) * hectares, (rank + 1) as f64 / count);
    sorted.iter().enumerate().step_by(stride).map(point).collect()
}
