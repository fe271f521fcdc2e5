//! Figures of the dissertation's model of mobile ad hoc networks.

use clap::ValueEnum;

/// A figure of the dissertation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum Part {
    /// Mean delay by clock interval.
    #[value(name = "5-8")]
    Delay,
    /// Hops and delivery ratio by clock interval.
    #[value(name = "5-9")]
    Delivery,
    /// Speed beside the sequential program by clock interval.
    #[value(name = "5-10")]
    Speed,
}

impl Part {
    pub(super) fn title(self) -> &'static str {
        match self {
            Part::Delay => "Figure 5-8: mean delay from end to end by clock interval, in ms",
            Part::Delivery => "Figure 5-9: mean hops, and packets delivered in %, by clock interval",
            Part::Speed => "Figure 5-10: speed beside the first place by clock interval",
        }
    }
}
