//! Outcome of a run for people, programs and files.

use super::finished::FinishedRun;
use super::nodes::{NodeSheet, Nodes};
use super::replications::replications;
use super::series::Series;
use super::units::unit;
use super::{answer, costs, distribution, facts, figures, listing, node_times, periods, pools, tables};
use crate::config::Engine;
use crate::measures::Measure;
use crate::report::{Report, notes, of_classes};
use crate::study::Kind;
use crate::trace::{TimeReport, TimesReport};
use imminent_common::digits::{grouped, or_dash, three};
use imminent_common::estimate::{Confidence, Estimate};
use imminent_common::sheet::Sheet;
use imminent_study::experiment::Detail;
use imminent_study::outcome::{Content, Outcome, Phases, Section};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::Arc;

const SYSTEM: &str = "The whole network";
const COSTS: &str = "Costs";
const NODES: &str = "Nodes, the busiest first";
const NODE_TIMES: &str = "Times of visits at nodes";
const PASSAGES: &str = "From source to exit";
const TIMES: &str = "Times of visits";
const PERIODS: &str = "Results by period";
const DISTRIBUTION: &str = "Distribution of the number of tokens";
const AVERAGE: &str = "The average station";
const CONVERGENCE: &str = "Convergence";
const CLASSES: &str = "Classes";
const POOLS: &str = "Pools of servers";

/// Number of stations whose distributions are drawn.
const PLOTTED_STATIONS: usize = 12;

/// Returns the outcome of a run of a configuration, whose own `warnings` come first.
pub(super) fn outcome<C: Kind>(
    config: &C,
    engine: Engine,
    run: &Arc<FinishedRun>,
    mut warnings: Vec<String>,
    phases: Phases,
    detail: Detail,
) -> Outcome {
    let (experiment, findings) = (&run.experiment, &run.findings);
    let mut report = Report::new(config, engine, experiment, findings, &run.busiest);
    report.times = run.times().map(|times| TimesReport::of(times, findings.tick, findings.confidence));
    (report.end_to_end, report.node_times) = (run.end_to_end(), run.at_stations());
    (report.distribution, report.periods) = (run.distributions(), run.periods());
    report.pools = run.pools();
    report.classes = run.classes.as_ref().map(|classes| of_classes(&experiment.network, classes));
    if let Some(classes) = &run.classes {
        report.system.add_classes(&experiment.network, classes);
    }
    let of_network = [experiment.network.warnings(), experiment.network.warnings_until(experiment.horizon)];
    warnings.extend(of_network.iter().flatten().map(ToString::to_string));
    warnings.extend(findings.warnings.iter().map(ToString::to_string));
    let mut remarks = String::new();
    remarks += if run.partial.is_some() { " The run was interrupted." } else { "" };
    remarks += if warnings.is_empty() { "" } else { " There are warnings below." };
    let rate = report
        .events_per_s
        .map_or_else(|| "too fast to time".to_owned(), |rate| format!("{} events/s", grouped(rate.round() as u64)));
    let wall = phases.simulation.as_secs_f64();
    let mut outcome = Outcome {
        title: C::TITLE.to_owned(),
        answer: Some(answer::answer(&report, &Nodes::of(run), &remarks)),
        facts: facts::facts(&report, run),
        partial: run.partial.clone(),
        sections: sections(&report, run, detail),
        notes: notes(&experiment.network),
        warnings,
        speed: format!("{} events in {wall:.3} s: {rate}", grouped(report.events)),
        phases: Some(phases),
        digest: findings.digest().to_string(),
        replications: replications(run),
        ..Outcome::default()
    };
    // The configuration of a large network is larger than its results.
    if detail != Detail::Text
        && let Ok(Json::Object(values)) = serde_json::to_value(&report)
    {
        outcome.values = values;
    }
    if detail.has_data() {
        outcome.tables = all_tables(run);
    }
    outcome
}

