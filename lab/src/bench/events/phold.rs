//! Parameters of PHOLD.

use clap::Args;
use imminent::models::events::phold::PholdStudy;
use imminent::models::time::TICKS_PER_UNIT;

/// Parameters of the benchmark PHOLD. Times are in units.
#[derive(Debug, Args)]
pub(super) struct PholdOptions {
    /// PHOLD, graph: number of events at each module at the beginning.
    #[arg(long, default_value_t = 16, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 16))]
    tokens: u32,
    /// PHOLD: share of events that go to any module, the own one included.
    #[arg(long, default_value_t = 90, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=100))]
    remote: u32,
    /// PHOLD, graph: least delay of an event that goes to another module.
    #[arg(long, default_value_t = 1.0, value_name = "UNITS", value_parser = units)]
    lookahead: f64,
    /// PHOLD, graph: mean of a delay beyond the lookahead.
    #[arg(long, default_value_t = 1.0, value_name = "UNITS", value_parser = units)]
    mean: f64,
    /// PHOLD, graph: length of each simulation.
    #[arg(long, default_value_t = 100.0, value_name = "UNITS", value_parser = units)]
    length: f64,
    /// PHOLD: length of time windows whose events the device executes speculatively; conservative steps by default.
    #[arg(long, value_name = "UNITS", value_parser = units)]
    window: Option<f64>,
}

impl PholdOptions {
    /// Returns a study of this many simulations, with this many modules each.
    pub(super) fn study(&self, simulations: u32, modules: u32) -> PholdStudy {
        let [lookahead, mean, end] = self.ticks();
        let (tokens, remote) = (self.tokens, self.remote);
        PholdStudy { simulations, modules, tokens, lookahead, mean, remote, end, seed: 1 }
    }

    /// Number of events at each module at the beginning.
    pub(super) fn tokens(&self) -> u32 {
        self.tokens
    }

    /// Returns the lookahead, the mean delay and the length, in ticks.
    pub(super) fn ticks(&self) -> [u64; 3] {
        [self.lookahead, self.mean, self.length].map(in_ticks)
    }

    /// Returns the length of speculative time windows, in ticks.
    pub(super) fn window(&self) -> Option<u64> {
        self.window.map(in_ticks)
    }
}

fn in_ticks(units: f64) -> u64 {
    ((units * TICKS_PER_UNIT as f64).round() as u64).max(1)
}

fn units(text: &str) -> Result<f64, String> {
    let parsed = text.parse().ok().filter(|units: &f64| (1e-6..=1e9).contains(units));
    parsed.ok_or_else(|| "write a number of time units from 0.000001 to 1000000000".to_owned())
}
