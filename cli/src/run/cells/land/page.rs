//! The report for people: one page with map, curve and assumptions.

use super::super::out::Files;
use super::super::report::Report;
use super::sheets::{Of, WEATHERS};
use super::{Config, Scene};
use imminent::models::estimate::Estimate;
use imminent::models::sheet::Records;
use imminent_report::digits::{three, with_interval};
use imminent_report::page::{self, Answer, sortable};
use imminent_report::plot::{Curve, PlotError, Point, curves};
use indicatif::HumanCount;

/// Returns the page of one fire.
pub(super) fn of_one(
    report: &Report<Config<'_>>,
    scene: &Scene,
    files: &Files,
    growth: &[(f64, f64)],
) -> Result<String, PlotError> {
    let answer = Answer {
        question: format!("Which land does the fire burn within {} h, and when?", report.hours()),
        results: vec![format!(
            "{} ha: {} of the {} cells that can burn. The map shows when.",
            three(report.stat("burnt_hectares")),
            HumanCount(report.stat("cells_burnt") as u64),
            HumanCount(scene.landscape.burnable() as u64)
        )],
        certainty: "The model is deterministic: the same inputs always give this fire. It is as good as the weather, the fuels and the elevation, and as the rows “assumed”.".to_owned(),
    };
    let mut page = begin("Fire on a landscape", report, scene, &answer);
    page.push_str(&figure(
        "arrival.png",
        "Hours until the fire came, with lines of equal time; stars are where it began.",
        files,
    ));
    page.push_str(&figure(
        "arrival.apng",
        "Arrival of the fire as a film; cells that it has just reached are bright.",
        files,
    ));
    page.push_str("<h2>Burnt area over time</h2>\n");
    let points = growth.iter().map(|&(x, y)| Point { x, y, half_width: None }).collect();
    page.push_str(&curves(&[Curve { points, ..Curve::new(None, 1) }], "hours", "hectares")?);
    page.push_str("</body></html>\n");
    Ok(page)
}

/// Returns the page of an ensemble.
pub(super) fn of_many(
    report: &Report<Config<'_>>,
    scene: &Scene,
    files: &Files,
    sizes: &[u32],
    weathers: &[Of],
) -> Result<String, PlotError> {
    let hectares: Vec<f64> = sizes.iter().map(|size| f64::from(*size) * scene.cell_hectares()).collect();
    let answer = Answer {
        question: format!("Where do fires burn, and how large do they become within {} h?", report.hours()),
        results: vec![format!(
            "{} ha on average, and at most {} ha. The map shows where.",
            with_interval(&Estimate::of(&hectares)),
            three(report.stat("largest_hectares"))
        )],
        certainty: format!(
            "With a probability of 95 % the interval (±) covers the mean of all fires that could be drawn; it comes from {} fires. Errors of the inputs come on top: see the rows “assumed”.",
            HumanCount(sizes.len() as u64)
        ),
    };
    let mut page = begin("Fires on a landscape", report, scene, &answer);
    page.push_str(&figure("burn_probability.png", "Share of the fires that burn a cell.", files));
    page.push_str("<h2>Sizes of the fires</h2>\n");
    let mut sorted = sizes.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let count = sorted.len().max(1) as f64;
    let stride = sorted.len().div_ceil(400).max(1);
    let point = |(rank, size): (usize, &u32)| {
        let x = f64::from(*size) * scene.cell_hectares();
        Point { x, y: (rank + 1) as f64 / count, half_width: None }
    };
    let points = sorted.iter().enumerate().step_by(stride).map(point).collect();
    page.push_str(&curves(&[Curve { points, ..Curve::new(None, 1) }], "hectares", "share of fires at least as large")?);
    page.push_str("<h2>Weathers</h2>\n");
    let rows = weathers.get(..weathers.len().min(sortable::MAX_ROWS)).unwrap_or_default();
    page.push_str(&sortable::table(&Records { name: "weathers", columns: WEATHERS, rows }, rows.len()));
    page.push_str(&sortable::end());
    Ok(page)
}

fn begin(title: &str, report: &Report<Config<'_>>, scene: &Scene, answer: &Answer) -> String {
    let mut page = page::begin(title);
    page::answer(&mut page, answer);
    let landscape = &scene.landscape;
    let mut facts = report.facts();
    facts.push((
        "landscape",
        format!(
            "{} rows x {} columns of {} m, {} cells that can burn, in {}",
            landscape.rows(),
            landscape.columns(),
            landscape.cell_size(),
            landscape.burnable(),
            scene.elevation.place.system.name()
        ),
    ));
    facts.extend(scene.assumed.iter().map(|assumed| ("assumed", assumed.clone())));
    page.push_str(&report.cautions());
    page::summary(&mut page, &facts);
    page
}

/// Returns the HTML of a picture within the page; nothing if there is no such picture.
fn figure(name: &str, caption: &str, files: &Files) -> String {
    files.get(name).map_or_else(String::new, |bytes| page::picture(bytes, caption))
}
