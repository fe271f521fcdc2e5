//! Figures of the validation network as a page with plots.

use super::super::lines::figure;
use super::case::{Case, FLOWS, Sample};
use super::figure::Figure;
use imminent_report::page::{self, escape};
use imminent_report::plot::{Axes, Curve, PlotError, Point};
use std::fmt::Write;

/// Returns the whole page.
pub(super) fn page(
    parts: &[Figure],
    samples: &[Sample],
    device: &str,
    (tables, missing): (&str, Option<&str>),
) -> Result<String, PlotError> {
    let mut page = page::begin("Fluids and packets in the validation network");
    let _ = writeln!(
        page,
        "<p>Figures 6 and 7 of the paper on hybrid traffic, with fluids on {}. The wiring of the network is a reconstruction.</p>",
        escape(device)
    );
    if let Some(missing) = missing {
        page.push_str(&page::warning(&format!("partial: {missing}")));
    }
    for part in parts {
        let _ = writeln!(page, "<h2>{}</h2>", escape(part.title()));
        page.push_str(&match part {
            Figure::Mixtures => queues(samples)?,
            Figure::Batches => windows(samples)?,
        });
    }
    let _ = writeln!(page, "<pre>{}</pre>\n</body></html>", escape(tables));
    Ok(page)
}

/// Returns a plot of the queue with a line for each number of packet sessions.
fn queues(samples: &[Sample]) -> Result<String, PlotError> {
    let line = |(colour, case): (usize, Case)| {
        let name = format!("{} packet sessions", case.packets);
        over_time(samples, case, name, colour, |sample| sample.queue / 1000.0)
    };
    let lines: Vec<_> = Figure::Mixtures.cases().into_iter().enumerate().map(line).collect();
    figure(&lines, Axes::Even, ["s", "queue from 4 to 7, kB"], "Flow 3 comes at 30 s and goes at 60 s.")
}

/// Returns a plot of windows for each size of batches, with a line for each flow.
fn windows(samples: &[Sample]) -> Result<String, PlotError> {
    let mut text = String::new();
    for case in Figure::Batches.cases() {
        let line = |flow: usize| {
            let window = |sample: &Sample| sample.windows.get(flow).copied().unwrap_or(0.0);
            over_time(samples, case, format!("flow {flow}"), flow, window)
        };
        let lines: Vec<_> = (0..FLOWS).map(line).collect();
        text += &figure(&lines, Axes::Even, ["s", "window, packets"], &format!("{}.", case.name()))?;
    }
    Ok(text)
}

fn over_time(samples: &[Sample], case: Case, name: String, colour: usize, y: impl Fn(&Sample) -> f64) -> Curve {
    let own = samples.iter().filter(|sample| sample.case == case);
    let points = own.map(|sample| Point { x: sample.time, y: y(sample), half_width: None }).collect();
    Curve { points, ..Curve::new(Some(name), colour) }
}
