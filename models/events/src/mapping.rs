//! Assignment of modules to the warps of a device.

use super::chooser::Chooser;
use imminent_core::DeviceKind;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Number of lanes in a warp, which a device runs in lockstep. While some of them take one branch, the others wait.
pub(super) const WARP: u32 = 32;

/// Number of modules up to which each can have its own warp without loss: a large device has some 500 warp schedulers,
/// and each can handle two.
const FEW: usize = 1024;

/// Assignment of modules to the lanes of a warp in a step. It affects the time of a step, but no outcome. Lanes with
/// events of one kind execute the same code; if kinds differ, lanes wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mapping {
    /// Modules of neighbouring rows share a warp, whatever their events.
    InOrder,
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
    pub const ALL: [Mapping; 5] =
        [Mapping::InOrder, Mapping::Spread, Mapping::Sorted, Mapping::Padded, Mapping::PerKind];

    /// Returns the name in options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Mapping::InOrder => "none",
            Mapping::Spread => "spread",
            Mapping::Sorted => "sort",
            Mapping::Padded => "pad",
            Mapping::PerKind => "compact",
        }
    }

    /// Returns `true` if modules are listed anew before each step.
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
#[error("there is no mapping '{0}'; there are: none, spread, sort, pad, compact, auto")]
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

/// Returns the mappings that are likely to be the fastest on a kind of device. `coming` has the kind of each module's
/// next event, below `kinds` if there is one.
pub(super) fn likely(device: DeviceKind, kinds: u32, coming: &[u32]) -> Chooser {
    if kinds < 2 || !has_warps(device) {
        return Chooser::always(Mapping::InOrder);
    }
    match (divergence(coming, kinds) > 1.05, coming.len() <= FEW) {
        (false, true) => Chooser::between(Mapping::InOrder, Mapping::Spread),
        (false, false) => Chooser::between(Mapping::InOrder, Mapping::Padded),
        (true, true) => Chooser::between(Mapping::Spread, Mapping::InOrder),
        (true, false) => Chooser::by_weight(Mapping::InOrder, Mapping::Padded),
    }
}

/// Returns `true` if a device runs neighbouring lanes in lockstep.
pub(super) fn has_warps(device: DeviceKind) -> bool {
    matches!(device, DeviceKind::DiscreteGpu | DeviceKind::IntegratedGpu | DeviceKind::OtherGpu)
}

/// Mean number of distinct next-event kinds per warp; at least 1. `kinds` has a number below `of` for each module with
/// an event.
pub(super) fn divergence(kinds: &[u32], of: u32) -> f64 {
    let in_warp = |warp: &[u32]| {
        let mut seen: Vec<u32> = warp.iter().copied().filter(|kind| *kind < of).collect();
        seen.sort_unstable();
        seen.dedup();
        seen.len().max(1)
    };
    let warps = kinds.chunks(WARP as usize);
    let count = warps.len().max(1);
    warps.map(in_warp).sum::<usize>().max(count) as f64 / count as f64
}

#[cfg(test)]
mod tests {
    use super::super::chooser::Turn;
    use super::*;

    #[test]
    fn names_lead_back() {
        for choice in Mapping::ALL.map(MappingChoice::Always).into_iter().chain([MappingChoice::Auto]) {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
        let error = "pads".parse::<MappingChoice>().unwrap_err().to_string();
        assert_eq!(error, "there is no mapping 'pads'; there are: none, spread, sort, pad, compact, auto");
    }

    #[test]
    fn what_is_likely_depends_on_the_device_and_on_kinds() {
        let four: Vec<u32> = (0..5_000).map(|row| row % 4).collect();
        let first = |device, kinds, coming: &[u32]| likely(device, kinds, coming).turn();
        let gpu = DeviceKind::DiscreteGpu;
        assert_eq!(first(gpu, 4, &four), Turn::Trial(Mapping::InOrder, 1));
        assert_eq!(first(gpu, 4, &four[..100]).mapping(), Mapping::Spread);
        assert_eq!(first(gpu, 4, &[0; 100]).mapping(), Mapping::InOrder);
        assert!(matches!(first(gpu, 4, &[0; 5_000]), Turn::For(Mapping::InOrder, _)));
        assert_eq!(first(gpu, 1, &[0; 5_000]), Turn::ToTheEnd(Mapping::InOrder));
        assert_eq!(first(DeviceKind::Host, 4, &four), Turn::ToTheEnd(Mapping::InOrder));
    }

    #[test]
    fn divergence_counts_kinds_in_warps() {
        assert_eq!(divergence(&[], 4), 1.0);
        assert_eq!(divergence(&[4; 70], 4), 1.0);
        let four: Vec<u32> = (0..64).map(|row| row % 4).collect();
        assert_eq!(divergence(&four, 4), 4.0);
        let sorted: Vec<u32> = (0..64).map(|row| row / 32).collect();
        assert_eq!(divergence(&sorted, 4), 1.0);
        let half: Vec<u32> = (0..64).map(|row| if row < 32 { 0 } else { row % 3 }).collect();
        assert_eq!(divergence(&half, 4), 2.0);
    }
}
