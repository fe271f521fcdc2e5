//! Figures as tables: CSV for programs, Markdown for documents.

use super::figure::{Figure, Measured};
use super::measure::Observation;
use imminent::models::estimate::Estimate;
use imminent::models::queueing::interval::published::{Published, TABLE_5_2};
use std::fmt::Write;

/// Returns one line for each setting.
pub(super) fn csv(measured: &[Measured]) -> String {
    let mut text = String::from(
        "figure,network,side,mean_service,engine,interval,utilization,utilization_ci95,utilization_corrected,sojourn,sojourn_ci95,events,events_per_s\n",
    );
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    for (part, figure) in measured.iter().flat_map(|m| m.figures.iter().map(move |figure| (m.part, figure))) {
        let setting = &figure.setting;
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{},{},{:.0}",
            part.name(),
            setting.shape.name(),
            setting.side,
            setting.mean,
            setting.engine(),
            number(setting.interval),
            number(figure.utilization.mean),
            number(figure.utilization.ci95),
            number(figure.corrected.and_then(|corrected| corrected.mean)),
            number(figure.sojourn.mean),
            number(figure.sojourn.ci95),
            figure.events,
            figure.speed
        );
    }
    text
}

/// Returns a table for each part.
pub(super) fn markdown(measured: &[Measured]) -> String {
    measured.iter().map(Measured::markdown).collect::<Vec<_>>().join("\n")
}

impl Figure {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Table => "5-2",
            Self::Networks => "5-4",
            Self::Parameters => "5-5",
            Self::Speed => "5-6",
        }
    }
}

impl Measured {
    fn markdown(&self) -> String {
        match self.part {
            Figure::Table => self.published(),
            Figure::Speed => self.rows(&["M events/s", "beside exact"], |figure, exact| {
                let beside = exact.map_or_else(|| "–".to_owned(), |exact| format!("{:.2}", figure.speed / exact.speed));
                vec![format!("{:.2}", figure.speed / 1e6), beside]
            }),
            _ => {
                let names = ["utilization", "error", "corrected (5-5)", "sojourn", "error"];
                self.rows(&names, |figure, exact| {
                    let error = |of: fn(&Observation) -> Estimate| {
                        let error = exact.and_then(|exact| Some(of(figure).mean? / of(exact).mean? - 1.0));
                        error.map_or_else(|| "–".to_owned(), |error| format!("{:+.2} %", 100.0 * error))
                    };
                    vec![
                        with_interval(&figure.utilization),
                        error(|figure| figure.utilization),
                        figure.corrected.as_ref().map_or_else(|| "–".to_owned(), with_interval),
                        with_interval(&figure.sojourn),
                        error(|figure| figure.sojourn),
                    ]
                })
            }
        }
    }

    /// Returns a row for each setting; `cells` receives a figure, and that of the exact engine for the same network.
    fn rows(&self, names: &[&str], cells: impl Fn(&Observation, Option<&Observation>) -> Vec<String>) -> String {
        let mut text = format!(
            "| {} | network | mean service | interval | {} |\n|{}\n",
            self.part.name(),
            names.join(" | "),
            " --- |".repeat(names.len() + 4)
        );
        for figure in &self.figures {
            let setting = &figure.setting;
            let _ = writeln!(
                text,
                "| {} | {}² | {} | {} | {} |",
                setting.shape.name(),
                setting.side,
                setting.mean,
                setting.interval.map_or_else(|| "exact".to_owned(), |interval| interval.to_string()),
                cells(figure, self.exact(figure)).join(" | ")
            );
        }
        text
    }

    /// Returns the exact engine's figure for the network of a clustered figure.
    pub(super) fn exact(&self, figure: &Observation) -> Option<&Observation> {
        figure.setting.interval?;
        let (shape, side, mean) = (figure.setting.shape, figure.setting.side, figure.setting.mean);
        self.figures.iter().find(|other| {
            let setting = &other.setting;
            setting.interval.is_none() && (setting.shape, setting.side, setting.mean) == (shape, side, mean)
        })
    }

    /// Returns Table 5-2 as measured, as printed, and by theory.
    fn published(&self) -> String {
        let mut text = String::from(
            "| mean service | interval | utilization | printed | corrected by theory | off | sojourn | printed | corrected by theory | off |\n\
             | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        );
        for figure in &self.figures {
            let Some(printed) = printed(figure) else { continue };
            let corrected = printed.corrected();
            let off = |found: Estimate, expected: f64| {
                found.mean.map_or_else(String::new, |mean| format!("{:+.2} %", 100.0 * (mean / expected - 1.0)))
            };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {:.4} | {:.4} | {} | {} | {:.2} | {:.2} | {} |",
                printed.mean_service,
                printed.interval,
                with_interval(&figure.utilization),
                printed.utilization,
                corrected.utilization,
                off(figure.utilization, corrected.utilization),
                with_interval(&figure.sojourn),
                printed.sojourn,
                corrected.sojourn,
                off(figure.sojourn, corrected.sojourn)
            );
        }
        text
    }
}

/// Returns the entry of Table 5-2 for a figure's setting, if there is one.
pub(super) fn printed(figure: &Observation) -> Option<Published> {
    let interval = figure.setting.interval.unwrap_or(0.0);
    TABLE_5_2.into_iter().find(|entry| entry.interval == interval && entry.mean_service == figure.setting.mean)
}

/// Formats mean and half-width, with four decimals below 1 and two above.
fn with_interval(estimate: &Estimate) -> String {
    let Some(mean) = estimate.mean else { return "none".to_owned() };
    let digits = if mean < 1.0 { 4 } else { 2 };
    estimate.ci95.map_or_else(|| format!("{mean:.digits$}"), |half| format!("{mean:.digits$} ± {half:.digits$}"))
}
