//! Report of a run of a mobile ad hoc network.

use super::replication::Replication;
use super::simulate::Simulated;
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::Device;
use imminent::models::estimate::Estimate;
use imminent::models::manet::config::{Engine, ManetConfig};
use imminent::models::manet::{Loss, Network};
use indicatif::HumanCount;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// Run with its results.
pub(super) struct Ran {
    pub(super) config: ManetConfig,
    pub(super) network: Network,
    pub(super) simulated: Simulated,
    pub(super) opened: Option<(Device, String)>,
    pub(super) wall: Duration,
    pub(super) total: Duration,
}

/// Statistic over the replications.
#[derive(Debug, Serialize)]
pub(super) struct Statistic {
    pub(super) mean: Option<f64>,
    pub(super) ci95: Option<f64>,
}

/// The object that `--json` prints.
#[derive(Debug, Serialize)]
pub(super) struct Report<'r> {
    model: &'static str,
    /// Replications that have ended, if the run was interrupted.
    pub(super) partial: Option<String>,
    engine: Engine,
    backend: String,
    device: String,
    why: Option<String>,
    config: ManetConfig,
    nodes: u32,
    /// In metres.
    field: [f64; 2],
    /// Lookahead of the engine: the least airtime, in seconds.
    lookahead: f64,
    pub(super) stats: BTreeMap<&'static str, Statistic>,
    pub(super) replications: &'r [Replication],
    digest: &'r str,
    wall_s: f64,
    total_s: f64,
    /// Simulated time of all replications by wall time.
    times_real_time: f64,
}

impl<'r> Report<'r> {
    pub(super) fn new(ran: &'r Ran) -> Self {
        let replications = &ran.simulated.replications;
        let statistic = |of: fn(&Replication) -> f64| {
            let values: Vec<_> = replications.iter().map(of).filter(|value| value.is_finite()).collect();
            let Estimate { mean, ci95 } = Estimate::of(&values);
            Statistic { mean, ci95 }
        };
        let stats = BTreeMap::from([
            ("delivery_ratio", statistic(|of| of.delivery_ratio)),
            ("mean_delay", statistic(|of| of.mean_delay)),
            ("mean_hops", statistic(|of| of.mean_hops)),
            ("transmissions", statistic(|of| of.transmissions as f64)),
        ]);
        let (backend, device) = ran.opened.as_ref().map_or_else(
            || ("none".to_owned(), "one thread of the host".to_owned()),
            |(device, _)| (device.info().backend.clone(), device.info().name.clone()),
        );
        let field = ran.network.field;
        let wall_s = ran.wall.as_secs_f64();
        let simulated = ran.network.end as f64 / 1e6 * replications.len() as f64;
        Report {
            model: "manet",
            partial: ran.simulated.partial(),
            engine: ran.config.run.engine,
            backend,
            device,
            why: ran.opened.as_ref().map(|(_, why)| why.clone()),
            config: ran.config.clone(),
            nodes: ran.network.nodes,
            field: [f64::from(field.width) / 1e3, f64::from(field.height) / 1e3],
            lookahead: ran.network.lookahead() as f64 / 1e6,
            stats,
            replications,
            digest: &ran.simulated.digest,
            wall_s,
            total_s: ran.total.as_secs_f64(),
            times_real_time: simulated / wall_s,
        }
    }

    /// Names and values of what was simulated.
    pub(super) fn facts(&self) -> Vec<(&'static str, String)> {
        let [width, height] = self.field;
        let why = self.why.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
        let (nodes, runs) = (HumanCount(self.nodes.into()), self.replications.len());
        let duration = self.config.run.duration;
        let mut facts = vec![
            ("engine", format!("{:?} on {}{why}", self.engine, self.device).to_lowercase()),
            ("network", format!("{nodes} nodes on {width} m x {height} m, range {} m", self.config.network.range)),
            ("simulated", format!("{duration} s, {runs} replications, seed {}", self.config.run.seed)),
        ];
        match self.engine {
            Engine::Interval => facts.push(("clock", format!("{} ms", self.config.run.interval * 1e3))),
            _ => facts.push(("lookahead", format!("{} ms, the least airtime", self.lookahead * 1e3))),
        }
        facts
    }

    /// Names, means and half-widths of the statistics, in units for people.
    pub(super) fn figures(&self) -> Vec<[String; 3]> {
        let shown = [
            ("delivery_ratio", "packets delivered", 100.0, "%"),
            ("mean_delay", "mean delay", 1e3, "ms"),
            ("mean_hops", "mean hops", 1.0, ""),
            ("transmissions", "transmissions", 1.0, ""),
        ];
        let number = |value: Option<f64>, unit: f64, name: &str| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{:.3} {name}", value * unit).trim_end().to_owned())
        };
        let row = |(key, name, unit, label): (&str, &str, f64, &str)| {
            let of = &self.stats[key];
            [name.to_owned(), number(of.mean, unit, label), number(of.ci95, unit, label)]
        };
        shown.into_iter().map(row).collect()
    }

    /// Packets of all replications: created, delivered, lost by cause, under way.
    pub(super) fn packets(&self) -> Vec<(&'static str, u64)> {
        let sum = |of: fn(&Replication) -> u64| self.replications.iter().map(of).sum();
        let mut packets = vec![("created", sum(|of| of.created)), ("delivered", sum(|of| of.delivered))];
        for loss in Loss::ALL {
            packets.push((loss.name(), self.replications.iter().map(|of| of.lost[loss as usize]).sum()));
        }
        packets.push(("under way at the end", sum(|of| of.under_way)));
        packets
    }

    /// Formats the report as text.
    pub(super) fn text(&self) -> String {
        let mut text = String::from("mobile ad hoc network\n");
        for (name, value) in self.facts() {
            let _ = writeln!(text, "{name}: {value}");
        }
        if let Some(partial) = &self.partial {
            let _ = writeln!(text, "partial: {partial}");
        }
        let mut table = Table::new();
        table.load_style(UTF8_FULL_CONDENSED).set_header(["", "mean", "95 % +-"]);
        table.add_rows(self.figures());
        let _ = writeln!(text, "{table}");
        let packets = self.packets().into_iter().map(|(name, count)| format!("{} {name}", HumanCount(count)));
        let _ = writeln!(text, "packets: {}", packets.collect::<Vec<_>>().join(", "));
        let _ = writeln!(
            text,
            "{:.3} s, {:.1} times real time; {:.3} s from the start of the process\ndigest {}",
            self.wall_s, self.times_real_time, self.total_s, self.digest
        );
        text
    }
}
