//! Size classes: the bytes of a place, and the number of places that share an allocation.

use std::ops::RangeInclusive;

/// Limits of a device on its allocations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolLimits {
    /// Alignment of a place in bytes: a power of two, at least 4.
    pub alignment: u64,
    /// `true` if small places share an allocation.
    pub shared: bool,
    /// Bytes of the largest allocation.
    pub largest: u64,
    /// Number of the source's own store, if allocations are parts of one. The memory of a released part can be in the
    /// next one at once, so a part is kept until the work of all its users is over.
    pub store: Option<usize>,
}

/// Bytes of the largest place that shares an allocation with others, and whose size is rounded up.
const SMALL: u64 = 128 << 10;
/// Bytes of the largest allocation that places share.
const SLAB: u64 = 1 << 20;
/// Largest number of places that share an allocation.
const MAX_PLACES: u64 = 64;
/// Number of places of a class's first shared allocation.
const FIRST_PLACES: u64 = 4;

impl PoolLimits {
    /// Returns the bytes of the place for an allocation: at most a quarter more than requested, or up to the next
    /// boundary. Equal sizes, and most similar ones, get equal places.
    pub(super) fn class(&self, bytes: u64) -> u64 {
        let least = self.alignment.max(4);
        let step = match bytes.checked_next_power_of_two() {
            Some(power) if bytes <= SMALL => (power / 8).max(least),
            _ => least,
        };
        let class = bytes.max(1).checked_next_multiple_of(step).unwrap_or(u64::MAX);
        class.min(self.largest.max(bytes))
    }

    /// Returns the classes whose idle places suit an allocation. Large places are not rounded up when made, but may
    /// serve an allocation that is an eighth smaller.
    pub(super) fn suitable(&self, bytes: u64) -> RangeInclusive<u64> {
        let class = self.class(bytes);
        if bytes <= SMALL { class..=class } else { class..=class.saturating_add(class / 8) }
    }

    /// Returns `true` if places of a class share allocations.
    pub(super) fn shares(&self, class: u64) -> bool {
        self.shared && class <= SMALL
    }

    /// Returns the number of places of a class that share a new allocation, if `busy` of the class are in use.
    pub(super) fn places(&self, class: u64, busy: u64) -> u32 {
        if !self.shares(class) {
            return 1;
        }
        let most = (SLAB.min(self.largest) / class).clamp(1, MAX_PLACES);
        busy.clamp(FIRST_PLACES, MAX_PLACES).min(most) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LIMITS: PoolLimits = PoolLimits { alignment: 256, shared: true, largest: 1 << 30, store: None };

    #[test]
    fn classes_are_few_and_places_begin_at_boundaries() {
        assert_eq!((LIMITS.class(0), LIMITS.class(256), LIMITS.class(257)), (256, 256, 512));
        assert_eq!((LIMITS.class(5000), LIMITS.class(5120), LIMITS.class(5121)), (5120, 5120, 6144));
        assert_eq!((LIMITS.class(u64::MAX), LIMITS.places(u64::MAX, 9)), (u64::MAX, 1));
        assert_eq!((LIMITS.places(256, 0), LIMITS.places(256, 9), LIMITS.places(256, 900)), (4, 9, 64));
        assert_eq!(LIMITS.places(128 << 10, 900), 8);
        let apart = PoolLimits { shared: false, ..LIMITS };
        assert_eq!((apart.places(256, 900), apart.class(5000)), (1, 5120));
    }

    proptest! {
        #[test]
        fn a_place_has_room_and_wastes_little(bytes in 1_u64..1 << 30) {
            let class = LIMITS.class(bytes);
            prop_assert!(class >= bytes && class.is_multiple_of(LIMITS.alignment));
            prop_assert!(class < bytes + bytes / 4 + LIMITS.alignment);
            prop_assert!(LIMITS.suitable(bytes).contains(&class));
            prop_assert!(LIMITS.suitable(bytes).end() - bytes <= bytes / 4 + 2 * LIMITS.alignment);
            let slab = class * u64::from(LIMITS.places(class, 1000));
            prop_assert!(slab <= SLAB.max(class));
        }
    }
}
