//! The report for people: one page.

mod figures;
mod map;

use super::folder::{FLOWS, PACKETS, QUEUES};
use super::output::{facts, pace};
use super::record::Seen;
use super::report::Report;
use super::rows::Rows;
use crate::cli::page::sortable::{self, listed};
use crate::cli::page::{self, escape};
use crate::cli::plot::PlotError;
use crate::cli::sheet::{Of, Records};
use imminent::models::traffic::Traffic;
use std::fmt::Write;

/// The whole page.
pub(super) fn page(report: &Report, traffic: &Traffic, rows: &Rows, seen: &Seen) -> Result<String, PlotError> {
    let mut page = page::begin(&format!("traffic by engine {}", report.engine));
    summary(&mut page, report);
    for warning in &report.warnings {
        let _ = writeln!(page, "<p class=\"warning\">{}</p>", escape(warning));
    }
    page.push_str("<h2>Queues over time</h2>\n");
    page.push_str(&figures::lengths(traffic, seen, report.warm_up)?);
    page.push_str("<h2>Windows over time</h2>\n");
    page.push_str(&figures::windows(traffic, seen)?);
    page.push_str("<h2>Load of links</h2>\n");
    page.push_str(&map::figure(traffic, &rows.queues));
    let thousandths = |share: f64| (share * 1e6) as u64;
    page.push_str(&table(&QUEUES, &rows.queues, |row| thousandths(row.utilization + row.loss)));
    page.push_str("<h2>Flows</h2>\n");
    page.push_str(&table(&FLOWS, &rows.flows, |row| row.rate as u64));
    if !rows.packets.is_empty() {
        page.push_str("<h2>Packets</h2>\n");
        page.push_str(&table(&PACKETS, &rows.packets, |row| row.sent));
    }
    page.push_str(&sortable::end());
    Ok(page)
}

/// The rows of a table with the greatest keys.
fn table<T: Clone>(columns: &[(&'static str, Of<T>)], rows: &[T], key: impl Fn(&T) -> u64) -> String {
    let places = listed((0..rows.len()).collect(), |place| rows.get(place).map_or(0, &key));
    let shown: Vec<T> = places.into_iter().filter_map(|place| rows.get(place).cloned()).collect();
    sortable::table(&Records { name: "rows", columns, rows: &shown }, rows.len())
}

fn summary(page: &mut String, report: &Report) {
    let mut rows = vec![("device", format!("{} ({})", report.device, report.backend))];
    rows.extend(["network", "simulated", "warm-up"].into_iter().zip(facts(report)));
    rows.extend(report.assumed.iter().map(|assumed| ("assumed", assumed.clone())));
    rows.push(("pace", pace(report)));
    rows.push(("seed", report.config.run.seed.to_string()));
    page::summary(page, &rows);
}

#[cfg(test)]
mod tests;
