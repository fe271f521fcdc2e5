//! Report for people.

use super::map;
use super::report::{Ran, Report};
use imminent_report::page;
use imminent_report::plot::PlotError;
use indicatif::HumanCount;

/// Returns the page.
pub(super) fn page(report: &Report<'_>, ran: &Ran) -> Result<String, PlotError> {
    let mut page = page::begin("Mobile ad hoc network");
    if let Some(partial) = &report.partial {
        page.push_str(&page::warning(&format!("partial: {partial}")));
    }
    page::summary(&mut page, &report.facts());
    page.push_str("<h2>Means over the replications</h2>\n<table><thead><tr><th></th><th>mean</th><th>95 % &#177;</th></tr></thead><tbody>");
    for row in report.figures() {
        let [name, mean, ci95] = row.map(|text| page::escape(&text));
        page.push_str(&format!("<tr><th>{name}</th><td>{mean}</td><td>{ci95}</td></tr>"));
    }
    page.push_str("</tbody></table>\n<h2>Packets of all replications</h2>\n");
    let packets: Vec<_> =
        report.packets().into_iter().map(|(name, count)| (name, HumanCount(count).to_string())).collect();
    page::summary(&mut page, &packets);
    page.push_str("<h2>Map</h2>\n");
    page.push_str(&map::draw(ran));
    page.push_str("</body></html>\n");
    Ok(page)
}
