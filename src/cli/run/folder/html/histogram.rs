//! How long visits waited, and took.

use crate::cli::plot::{PlotError, bars};
use imminent::models::output::Histogram;
use imminent::models::time::units_from_ticks;

/// The figure of one time, with its quantiles.
pub(super) fn figure(name: &str, histogram: &Histogram) -> Result<String, PlotError> {
    let total = histogram.total();
    let at_once = histogram.counts().first().copied().unwrap_or(0);
    let share = |count: u64| count as f64 / total.max(1) as f64;
    // Time is logarithmic, so that those of no length have no bar.
    let shown: Vec<_> = histogram
        .filled()
        .filter(|(least, ..)| *least > 0)
        .map(|(least, greatest, count)| (units_from_ticks(least), units_from_ticks(greatest + 1), share(count)))
        .collect();
    let none = 100.0 * share(at_once);
    let quantile = |percent: u32| {
        let value = histogram.quantile(f64::from(percent) / 100.0).map(|ticks| ticks * units_from_ticks(1));
        value.map_or_else(|| "–".to_owned(), |value| format!("{value:.4}"))
    };
    let caption = format!(
        "{name} time of {total} visits, eight bars to an octave; {none:.1} % took none. Quantiles, to 1/16 of themselves: \
         50 % {}, 90 % {}, 95 % {}, 99 % {}.",
        quantile(50),
        quantile(90),
        quantile(95),
        quantile(99)
    );
    let plot = if shown.is_empty() { String::new() } else { bars(&shown, "time", "share of visits")? };
    Ok(format!("<figure>{plot}<figcaption>{caption}</figcaption></figure>\n"))
}
