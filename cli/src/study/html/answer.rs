//! Answer for readers who know the question alone.

use super::super::report::Report;
use super::names;
use imminent::models::study::{Results, Study};
use imminent_report::digits::three;
use imminent_report::page::Answer;
use indicatif::HumanCount;

/// Largest number of measures that the answer tells.
const MAX_MEASURES: usize = 4;

/// Largest number of points with the least or the greatest mean whose values the answer tells.
const MAX_TIED: usize = 2;

/// Returns the question, the ranges of the measures, and how sure they are.
pub(super) fn answer(report: &Report<'_>, study: &Study, results: &Results) -> Answer {
    let description = study.description();
    let varying = study.varying();
    let varying: Vec<_> = varying.iter().filter_map(|place| description.parameters.get(*place)).collect();
    let varying: Vec<_> = varying.iter().map(|parameter| names::of_key(&parameter.name)).collect();
    let question = match varying.is_empty() {
        true => "What are the results?".to_owned(),
        false => format!("How do the results depend on {}?", varying.join(", ")),
    };
    let measures = description.measures.iter().enumerate();
    let mut told = measures
        .filter_map(|(place, measure)| Some(format!("{}: {}", names::measure(measure), range(study, results, place)?)));
    let mut lines: Vec<String> = told.by_ref().take(MAX_MEASURES).collect();
    if told.next().is_some() {
        lines.push("More measures are below.".to_owned());
    }
    Answer { question, results: lines, certainty: certainty(report, study) }
}

/// Returns the least and the greatest mean of a measure, with the values that give them.
fn range(study: &Study, results: &Results, measure: usize) -> Option<String> {
    let mean = |point: u64| Some((point, results.summary(study, point, measure).mean?));
    let means = || (0..study.points()).filter_map(mean);
    let least = means().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let greatest = means().max_by(|a, b| a.1.total_cmp(&b.1))?;
    if study.points() == 1 {
        return Some(three(least.1));
    }
    if least.1 == greatest.1 {
        return Some(format!("{} at every point", three(least.1)));
    }
    let parameters = &study.description().parameters;
    let values = |(point, _): (u64, f64)| {
        let value = |place: usize| {
            Some(format!("{} = {}", names::of_key(&parameters.get(place)?.name), study.value(point, place)?))
        };
        study.varying().into_iter().filter_map(value).collect::<Vec<_>>().join(", ")
    };
    let at = |(_, mean): (u64, f64)| {
        let mut tied = means().filter(|(_, own)| *own == mean);
        let mut told: Vec<_> = tied.by_ref().take(MAX_TIED).map(values).collect();
        match tied.count() {
            0 => {}
            1 => told.push("another point".to_owned()),
            more => told.push(format!("{more} more points")),
        }
        format!("{} ({})", three(mean), told.join("; "))
    };
    Some(format!("from {} to {}", at(least), at(greatest)))
}

fn certainty(report: &Report<'_>, study: &Study) -> String {
    let mut text = match report.repetitions {
        1 => "Not known: a single run at each point has no interval. `repetitions` in the study's file gives more."
            .to_owned(),
        repetitions => format!(
            "Means over {repetitions} runs at each of {} points. The intervals in plots and tables cover the true means with a probability of {}.",
            HumanCount(study.points()),
            study.confidence()
        ),
    };
    if report.common_random_numbers && report.repetitions > 1 {
        text += " All points have the same random numbers, so differences are surer than the intervals say.";
    }
    if !report.complete {
        text += " Some runs are missing.";
    }
    text
}
