//! Distributions of waiting and sojourn times.

use crate::run::quantiles::{error, named};
use imminent::models::output::Sketch;
use imminent::models::queueing::report::{TimeReport, TimesReport};
use imminent::models::time::Tick;
use imminent_report::plot::{PlotError, Portion, density};

/// Draws the figure of one time, with its quantiles.
pub(super) fn figure(
    name: &str,
    sketch: &Sketch,
    tick: Tick,
    time: &TimeReport,
    times: &TimesReport,
) -> Result<String, PlotError> {
    let total = sketch.total();
    let share = |count: u64| count as f64 / total.max(1) as f64;
    // Visits of length 0 have no density.
    let portion = |(least, greatest, count): (u64, u64, u64)| Portion {
        from: tick.units(least),
        to: tick.units(greatest + 1),
        share: share(count),
    };
    let portions: Vec<_> = sketch.filled().filter(|(least, ..)| *least > 0).map(portion).collect();
    let none = 100.0 * share(sketch.zeros());
    let quantiles: Vec<String> = named(time).map(|(percent, quantile)| format!("{percent} % {quantile}")).collect();
    let (plot, beyond) = density(&portions, "time unit")?.unwrap_or_default();
    let caption = format!(
        "Density of the {name} time of {total} visits; {none:.1} % took none, and {:.2} % took longer than the axis shows. {}: {}.",
        100.0 * beyond,
        error(times).replacen("quantiles", "Quantiles", 1),
        quantiles.join(", ")
    );
    Ok(format!("<figure>{plot}<figcaption>{caption}</figcaption></figure>\n"))
}
