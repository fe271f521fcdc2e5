//! Figures of the paper on parameter studies, and the settings of each.

use super::setting::{Setting, Work};
use crate::bench::events::timed::Strategy;
use clap::ValueEnum;
use imminent::models::events::{Execution, Mapping, MappingChoice};

/// A figure of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum Figure {
    /// Rate of events by simulations and modules, with one generator.
    #[value(name = "6")]
    Alike,
    /// Rate of events with four generators compared with one, modules in their given order.
    #[value(name = "7")]
    Unsorted,
    /// Rate of events with modules sorted by the kinds of their events.
    #[value(name = "8")]
    Sorted,
    /// Rate of events with modules sorted and padded.
    #[value(name = "9")]
    Padded,
    /// Rate of events with the mapping that is chosen automatically.
    #[value(name = "auto")]
    Chosen,
    /// Cost of events by simulations and modules, lists on the device and on the host.
    #[value(name = "10")]
    Overhead,
    /// Cost of mappings by simulations.
    #[value(name = "11")]
    Mappings,
    /// Cost of events by the size of states.
    #[value(name = "12")]
    States,
    /// Wireless mesh.
    #[value(name = "13")]
    Mesh,
}

/// Returns the strategy with the given mapping, and lists on the device.
pub(super) fn by(mapping: MappingChoice) -> Strategy {
    Strategy::Lists { execution: Execution::Device, mapping, per_step: None, window: None }
}

/// Mapping that keeps modules in their given order.
pub(super) const IN_ORDER: MappingChoice = MappingChoice::Always(Mapping::InOrder);

impl Figure {
    pub(super) fn title(self) -> &'static str {
        match self {
            Figure::Alike => "Figure 6: millions of events a second, one generator, modules as they come",
            Figure::Unsorted => {
                "Figure 7: millions of events a second, four generators beside one, modules as they come"
            }
            Figure::Sorted => {
                "Figure 8: millions of events a second, four generators beside one, modules sorted by their events"
            }
            Figure::Padded => "Figure 9: millions of events a second, four generators beside one, sorted and padded",
            Figure::Chosen => "Figure auto: millions of events a second, four generators beside one, mapping chosen",
            Figure::Overhead => "Figure 10: ms for all events, which go over 72 bytes (ns each)",
            Figure::Mappings => "Figure 11: ms for all events of four kinds, at which nothing happens (ns each)",
            Figure::States => {
                "Figure 12: ms for all events, which go over their module's state, by its bytes (ns each)"
            }
            Figure::Mesh => "Figure 13: the wireless mesh, s",
        }
    }

    /// Returns the mappings for four generators and for one, in figures that compare them.
    pub(super) fn mappings(self) -> Option<[MappingChoice; 2]> {
        match self {
            Figure::Unsorted => Some([IN_ORDER, IN_ORDER]),
            Figure::Sorted => Some([MappingChoice::Always(Mapping::Sorted), IN_ORDER]),
            Figure::Padded => Some([MappingChoice::Always(Mapping::Padded), IN_ORDER]),
            Figure::Chosen => Some([MappingChoice::Auto; 2]),
            _ => None,
        }
    }
}

impl Setting {
    /// Returns the setting with one generator, which figures 7 to 9 compare with four.
    pub(super) fn with_one_generator(self, part: Figure) -> Option<Setting> {
        let [_, mapping] = part.mappings()?;
        Some(Setting { work: Work::Lcg(1), strategy: by(mapping), ..self })
    }
}
