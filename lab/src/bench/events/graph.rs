//! Parameters of PHOLD on a graph.

use super::phold::PholdOptions;
use clap::Args;
use imminent::models::events::graph::GraphStudy;

/// Parameters of the benchmark on a graph, beside those that it shares with PHOLD.
#[derive(Debug, Args)]
pub(super) struct GraphOptions {
    /// Graph: number of neighbours on each side of a module.
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    reach: u32,
    /// Graph: number of times that the least delay of an edge may double.
    #[arg(long, default_value_t = 7, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=32))]
    doublings: u32,
    /// Graph: declare no links, so that the least delay of all edges is the lookahead.
    #[arg(long)]
    no_links: bool,
}

impl GraphOptions {
    /// Returns a study of this many simulations, with this many modules each.
    pub(super) fn study(&self, shared: &PholdOptions, simulations: u32, modules: u32) -> GraphStudy {
        let [least, mean, end] = shared.ticks();
        GraphStudy {
            simulations,
            modules,
            tokens: shared.tokens(),
            reach: self.reach,
            least,
            doublings: self.doublings,
            mean,
            has_links: !self.no_links,
            end,
            seed: 1,
        }
    }
}
