//! HTML report for people, on one page.

mod answer;
mod convergence;
mod histogram;
mod map;
mod table;

use self::answer::replications;
use super::super::engine::Finished;
use super::super::output::times;
use super::columns::Nodes;
use imminent::models::queueing::experiment::Experiment;
use imminent::models::queueing::measures::Measure;
use imminent_report::page::{self, escape, sortable};
use imminent_report::plot::PlotError;
use std::fmt::Write;

/// Writes the whole page.
pub(super) fn page<C>(finished: &Finished<C>, experiment: &Experiment) -> Result<String, PlotError> {
    let (report, findings) = (&finished.report, &finished.findings);
    let nodes = Nodes::of(&experiment.network, findings);
    let mut page = page::begin(match report.model.as_str() {
        "torus" => "Queueing network on a torus",
        _ => "Queueing network",
    });
    page::answer(&mut page, &answer::answer(report, &nodes));
    summary(&mut page, finished, experiment);
    if let Some(partial) = &report.partial {
        page.push_str(&page::warning(&format!("partial: {partial}")));
    }
    for warning in &report.warnings {
        page.push_str(&page::warning(warning));
    }
    page.push_str("<h2>Nodes, the busiest first</h2>\n");
    page.push_str(&table::nodes(&nodes));
    page.push_str("<div class=\"maps\">");
    for measure in [Measure::Utilization, Measure::QueueLength] {
        page.push_str(&map::figure(&nodes, measure));
    }
    page.push_str("</div>\n");
    if let Some(passages) = &report.end_to_end {
        page.push_str("<h2>From source to way out</h2>\n");
        page.push_str(&table::end_to_end(passages));
    }
    if let (Some(counted), Some(times)) = (&finished.times, &report.times) {
        page.push_str("<h2>Times of visits</h2>\n");
        page.push_str(&histogram::figure("waiting", counted.waiting.all(), findings.tick, &times.waiting, times)?);
        page.push_str(&histogram::figure("sojourn", counted.sojourn.all(), findings.tick, &times.sojourn, times)?);
    }
    page.push_str("<h2>The average station</h2>\n");
    page.push_str(&table::statistics(&report.stats));
    page.push_str("<h2>Convergence</h2>\n");
    for measure in [Measure::Utilization, experiment.plan.measure] {
        page.push_str(&convergence::figure(findings, measure)?);
    }
    if let (Some(found), Some(classes)) = (&finished.classes, &report.classes) {
        page.push_str("<h2>Classes</h2>\n");
        page.push_str(&table::nodes(&Nodes::by_class(&experiment.network, findings, found)));
        for (class, statistics) in classes {
            let _ = writeln!(page, "<h3>{} at the average station</h3>", escape(class));
            page.push_str(&table::statistics(statistics));
        }
    }
    page.push_str(&sortable::end());
    Ok(page)
}

fn summary<C>(page: &mut String, finished: &Finished<C>, experiment: &Experiment) {
    let (report, network) = (&finished.report, &experiment.network);
    let analysis = &report.analysis;
    let rate = report.events_per_s.map_or_else(|| "too fast to time".to_owned(), |rate| format!("{rate:.0} events/s"));
    let rows = [
        ("engine", format!("{} on {} ({})", report.engine, report.device, report.backend)),
        ("network", format!("{} nodes, {} tokens at time 0", network.len(), network.total_tokens())),
        (
            "simulated",
            format!("{} time units in each of {}", report.simulated_time, replications(analysis.replications)),
        ),
        (
            "counted",
            format!(
                "{} time units in {} sample{}, after warm-ups of {} on average",
                analysis.observed,
                analysis.samples,
                if analysis.samples == 1 { "" } else { "s" },
                analysis.warm_up
            ),
        ),
        ("waiting and sojourn", format!("means over the {}", analysis.count.described())),
        ("events", format!("{} in {:.3} s: {rate}", report.events, report.wall_s)),
        ("time", times(report).replace('\n', "; ")),
        ("seed", report.seed.to_string()),
        ("digest", report.digest.to_string()),
    ];
    page::summary(page, &rows);
}

#[cfg(test)]
mod tests;
