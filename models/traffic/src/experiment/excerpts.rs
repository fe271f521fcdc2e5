//! First rows of the tables, with units, for terminals.

use crate::packet::FlowReport;
use crate::packet::report::Delays;
use crate::simulation::Results;
use crate::simulation::results::{FlowRow, PacketTotal, QueueRow, Total};
use crate::text::{bits, bytes, count, percent, span};
use imminent_study::outcome::{Content, Section};

/// Largest number of rows in a table.
const MAX_ROWS: usize = 10;

/// Returns the most loaded links, the flows or their totals, and the packets or their totals.
pub(super) fn sections(results: &Results, flows: usize) -> Vec<Section> {
    let mut sections = vec![links(results)];
    sections.push(if flows > MAX_ROWS || results.flows.is_empty() {
        totals(&results.totals())
    } else {
        parts(&results.flows)
    });
    sections.extend(match results.packet_total() {
        Some(total) if results.packets.len() > MAX_ROWS => Some(packet_total(&total)),
        Some(_) => Some(packets(&results.packets)),
        None => None,
    });
    sections.extend(transfers(&results.packets));
    sections
}

fn links(results: &Results) -> Section {
    let columns = [
        "",
        "bandwidth",
        "offered",
        "carried",
        "used",
        "mean queue",
        "greatest",
        "room",
        "dropped",
        "lost on link",
        "marked",
        "failed",
    ];
    let row = |row: &QueueRow| {
        [
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
            count(row.marked),
            count(row.failed),
        ]
    };
    let busiest = results.busiest().into_iter().take(MAX_ROWS);
    let rows = busiest.filter_map(|place| results.queues.get(place)).map(row).collect();
    without_zeros(Section::excerpt("most loaded links", columns, rows))
}

/// Removes the columns of marks and failures of a table where there are none.
fn without_zeros(section: Section) -> Section {
    let Content::Excerpt { mut columns, mut rows } = section.content else { return section };
    for name in ["marked", "failed"] {
        let Some(place) = columns.iter().position(|column| column == name) else { continue };
        if rows.iter().all(|row| row.get(place).is_none_or(|cell| cell == "0")) {
            columns.remove(place);
            rows.iter_mut().filter(|row| place < row.len()).for_each(|row| drop(row.remove(place)));
        }
    }
    Section { content: Content::Excerpt { columns, rows }, ..section }
}

fn or_none(value: Option<f64>, text: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "–".to_owned(), text)
}

fn window(window: f64) -> String {
    format!("{window:.1}")
}

fn parts(rows: &[FlowRow]) -> Section {
    let row = |row: &FlowRow| {
        [
            row.label.clone(),
            row.from.clone(),
            row.to.clone(),
            format!("{} {} {}", row.sessions, row.kind, row.part.name()),
            bits(row.rate),
            or_none(row.window, window),
            or_none(row.round_trip, span),
        ]
    };
    let columns = ["", "from", "to", "sessions", "rate", "window", "round trip"];
    Section::excerpt("flow", columns, rows.iter().map(row).collect())
}

fn totals(rows: &[Total]) -> Section {
    let row = |row: &Total| {
        [
            count(row.flows),
            format!("{} {}", row.kind, row.part.name()),
            count(row.sessions),
            bits(row.rate),
            or_none(row.window, window),
            or_none(row.round_trip, span),
        ]
    };
    let columns = ["", "kind", "sessions", "rate together", "mean window", "mean round trip"];
    Section::excerpt("flows", columns, rows.iter().map(row).collect())
}

fn packets(rows: &[FlowReport]) -> Section {
    let row = |row: &FlowReport| {
        let delay = |of: fn(&Delays) -> f64| or_none(row.delay.as_ref().map(of), span);
        [
            row.label.clone(),
            count(row.sent),
            or_none(row.loss, percent),
            count(row.marked),
            count(row.failed),
            bits(row.goodput),
            delay(|delay| delay.mean),
            delay(|delay| delay.median),
            delay(|delay| delay.p95),
            delay(|delay| delay.p99),
            delay(|delay| delay.greatest),
        ]
    };
    let columns =
        ["", "sent", "lost", "marked", "failed", "goodput", "mean delay", "median", "95 %", "99 %", "greatest"];
    without_zeros(Section::excerpt("packets of flow", columns, rows.iter().map(row).collect()))
}

/// Returns the first flows with transfers; `None` if there are none.
fn transfers(rows: &[FlowReport]) -> Option<Section> {
    let row = |row: &FlowReport| {
        let done = row.completion?;
        Some([row.label.clone(), count(done.transfers), or_none(done.mean, span), or_none(done.longest, span)])
    };
    let rows: Vec<_> = rows.iter().filter_map(row).take(MAX_ROWS).collect();
    (!rows.is_empty()).then(|| Section::excerpt("transfers of flow", ["", "done", "mean time", "longest"], rows))
}

/// Returns the first flows with their intervals over so many replications; `None` for one.
pub(super) fn intervals(results: &Results, replications: usize) -> Option<Section> {
    let beside = |value: Option<f64>, half: Option<f64>, text: fn(f64) -> String| {
        let half = half.map_or_else(String::new, |half| format!(" ± {}", text(half)));
        value.map_or_else(|| "–".to_owned(), |value| text(value) + &half)
    };
    let row = |row: &FlowReport| {
        [
            row.label.clone(),
            beside(Some(row.goodput), row.goodput_ci95, bits),
            beside(row.delay.map(|delay| delay.mean), row.mean_delay_ci95, span),
            beside(row.loss, row.loss_ci95, percent),
        ]
    };
    let mut rows: Vec<_> = results.packets.iter().take(MAX_ROWS).map(row).collect();
    if let Some(total) = results.packet_total().filter(|total| total.flows > 1) {
        let together = beside(Some(total.goodput), total.goodput_ci95, bits);
        let lost = beside(total.loss, total.loss_ci95, percent);
        rows.push(["all".to_owned(), together, or_none(total.mean_delay, span), lost]);
    }
    (replications > 1 && !rows.is_empty())
        .then(|| Section::excerpt("means of flow, 95 %", ["", "goodput", "mean delay", "lost"], rows))
}

fn packet_total(total: &PacketTotal) -> Section {
    let row = [
        count(total.flows),
        count(total.sent),
        or_none(total.loss, percent),
        count(total.marked),
        count(total.failed),
        bits(total.goodput),
        or_none(total.mean_delay, span),
        or_none(total.greatest_p99, span),
    ];
    let columns = ["", "sent", "lost", "marked", "failed", "goodput together", "mean delay", "greatest 99 %"];
    without_zeros(Section::excerpt("flows with packets", columns, vec![row]))
}
