//! Output of a run for people.

use super::engine::Finished;
use super::warm_up::warm_up;
use crate::memory::MemoryFigures;
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::models::estimate::Estimate;
use imminent::models::queueing::Report;
use imminent::models::queueing::experiment::Experiment;
use imminent::models::queueing::report::SetUp;
use indicatif::{HumanCount, HumanFloatCount};
use serde::Serialize;
use std::fmt::Write;

/// Report with the run's device memory.
#[derive(Serialize)]
pub(super) struct Json<'f, C> {
    #[serde(flatten)]
    report: &'f Report<C>,
    memory: &'f Option<MemoryFigures>,
}

/// Returns the report for programs.
pub(super) fn json<C>(finished: &Finished<C>) -> Json<'_, C> {
    Json { report: &finished.report, memory: &finished.memory }
}

/// Returns the report as tables for people.
pub(super) fn text<C>(finished: &Finished<C>, experiment: &Experiment) -> String {
    let report = &finished.report;
    let mut text = String::new();
    let why = finished.why.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
    let _ = writeln!(text, "{} by engine {} on {}{why}", report.model, report.engine, report.device);
    let _ = writeln!(
        text,
        "{} nodes, {} tokens, {} time units, {} replication{}",
        HumanCount(experiment.network.len() as u64),
        HumanCount(experiment.network.total_tokens()),
        report.simulated_time,
        report.analysis.replications,
        if report.analysis.replications == 1 { "" } else { "s" },
    );
    if let Some(partial) = &report.partial {
        let _ = writeln!(text, "partial: {partial}");
    }
    if report.analysis.warm_up > 0.0 {
        let _ = writeln!(text, "{}", warm_up(&experiment.plan, &finished.findings));
    }
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(["average station", "mean", "95 % interval"]);
    for (name, estimate) in &report.stats {
        table.add_row([name.replace('_', " "), mean(estimate), half_width(estimate)]);
    }
    let _ = writeln!(text, "{table}");
    let _ = writeln!(text, "waiting and sojourn are means over the {}", report.analysis.count.described());
    let _ = writeln!(text, "{}", super::nodes::text(report));
    if let Some(passages) = &report.end_to_end {
        let _ = writeln!(text, "{}", super::nodes::passages(passages));
    }
    for (class, stats) in report.classes.iter().flatten() {
        let mut table = Table::new();
        let heading = format!("class {class}");
        table.load_style(UTF8_FULL_CONDENSED).set_header([heading.as_str(), "mean", "95 % interval"]);
        for (name, estimate) in stats {
            table.add_row([name.replace('_', " "), mean(estimate), half_width(estimate)]);
        }
        let _ = writeln!(text, "{table}");
    }
    if let Some(times) = &report.times {
        let _ = writeln!(text, "{}", super::quantiles::text(times));
    }
    if let Some(expected) = report.utilization_expected {
        let _ = writeln!(text, "utilization of a server expected by the traffic equations: {expected:.5}");
    }
    for note in &report.notes {
        let _ = writeln!(text, "note: {note}");
    }
    for warning in &report.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    let rate = report
        .events_per_s
        .map_or_else(|| "too fast to time".to_owned(), |rate| format!("{} events/s", HumanFloatCount(rate.round())));
    let _ = writeln!(
        text,
        "{} events in {:.3} s: {rate}\n{}\ndigest {}",
        HumanCount(report.events),
        report.wall_s,
        times(report),
        report.digest
    );
    text
}

/// Describes how the process spent its time, in detail if most of it was set-up.
pub(super) fn times<C>(report: &Report<C>) -> String {
    let Report { set_up_s, wall_s, read_s, total_s, set_up, .. } = report;
    let all = format!(
        "set-up {set_up_s:.3} s, simulation {wall_s:.3} s, reading {read_s:.3} s: {total_s:.3} s from the start of the process"
    );
    if set_up_s <= wall_s {
        return all;
    }
    let SetUp { device_s, network_s, engine_s } = set_up;
    format!(
        "{all}\nset-up took longer than the simulation: {device_s:.3} s to open the device beside {network_s:.3} s to build the network, then {engine_s:.3} s for tables and kernels"
    )
}

fn mean(estimate: &Estimate) -> String {
    estimate.mean.map_or_else(|| "none".to_owned(), |mean| format!("{mean:.5}"))
}

fn half_width(estimate: &Estimate) -> String {
    estimate.ci95.map_or_else(|| "needs --replications or --batches".to_owned(), |half| format!("± {half:.5}"))
}