/// Returns the results for people, in the order of reading.
fn sections<C>(report: &Report<C>, run: &FinishedRun, detail: Detail) -> Vec<Section> {
    let nodes = Nodes::of(run);
    let mut sections = vec![];
    let mut add = |heading: &str, content: Content| sections.push(Section::new(heading, content));
    let busiest = if detail.has_data() {
        nodes.busiest(listing::MAX_ROWS)
    } else {
        run.busiest.numbers().map(|node| node as usize).collect()
    };
    add(SYSTEM, Content::Listing(listing::of_system(&report.system)));
    for text in about_system(report, run) {
        add(SYSTEM, Content::Text(text));
    }
    if let Some(listing) = costs::listing(&run.findings) {
        add(COSTS, Content::Listing(listing));
    }
    add(NODES, Content::Listing(listing::of_nodes(&nodes, &busiest, nodes.len())));
    if let Some(of_pools) = &report.pools {
        add(POOLS, Content::Listing(pools::listing(of_pools)));
    }
    if let Some(classes) = Nodes::by_class(run) {
        let (all, busiest) = (classes.rows().len(), classes.busiest(listing::MAX_ROWS));
        add(CLASSES, Content::Listing(listing::of_nodes(&classes, &busiest, all)));
    }
    if detail.has_drawings() {
        for measure in [Measure::Utilization, Measure::QueueLength] {
            add(NODES, figures::map(&nodes, measure));
        }
    }
    if let Some(periods) = &report.periods {
        add(PERIODS, Content::Listing(periods::system(periods)));
        add(PERIODS, Content::Listing(periods::stations(periods)));
        periods::classes(periods).into_iter().for_each(|listing| add(PERIODS, Content::Listing(listing)));
        periods::quiet(periods).into_iter().for_each(|said| add(PERIODS, Content::Text(said)));
        let plots = if detail.has_drawings() { periods::plots(periods) } else { vec![] };
        plots.into_iter().for_each(|plot| add(PERIODS, plot));
    }
    if let Some(times) = &report.node_times {
        add(NODE_TIMES, Content::Listing(node_times::listing(times)));
    }
    if let Some(distributions) = &report.distribution {
        add(DISTRIBUTION, distribution::quantiles(distributions));
        let plotted = if detail.has_drawings() { 2 * (1 + PLOTTED_STATIONS) } else { 0 };
        distributions.iter().take(plotted).for_each(|of| add(DISTRIBUTION, distribution::plot(of)));
    }
    if let Some(passages) = &report.end_to_end {
        add(PASSAGES, Content::Listing(listing::of_passages(passages, run.findings.confidence)));
    }
    if let (Some(counted), Some(times)) = (run.times(), &report.times) {
        add(TIMES, quantiles(times));
        add(TIMES, Content::Text(figures::accuracy(times)));
        if detail.has_drawings() {
            add(TIMES, figures::density(run, "waiting", counted.waiting.all(), &times.waiting));
            add(TIMES, figures::density(run, "sojourn", counted.sojourn.all(), &times.sojourn));
        }
    }
    if run.experiment.network.has_equal_stations() {
        add(AVERAGE, statistics(&report.stats, run.findings.confidence, detail));
    }
    if detail.has_data() {
        for measure in [Measure::Utilization, run.experiment.plan.measure] {
            add(CONVERGENCE, figures::convergence(&run.findings, measure));
        }
    }
    sections
}

/// Returns a table of the quantiles of both times.
fn quantiles(times: &TimesReport) -> Content {
    let row = |(name, time): (&str, &TimeReport)| {
        let mut row = vec![name.to_owned(), or_dash(time.least)];
        row.extend(figures::quantiles(time).map(|(_, quantile)| quantile));
        row.push(or_dash(time.greatest));
        row
    };
    let columns = ["time of visits", "least", "50 %", "90 %", "95 %", "99 %", "greatest"];
    Content::Table {
        columns: columns.map(str::to_owned).to_vec(),
        rows: [("waiting", &times.waiting), ("sojourn", &times.sojourn)].map(row).to_vec(),
    }
}

/// Returns what a reader of the table of the whole network needs to know.
fn about_system<C>(report: &Report<C>, run: &FinishedRun) -> Vec<String> {
    let mut texts = vec![];
    if !run.experiment.network.is_open() {
        texts.push("the network is closed: no token comes or leaves".to_owned());
    }
    let chains: Vec<_> = report.system.chains.iter().map(|chain| chain.name.as_str()).collect();
    if !chains.is_empty() {
        texts.push(format!(
            "tokens change between these classes on their way, so their throughput and response are those of all together: {}",
            chains.join("; ")
        ));
    }
    if let Some(expected) = report.utilization_expected {
        texts.push(format!("utilization of the average server expected by the traffic equations: {expected:.5}"));
    }
    if report.system.all.values().all(|estimate| estimate.half_width().is_none()) {
        texts.push("a single sample has no intervals: give --replications or --batches".to_owned());
    }
    texts
}

/// Returns a table of statistics with their intervals: with five decimals, and with three digits in reports.
fn statistics(statistics: &BTreeMap<String, Estimate>, confidence: Confidence, detail: Detail) -> Content {
    let number = |number: f64| if detail.has_data() { three(number) } else { format!("{number:.5}") };
    let row = |(name, estimate): (&String, &Estimate)| {
        let half = estimate.half_width().map(|half| format!("± {}", number(half)));
        let share = estimate.relative().map_or_else(|| "–".to_owned(), |share| format!("{:.2} %", 100.0 * share));
        [
            name.replace('_', " "),
            unit(name).to_owned(),
            estimate.mean.map_or_else(|| "none".to_owned(), number),
            half.unwrap_or_else(|| "needs --replications or --batches".to_owned()),
            share,
        ]
    };
    let interval = format!("{confidence} interval");
    let columns = ["", "unit", "mean", &interval, "relative"];
    Section::table(AVERAGE, columns, statistics.iter().map(row).collect()).content
}

fn all_tables(run: &Arc<FinishedRun>) -> Vec<Box<dyn Sheet>> {
    let mut all: Vec<Box<dyn Sheet>> = vec![Box::new(NodeSheet::of(run))];
    all.extend(NodeSheet::by_class(run).map(|sheet| Box::new(sheet) as Box<dyn Sheet>));
    all.extend(costs::table(run));
    all.extend(pools::table(run));
    all.extend(node_times::table(run));
    all.extend(tables::passages(run));
    all.extend(distribution::table(run));
    all.extend(periods::table(run));
    all.extend(periods::table_of_classes(run));
    all.push(Box::new(Series::of(run)));
    all.extend(tables::histogram(run));
    all
}
