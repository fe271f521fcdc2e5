//! Main effects and interactions.

use super::super::report::MAX_LEVELS;
use super::names;
use imminent::models::study::effects::{Effect, Factor, Level};
use imminent::models::study::{Results, Study};
use imminent_report::page::escape;
use imminent_report::plot::{Curve, PlotError, Point, levels};
use std::fmt::Write;

/// Most lines of a plot, which is the number of colours.
const MAX_LINES: usize = 6;

/// Number of groups of a parameter with more values, drawn as lines of an interaction.
const GROUPS: usize = 3;

/// Most plots of a page.
const MAX_FIGURES: usize = 120;

/// Writes a section for each measure: the effect of each parameter on it, and the interaction of each pair.
pub(super) fn figures(page: &mut String, study: &Study, results: &Results) -> Result<(), PlotError> {
    let description = study.description();
    let factors = |most: usize| -> Vec<Factor> {
        let of = |place: usize| Factor::new(study, place, most);
        study.varying().into_iter().map(of).filter(|factor| factor.levels.len() > 1).collect()
    };
    let across = factors(MAX_LEVELS);
    let lines: Vec<_> = across
        .iter()
        .map(|factor| {
            if factor.levels.len() > MAX_LINES { Factor::new(study, factor.parameter, GROUPS) } else { factor.clone() }
        })
        .collect();
    let name =
        |factor: &Factor| description.parameters.get(factor.parameter).map_or_else(String::new, names::parameter);
    let (mut drawn, mut left_out) = (0, 0);
    for (place, measure) in description.measures.iter().enumerate() {
        if (0..results.runs()).all(|run| results.value(run, place).is_none()) {
            let _ = writeln!(page, "<p>No run has a value of {}.</p>", escape(&names::of_key(&measure.name)));
            continue;
        }
        let _ = writeln!(page, "<h2>{}</h2>", escape(&names::measure(measure)));
        let mut figure = |plot: String, caption: String| {
            let _ = writeln!(page, "<figure>{plot}<figcaption>{}</figcaption></figure>", escape(&caption));
        };
        for factor in &across {
            if drawn == MAX_FIGURES {
                left_out += 1;
                continue;
            }
            drawn += 1;
            let effects = factor.effects(study, results, place);
            let plot = draw(factor, &[(None, effects)], &name(factor), &names::measure(measure))?;
            let over = if across.len() > 1 { ", over all values of the others" } else { "" };
            figure(
                plot,
                format!("Main effect of {}{over}: means with {} intervals.", name(factor), study.confidence()),
            );
        }
        for (number, factor) in across.iter().enumerate() {
            for other in lines.iter().skip(number + 1) {
                if drawn == MAX_FIGURES {
                    left_out += 1;
                    continue;
                }
                drawn += 1;
                let table = other.interaction(factor, study, results, place);
                let label = |level: &Level| format!("{} {}", short(study, other), level.name);
                let rows: Vec<_> = other.levels.iter().map(label).map(Some).zip(table).collect();
                let plot = draw(factor, &rows, &name(factor), &names::measure(measure))?;
                figure(
                    plot,
                    format!("Interaction of {} and {}: lines that are not parallel.", name(factor), name(other)),
                );
            }
        }
    }
    if left_out > 0 {
        let _ =
            writeln!(page, "<p>{left_out} more plots were left out; the files beside this page have all values.</p>");
    }
    Ok(())
}

fn short(study: &Study, factor: &Factor) -> String {
    study
        .description()
        .parameters
        .get(factor.parameter)
        .map_or_else(String::new, |parameter| names::of_key(&parameter.name))
}

/// Draws lines over the levels of a factor.
fn draw(
    factor: &Factor,
    rows: &[(Option<String>, Vec<Effect>)],
    x_label: &str,
    y_label: &str,
) -> Result<String, PlotError> {
    let (places, logarithmic) = places(&factor.levels);
    let x_label = if logarithmic { format!("{x_label}, logarithmic") } else { x_label.to_owned() };
    let curves: Vec<_> = rows
        .iter()
        .enumerate()
        .map(|(colour, (name, effects))| Curve {
            points: places
                .iter()
                .zip(effects)
                .filter_map(|(x, effect)| Some(Point { x: *x, y: effect.mean?, half_width: effect.half_width() }))
                .collect(),
            ..Curve::new(name.clone(), colour)
        })
        .collect();
    let marks: Vec<_> = places.iter().copied().zip(factor.levels.iter().map(|level| level.name.clone())).collect();
    levels(&curves, &marks, &x_label, y_label)
}

/// Returns the positions of levels on a plot: their numbers, or the logarithms if those are more evenly spaced. Levels
/// that are no numbers get consecutive positions.
fn places(levels: &[Level]) -> (Vec<f64>, bool) {
    let numbers: Option<Vec<f64>> = levels.iter().map(|level| level.value).collect();
    let Some(numbers) = numbers else { return ((0..levels.len()).map(|place| place as f64).collect(), false) };
    let uneven = |numbers: &[f64]| {
        let gaps = numbers.windows(2).filter_map(|pair| Some(pair.last()? - pair.first()?));
        let (least, greatest) = gaps.fold((f64::INFINITY, 0.0_f64), |(a, b), gap| (a.min(gap), b.max(gap)));
        greatest / least
    };
    if numbers.len() > 2 && numbers.first().is_some_and(|first| *first > 0.0) {
        let logarithms: Vec<_> = numbers.iter().map(|number| number.ln()).collect();
        if uneven(&logarithms) < uneven(&numbers) {
            return (logarithms, true);
        }
    }
    (numbers, false)
}
