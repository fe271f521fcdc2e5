//! HTML report for people, on one page.

mod figures;
mod map;
mod tables;

use super::output::{facts, pace};
use super::report::Report;
use imminent::models::output::sketch::RELATIVE_ERROR;
use imminent::models::sheet::{Of, Records};
use imminent::models::traffic::Traffic;
use imminent::models::traffic::network::Flow;
use imminent::models::traffic::simulation::results::Total;
use imminent::models::traffic::simulation::{Part, Record, Results};
use imminent::models::traffic::text::{bits, percent, span};
use imminent_report::page::{self, Answer, sortable};
use imminent_report::plot::PlotError;
use indicatif::HumanCount;
use tables::{FLOWS, LINKS, PACKETS, Packets};

/// Writes the whole page.
pub(super) fn page(report: &Report, traffic: &Traffic, rows: &Results, record: &Record) -> Result<String, PlotError> {
    let mut page = page::begin("Network traffic");
    page::answer(&mut page, &answer(report, rows));
    summary(&mut page, report);
    if let Some(partial) = &report.partial {
        page.push_str(&page::warning(&format!("partial: {partial}")));
    }
    for warning in &report.warnings {
        page.push_str(&page::warning(warning));
    }
    page.push_str("<h2>Load of links</h2>\n");
    page.push_str(&map::figure(traffic, &rows.queues));
    page.push_str("<p>The most loaded links first. A queue is told as the time that its link takes to send it.</p>\n");
    let links = rows.busiest().into_iter().filter_map(|place| rows.queues.get(place).cloned());
    page.push_str(&table(&LINKS, links, rows.queues.len()));
    page.push_str("<h2>Throughput over time</h2>\n");
    page.push_str(&figures::throughput(record)?);
    page.push_str(&figures::rates(traffic, record)?);
    if !rows.packets.is_empty() {
        page.push_str("<h2>Delays of packets</h2>\n");
        page.push_str(&figures::delays(traffic, record)?);
        page.push_str(&packets(traffic, rows));
    }
    page.push_str("<h2>Queues over time</h2>\n");
    page.push_str(&figures::lengths(traffic, record, report.warm_up)?);
    page.push_str("<h2>Windows over time</h2>\n");
    page.push_str(&figures::windows(traffic, record)?);
    page.push_str("<h2>Flows</h2>\n");
    page.push_str("<p>The flows with the highest rates first: of fluids what they send, of packets what arrives for the first time.</p>\n");
    let mut flows: Vec<_> = rows.flows.iter().collect();
    flows.sort_by(|a, b| b.rate.total_cmp(&a.rate));
    page.push_str(&table(&FLOWS, flows.into_iter().cloned(), rows.flows.len()));
    page.push_str(&sortable::end());
    Ok(page)
}

/// Writes the first rows of a table of `all`.
fn table<T>(columns: &[(&'static str, Of<T>)], rows: impl Iterator<Item = T>, all: usize) -> String {
    let rows: Vec<T> = rows.take(sortable::MAX_ROWS).collect();
    sortable::table(&Records { name: "rows", columns, rows: &rows }, all)
}

/// Writes the flows with packets, those with the most first.
fn packets(traffic: &Traffic, rows: &Results) -> String {
    let mut reports: Vec<_> = rows.packets.iter().collect();
    reports.sort_by_key(|report| std::cmp::Reverse(report.sent));
    let named = reports.into_iter().map(|report| {
        let end = |node: fn(&Flow) -> u32| {
            let flow = traffic.flows().all().get(report.flow as usize);
            flow.map_or_else(String::new, |flow| traffic.network().label(node(flow)).to_owned())
        };
        Packets { from: end(|flow| flow.from), to: end(|flow| flow.to), report: report.clone() }
    });
    let error = 100.0 * RELATIVE_ERROR;
    let told = format!(
        "<p>Delays are from source to destination; quantiles are within {error:.1} % of the delays of packets. The run is one sample: they have no intervals.</p>\n"
    );
    told + &table(&PACKETS, named, rows.packets.len())
}

/// Returns the question, the most important results, and how sure they are.
fn answer(report: &Report, rows: &Results) -> Answer {
    let mut results = vec![];
    let busy = rows.busiest().first().and_then(|place| rows.queues.get(*place));
    results.extend(busy.map(|row| {
        let load = format!("{} offered, {} carried", bits(row.offered), bits(row.carried));
        format!("The busiest link is {}: {load} of {}.", row.label, bits(row.bandwidth as f64))
    }));
    results.extend(report.totals.iter().map(|total| traffic_of(total) + "."));
    if let Some((total, loss)) = report.packet_total.as_ref().and_then(|total| Some((total, total.loss?))) {
        results.push(format!("{} packets sent, {} of them lost.", HumanCount(total.sent), percent(loss)));
    }
    let partial = if report.partial.is_some() { " The run was interrupted." } else { "" };
    let warnings = if report.warnings.is_empty() { "" } else { " There are warnings below." };
    Answer {
        question: format!(
            "How loaded are the {} links, and what do the {} flows get, within {}?",
            report.size.links,
            report.size.flows,
            span(report.simulated_time)
        ),
        results,
        certainty: format!(
            "One run is one sample, without an interval: runs with other seeds show how far it varies.{partial}{warnings}"
        ),
    }
}

fn summary(page: &mut String, report: &Report) {
    let mut facts_told = vec![("engine", format!("{} on {} ({})", report.engine, report.device, report.backend))];
    facts_told.extend(["network", "simulated", "warm-up"].into_iter().zip(facts(report)));
    facts_told.extend(report.assumed.iter().map(|assumed| ("assumed", assumed.clone())));
    facts_told.push(("pace", pace(report).replace('\n', "; ")));
    facts_told.push(("seed", report.config.run.seed.to_string()));
    page::summary(page, &facts_told);
}

fn traffic_of(total: &Total) -> String {
    let what = if total.part == Part::Fluid { "sent" } else { "delivered" };
    let count = |count: u64, what: &str| format!("{} {what}{}", HumanCount(count), if count == 1 { "" } else { "s" });
    let (flows, sessions) = (count(total.flows, "flow"), count(total.sessions, "session"));
    format!("{flows} of {} {}, {sessions}: {} {what}", total.kind, total.part.name(), bits(total.rate))
}

#[cfg(test)]
mod tests;
