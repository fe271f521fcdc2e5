//! Assignment of modules to the warps of a device.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Number of lanes in a warp, which a device runs in lockstep. While some of them take one branch, the others wait.
pub(super) const WARP: u32 = 32;

/// Assignment of modules to the lanes of a warp in a step. It affects the time of a step, but no outcome. Lanes with
/// events of one kind execute the same code; if kinds differ, lanes wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mapping {
    /// Modules of neighbouring rows share a warp, whatever their events.
    InOrder,
    /// Modules with something to do share warps, in the order of their rows. They are listed before each stage of a
    /// step: those with safe events, then those with messages.
    Due,
    /// Modules of neighbouring rows share a warp. Simulations that lie within a group of rows make their steps by
    /// themselves where the device can do so, and wait for no other group. Simulations of more than 32 modules on
    /// average, with prepared events or without lookahead have steps as for [`Mapping::InOrder`].
    Apart,
    /// One module per warp. This costs nothing as long as the device has more warps than there are modules.
    Spread,
    /// Modules with next events of one kind share a warp as far as possible: modules are sorted by kind before each
    /// step.
    Sorted,
    /// Modules are sorted by kind, and each kind starts with a new warp.
    Padded,
    /// Modules of each kind are listed, and each list has its own launch.
    PerKind,
}

impl Mapping {
    /// All mappings.
    pub const ALL: [Mapping; 7] = [
        Mapping::InOrder,
        Mapping::Due,
        Mapping::Apart,
        Mapping::Spread,
        Mapping::Sorted,
        Mapping::Padded,
        Mapping::PerKind,
    ];

    /// Returns the name in options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Mapping::InOrder => "none",
            Mapping::Due => "due",
            Mapping::Apart => "apart",
            Mapping::Spread => "spread",
            Mapping::Sorted => "sort",
            Mapping::Padded => "pad",
            Mapping::PerKind => "compact",
        }
    }

    /// Returns `true` if modules are listed by the kinds of their next events before each step.
    pub(super) const fn is_by_kind(self) -> bool {
        matches!(self, Mapping::Sorted | Mapping::Padded | Mapping::PerKind)
    }
}

impl fmt::Display for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Fixed mapping, or automatic choice of the fastest one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MappingChoice {
    /// Always this mapping.
    Always(Mapping),
    /// Automatic choice: first by the kinds of events, later by measured times. At most two percent of the time is
    /// spent on trials.
    #[default]
    Auto,
}

/// Error of an unknown mapping name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no mapping '{0}': give none, due, apart, spread, sort, pad, compact or auto")]
pub struct UnknownMapping(String);

impl FromStr for MappingChoice {
    type Err = UnknownMapping;

    fn from_str(name: &str) -> Result<Self, UnknownMapping> {
        if name == "auto" {
            return Ok(MappingChoice::Auto);
        }
        let named = Mapping::ALL.into_iter().find(|mapping| mapping.name() == name);
        named.map(MappingChoice::Always).ok_or_else(|| UnknownMapping(name.to_owned()))
    }
}

impl fmt::Display for MappingChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MappingChoice::Always(mapping) => mapping.fmt(f),
            MappingChoice::Auto => f.write_str("auto"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for choice in Mapping::ALL.map(MappingChoice::Always).into_iter().chain([MappingChoice::Auto]) {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
        let error = "pads".parse::<MappingChoice>().unwrap_err().to_string();
        assert_eq!(error, "there is no mapping 'pads': give none, due, apart, spread, sort, pad, compact or auto");
    }
}
