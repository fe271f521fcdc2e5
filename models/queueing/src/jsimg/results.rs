//! Results that JSIMgraph stores in a file.

use super::parameter::children;
use roxmltree::Node as Element;

/// A measure with the last of its estimates.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredResult {
    /// Name of the measure in JMT, such as "Number of Customers".
    pub measure: String,
    /// Name of the station; `None` for the whole system.
    pub station: Option<String>,
    /// Name of the class; `None` for all.
    pub class: Option<String>,
    /// Confidence level, such as 0.99.
    pub confidence: f64,
    /// Number of samples that were analysed.
    pub samples: u64,
    /// Last estimate.
    pub last: Sample,
}

/// An estimate of a measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Mean.
    pub mean: f64,
    /// Lower end of the confidence interval; 0 as long as there is none.
    pub low: f64,
    /// Upper end of the confidence interval; infinite as long as there is none.
    pub high: f64,
}

/// Returns the results of a file; those that cannot be understood are left out.
pub(super) fn results(root: Element<'_, '_>, sim: Element<'_, '_>) -> Vec<StoredResult> {
    let measures = children(root, "results").flat_map(|results| children(results, "measure"));
    measures.filter_map(|measure| result(measure, sim)).collect()
}

fn result(measure: Element<'_, '_>, sim: Element<'_, '_>) -> Option<StoredResult> {
    // Results number the kinds of measures, by numbers that have changed; the model names them.
    let name = measure.attribute("name")?;
    let asked = children(sim, "measure").find(|asked| asked.attribute("name") == Some(name))?;
    let named = |name: &str| measure.attribute(name).filter(|text| !text.is_empty()).map(str::to_owned);
    let number = |at: Element<'_, '_>, name: &str| at.attribute(name)?.parse::<f64>().ok();
    let sample = children(measure, "sample").last()?;
    Some(StoredResult {
        measure: asked.attribute("type")?.to_owned(),
        station: named("referenceStation"),
        class: named("referenceClass"),
        confidence: number(measure, "alpha")?,
        samples: measure.attribute("analyzedSamples")?.parse().ok()?,
        last: Sample {
            mean: number(sample, "meanValue")?,
            low: number(sample, "lowerBound").unwrap_or(0.0),
            high: number(sample, "upperBound").unwrap_or(f64::INFINITY),
        },
    })
}
