//! Report of a run of a cell space.

use super::{Found, Task};
use imminent::Device;
use imminent::models::cell::Run;
use indicatif::{HumanCount, HumanFloatCount};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// A statistic. One run of a deterministic model has no interval.
#[derive(Debug, Serialize)]
pub(super) struct Statistic {
    mean: f64,
    ci95: Option<f64>,
}

/// The object that `--json` prints.
#[derive(Debug, Serialize)]
pub(super) struct Report<C> {
    model: &'static str,
    backend: String,
    device: String,
    why: Option<String>,
    engine: String,
    config: C,
    /// Outputs of cells, the initial ones left out.
    events: u64,
    /// In milliseconds.
    simulated_time: u32,
    steps: u64,
    stats: BTreeMap<&'static str, Statistic>,
    /// Parts that an interrupted run has.
    partial: Option<String>,
    warnings: Vec<String>,
    digest: String,
    /// Sentences for the text, which the options of a landscape have too.
    #[serde(skip)]
    assumed: Vec<String>,
    set_up_s: f64,
    wall_s: f64,
    read_s: f64,
    /// Time in which the files of `--out` were drawn and encoded.
    files_s: Option<f64>,
    total_s: f64,
    events_per_s: f64,
}

impl<C> Report<C> {
    /// Makes the report of a run that took `took` from its model to its result, and `total` from the start of the
    /// process.
    pub(super) fn new<O>(
        task: Task<'_, C>,
        found: &Found,
        ran: &Run<O>,
        opened: Option<&(Device, String)>,
        took: Duration,
        total: Duration,
    ) -> Self {
        let wall_s = ran.spent.simulation.as_secs_f64();
        let read = took.saturating_sub(ran.spent.simulation + ran.spent.set_up);
        let (backend, device) = opened.map_or_else(
            || ("none".to_owned(), "one thread of the host".to_owned()),
            |(device, _)| (device.info().backend.clone(), device.info().name.clone()),
        );
        let statistic = |&(name, mean): &(&'static str, f64)| (name, Statistic { mean, ci95: None });
        Report {
            model: task.name,
            backend,
            device,
            why: opened.map(|(_, why)| why.clone()),
            engine: ran.engine.to_string(),
            config: task.config,
            events: found.events,
            simulated_time: found.horizon,
            steps: ran.steps,
            stats: found.stats.iter().map(statistic).collect(),
            partial: found.partial.clone(),
            warnings: task.warnings.to_vec(),
            digest: found.digest.to_string(),
            assumed: task.assumed.to_vec(),
            set_up_s: total.saturating_sub(ran.spent.simulation + read).as_secs_f64(),
            wall_s,
            read_s: read.as_secs_f64(),
            files_s: None,
            total_s: total.as_secs_f64(),
            events_per_s: found.events as f64 / wall_s.max(f64::MIN_POSITIVE),
        }
    }

    /// Adds the time that the files took, and takes the new total from the start of the process.
    pub(super) fn filed(&mut self, files: Duration, total: Duration) {
        (self.files_s, self.total_s) = (Some(files.as_secs_f64()), total.as_secs_f64());
    }

    /// Returns the options as they were given.
    #[cfg(all(feature = "report", feature = "maps"))]
    pub(super) fn config(&self) -> &C {
        &self.config
    }

    /// Warnings, and what is missing, for the beginning of a page.
    #[cfg(all(feature = "report", feature = "maps"))]
    pub(super) fn cautions(&self) -> String {
        let partial = self.partial.iter().map(|partial| format!("partial: {partial}"));
        partial.chain(self.warnings.iter().cloned()).map(|caution| imminent_report::page::warning(&caution)).collect()
    }

    /// Returns a statistic; 0 if there is none of the name.
    #[cfg(all(feature = "report", feature = "maps"))]
    pub(super) fn stat(&self, name: &str) -> f64 {
        self.stats.get(name).map_or(0.0, |statistic| statistic.mean)
    }

    /// Returns the simulated time in hours.
    #[cfg(all(feature = "report", feature = "maps"))]
    pub(super) fn hours(&self) -> f64 {
        f64::from(self.simulated_time) / super::HOUR
    }

    /// Names and values at the beginning of a page.
    #[cfg(all(feature = "report", feature = "maps"))]
    pub(super) fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![
            ("device", format!("{} ({})", self.device, self.backend)),
            ("engine", self.engine.clone()),
            ("simulated", format!("{} h", self.hours())),
        ];
        facts.extend(self.stats.iter().map(|(key, statistic)| {
            let (name, unit) = named(key);
            (name, format!("{} {unit}", HumanFloatCount(statistic.mean)).trim_end().to_owned())
        }));
        facts.push(("time", format!("{:.3} s of {:.3} s in the simulation", self.wall_s, self.total_s)));
        facts.push(("digest", self.digest.clone()));
        facts
    }

    /// Formats the report as text.
    pub(super) fn text(&self) -> String {
        let Report { set_up_s, wall_s, read_s, total_s, .. } = self;
        let mut text = format!("{} by engine {}, {}", self.model, self.engine, self.device);
        if let Some(why) = &self.why {
            let _ = write!(text, " ({why})");
        }
        text.push('\n');
        for assumed in &self.assumed {
            let _ = writeln!(text, "assumed: {assumed}");
        }
        for warning in &self.warnings {
            let _ = writeln!(text, "warning: {warning}");
        }
        if let Some(partial) = &self.partial {
            let _ = writeln!(text, "partial: {partial}");
        }
        for (name, statistic) in &self.stats {
            let _ = writeln!(text, "{:<18} {}", name.replace('_', " "), HumanFloatCount(statistic.mean));
        }
        let rate = HumanFloatCount(self.events_per_s.round());
        let _ = writeln!(
            text,
            "{} outputs in {wall_s:.3} s, {} steps: {rate} outputs/s",
            HumanCount(self.events),
            HumanCount(self.steps)
        );
        let files = self.files_s.map_or_else(String::new, |files| format!(", files {files:.3} s"));
        let _ = writeln!(
            text,
            "set-up {set_up_s:.3} s, simulation {wall_s:.3} s, reading {read_s:.3} s{files}: {total_s:.3} s from the start of the process"
        );
        let _ = writeln!(text, "digest {}", self.digest);
        text
    }
}

/// Returns the name of a statistic for people, and its unit.
#[cfg(all(feature = "report", feature = "maps"))]
fn named(key: &'static str) -> (&'static str, &'static str) {
    match key {
        "burnt_hectares" => ("burnt area", "ha"),
        "mean_hectares" => ("mean burnt area", "ha"),
        "largest_hectares" => ("largest burnt area", "ha"),
        "cells_burnt" => ("cells burnt", ""),
        "cells_lit" => ("cells lit", ""),
        "cells_reached" => ("cells that water reached", ""),
        "deepest_m" => ("greatest depth", "m"),
        "received_m3" => ("water received", "m³"),
        "stored_m3" => ("water on the ground at the end", "m³"),
        "left_m3" => ("water that left", "m³"),
        "distinct_times" => ("distinct times of events", ""),
        "most_simultaneous" => ("most cells at one time", ""),
        "outputs" => ("outputs of cells", ""),
        other => (other, ""),
    }
}
