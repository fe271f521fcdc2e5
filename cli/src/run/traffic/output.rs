//! Output of a run for people.

use super::report::Report;
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::models::traffic::packet::FlowReport;
use imminent::models::traffic::simulation::results::{FlowRow, PacketTotal, QueueRow, Total};
use imminent::models::traffic::text::{bits, bytes, percent, span};
use imminent::models::traffic::units::seconds;
use indicatif::{HumanCount, HumanFloatCount};
use std::fmt::Write;

/// Largest number of rows in a table.
const MOST_ROWS: usize = 10;

/// Returns the report as tables for people.
pub(super) fn text(report: &Report) -> String {
    let mut text = String::new();
    let why = report.why.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
    let _ = writeln!(text, "traffic by engine {} on {}{why}", report.engine, report.device);
    for line in facts(report) {
        let _ = writeln!(text, "{line}");
    }
    for assumed in &report.assumed {
        let _ = writeln!(text, "assumed: {assumed}");
    }
    let _ = writeln!(text, "{}", queues(&report.queues));
    if report.size.flows > MOST_ROWS || report.flows.is_empty() {
        let _ = writeln!(text, "{}", totals(&report.totals));
    } else {
        let _ = writeln!(text, "{}", flows(&report.flows));
    }
    match &report.packet_total {
        Some(total) if report.packets.len() > MOST_ROWS => {
            let _ = writeln!(text, "{}", packet_total(total));
        }
        Some(_) => {
            let _ = writeln!(text, "{}", packets(&report.packets));
        }
        None => {}
    }
    if let Some(partial) = &report.partial {
        let _ = writeln!(text, "partial: {partial}");
    }
    if let Some(error) = report.delay_error {
        let _ = writeln!(text, "quantiles of delays are within {:.1} % of the delays of packets", 100.0 * error);
    }
    for warning in &report.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    let _ = writeln!(text, "{}", pace(report));
    text
}

/// Describes the size of the network and the simulation.
pub(super) fn facts(report: &Report) -> Vec<String> {
    let size = &report.size;
    let count = |count: usize| HumanCount(count as u64).to_string();
    let mut facts = vec![format!(
        "{} nodes, {} links, {} flows over {} hops",
        count(size.nodes),
        count(size.links),
        count(size.flows),
        count(size.hops)
    )];
    let mut how = span(report.simulated_time);
    if let Some(step) = report.step {
        let _ = write!(how, " in steps of {}, {} of them at a time", span(seconds(step.step)), step.lookahead);
    }
    let _ = write!(how, "; looked at every {}", span(report.sample));
    facts.push(how);
    if report.warm_up > 0.0 {
        facts.push(format!("warm-up of {} not counted", span(report.warm_up)));
    }
    facts
}

/// Describes the speed of the simulation.
pub(super) fn pace(report: &Report) -> String {
    let events = report.events.map_or_else(String::new, |events| format!("{} events of packets, ", HumanCount(events)));
    let spent = report.spent.map_or_else(String::new, |spent| {
        let times = [spent.packets_s, spent.fluids_s, spent.waiting_s].map(span);
        format!("; {} of packets, {} of handing work to fluids, {} of waiting for them", times[0], times[1], times[2])
    });
    format!(
        "{events}{} in {:.3} s: {} simulated seconds a second (set-up {:.3} s){spent}\n{:.3} s from the start of the process",
        span(report.simulated_time),
        report.wall_s,
        HumanFloatCount((report.speed * 100.0).round() / 100.0),
        report.set_up_s,
        report.total_s
    )
}

fn table<const N: usize>(names: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(names);
    table
}

fn queues(rows: &[QueueRow]) -> Table {
    let mut table = table([
        "most loaded links",
        "bandwidth",
        "offered",
        "carried",
        "used",
        "mean queue",
        "greatest",
        "room",
        "dropped",
        "lost on link",
    ]);
    for row in rows.iter().take(MOST_ROWS) {
        table.add_row([
            row.label.clone(),
            bits(row.bandwidth as f64),
            bits(row.offered),
            bits(row.carried),
            percent(row.utilization),
            bytes(row.mean_length),
            bytes(row.greatest_length),
            bytes(row.capacity as f64),
            percent(row.loss),
            if row.link_loss > 0.0 { bits(row.lost) } else { "–".to_owned() },
        ]);
    }
    table
}

fn or_none(value: Option<f64>, text: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "–".to_owned(), text)
}

fn flows(rows: &[FlowRow]) -> Table {
    let mut table = table(["flow", "from", "to", "sessions", "rate", "window", "round trip"]);
    for row in rows {
        table.add_row([
            row.label.clone(),
            row.from.clone(),
            row.to.clone(),
            format!("{} {} {}", row.sessions, row.kind, row.part.name()),
            bits(row.rate),
            or_none(row.window, |window| format!("{window:.1}")),
            or_none(row.round_trip, span),
        ]);
    }
    table
}

fn totals(rows: &[Total]) -> Table {
    let mut table = table(["flows", "kind", "sessions", "rate together", "mean window", "mean round trip"]);
    for row in rows {
        table.add_row([
            HumanCount(row.flows).to_string(),
            format!("{} {}", row.kind, row.part.name()),
            HumanCount(row.sessions).to_string(),
            bits(row.rate),
            or_none(row.window, |window| format!("{window:.1}")),
            or_none(row.round_trip, span),
        ]);
    }
    table
}

fn packets(rows: &[FlowReport]) -> Table {
    let mut table =
        table(["packets of flow", "sent", "lost", "goodput", "mean delay", "median", "95 %", "99 %", "greatest"]);
    for row in rows {
        let delay = |of: fn(&imminent::models::traffic::packet::report::Delays) -> f64| {
            or_none(row.delay.as_ref().map(of), span)
        };
        table.add_row([
            row.label.clone(),
            HumanCount(row.sent).to_string(),
            or_none(row.loss, percent),
            bits(row.goodput),
            delay(|delay| delay.mean),
            delay(|delay| delay.median),
            delay(|delay| delay.p95),
            delay(|delay| delay.p99),
            delay(|delay| delay.greatest),
        ]);
    }
    table
}

fn packet_total(total: &PacketTotal) -> Table {
    let mut table = table(["flows with packets", "sent", "lost", "goodput together", "mean delay", "greatest 99 %"]);
    table.add_row([
        HumanCount(total.flows).to_string(),
        HumanCount(total.sent).to_string(),
        or_none(total.loss, percent),
        bits(total.goodput),
        or_none(total.mean_delay, span),
        or_none(total.greatest_p99, span),
    ]);
    table
}
