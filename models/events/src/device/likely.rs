//! Mappings that are likely to be the fastest.

use super::chooser::Chooser;
use crate::mapping::{Mapping, WARP};
use imminent_core::{Device, DeviceKind};

/// Number of modules up to which each can have its own warp without loss: a large device has some 500 warp schedulers,
/// and each can handle two.
const MAX_MODULES_WITH_WARPS: usize = 1024;

/// Returns the mappings that are likely to be the fastest for `modules` modules on a kind of device, if simulations do
/// not go on by themselves. If there are several kinds of events, `coming` has that of each module's next event, below
/// `kinds` if there is one.
///
/// [`Mapping::Due`] is not among them: a module that has nothing to do moves a word or two, and on an H200 the launches
/// that list the others took longer than all visits in five of seven large simulations.
pub(super) fn likely(device: DeviceKind, modules: usize, kinds: u32, coming: &[u32]) -> Chooser {
    if kinds < 2 || !has_warps(device) {
        return Chooser::always(Mapping::InOrder);
    }
    match (divergence(coming, kinds) > 1.05, modules <= MAX_MODULES_WITH_WARPS) {
        (false, true) => Chooser::between(Mapping::InOrder, Mapping::Spread),
        (false, false) => Chooser::between(Mapping::InOrder, Mapping::Padded),
        (true, true) => Chooser::between(Mapping::Spread, Mapping::InOrder),
        (true, false) => Chooser::by_weight(Mapping::InOrder, Mapping::Padded),
    }
}

/// Returns `true` if simulations that can should go on by themselves on a device: it lets them in fewer launches, and
/// there is one kind of events. Models with several were not measured.
pub(super) fn goes_apart(device: &Device, kinds: usize) -> bool {
    kinds == 1 && has_warps(device.info().kind) && device.capabilities().loops_in_groups
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
    fn what_is_likely_depends_on_the_device_and_on_kinds() {
        let four: Vec<u32> = (0..5_000).map(|row| row % 4).collect();
        let first = |device, kinds, coming: &[u32]| likely(device, coming.len(), kinds, coming).turn();
        let gpu = DeviceKind::DiscreteGpu;
        assert_eq!(first(gpu, 4, &four), Turn::Trial(Mapping::InOrder, 1));
        assert_eq!(first(gpu, 4, &four[..100]).mapping(), Mapping::Spread);
        assert_eq!(first(gpu, 4, &[0; 100]).mapping(), Mapping::InOrder);
        assert!(matches!(first(gpu, 4, &[0; 5_000]), Turn::For(Mapping::InOrder, _)));
        assert_eq!(first(gpu, 1, &[0; 5_000]), Turn::ToTheEnd(Mapping::InOrder));
        assert_eq!(first(gpu, 1, &[0; 1 << 20]), Turn::ToTheEnd(Mapping::InOrder));
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
