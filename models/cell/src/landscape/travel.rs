//! Time at which fire arrives that crosses bands of weather, for the host engine.

use super::NEVER;
use super::weather::Bands;

/// The whole way between two cells, in units of progress.
const WAY: u64 = 1 << 32;

/// Fire that leaves a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Departure {
    bands: Bands,
    horizon: u32,
    time: u32,
    /// Band of the time.
    pub(super) band: u32,
    /// Last time, at most the horizon, until which delays are those of the band.
    last: u32,
}

impl Departure {
    pub(super) fn new(bands: Bands, horizon: u32, time: u32) -> Self {
        let band = bands.of(time);
        Departure { bands, horizon, time, band, last: 0 }.until(band)
    }

    /// Tells that delays are those of the departure's band until the end of a later one.
    pub(super) fn until(mut self, band: u32) -> Self {
        let end = u64::from(band + 1) * u64::from(self.bands.length);
        let is_last = band + 1 >= self.bands.count || end > u64::from(self.horizon);
        self.last = if is_last { self.horizon } else { end as u32 };
        self
    }

    /// Returns the last time, at most the horizon, until which delays are those of the departure's band.
    #[inline]
    pub(super) const fn last(&self) -> u32 {
        self.last
    }

    /// Returns the time in milliseconds at which the fire arrives, with the delay of its own band and a function that
    /// returns that of another one; [`NEVER`] if that is after the horizon.
    #[inline]
    pub(super) fn arrival(&self, delay: u32, delay_in: impl Fn(u32) -> u32) -> u32 {
        let due = u64::from(self.time) + u64::from(delay);
        if due <= u64::from(self.last) { due as u32 } else { self.later(delay, NEVER, delay_in) }
    }

    /// Returns the time of an arrival after [`Self::last`], or [`NEVER`] if it is not before some time.
    pub(super) fn later(&self, mut delay: u32, before: u32, delay_in: impl Fn(u32) -> u32) -> u32 {
        let (bands, mut band) = (self.bands, self.band);
        let horizon = self.horizon.min(before);
        // Time since which the delay has been this one, and the way that was left then.
        let (mut since, mut left) = (u64::from(self.time), WAY);
        loop {
            let is_last = band + 1 >= bands.count;
            let end = u64::from(band + 1) * u64::from(bands.length);
            if delay != NEVER {
                // At most 2^32 * (2^32 - 1), and less than 2^32 to round up.
                let due = since + ((left * u64::from(delay) + (WAY - 1)) >> 32);
                if is_last || due <= end {
                    return if due > u64::from(horizon) { NEVER } else { due as u32 };
                }
            }
            if is_last || end >= u64::from(horizon) {
                return NEVER;
            }
            band += 1;
            let next = delay_in(band);
            if next != delay {
                if delay != NEVER {
                    left -= (end - since) * WAY / u64::from(delay.max(1));
                }
                since = end;
            }
            delay = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HOURS: Bands = Bands { length: 3_600_000, count: 3 };

    fn at(departure: u32, delays: [u32; 3]) -> u32 {
        arrival(HOURS, departure, 100_000_000, |band| delays[band as usize])
    }

    fn arrival(bands: Bands, time: u32, horizon: u32, delay_in: impl Fn(u32) -> u32) -> u32 {
        let departure = Departure::new(bands, horizon, time);
        departure.arrival(delay_in(departure.band), delay_in)
    }

    #[test]
    fn progress_goes_on_at_the_speed_of_the_next_band() {
        // Constant weather: the delay to the millisecond, across bands too.
        assert_eq!(at(1_000, [5_000; 3]), 6_000);
        assert_eq!(at(0, [10_800_000; 3]), 10_800_000);
        // A third of the way, rounded down, leaves a little more than two thirds.
        assert_eq!(at(0, [10_800_000, 5_400_000, 5_400_000]), 7_200_001);
        // Half of the way in the first hour at a delay of two hours, the rest at half an hour for the whole.
        assert_eq!(at(0, [7_200_000, 1_800_000, 1]), 3_600_000 + 900_000);
        // Arrival at the end of a band is in the band.
        assert_eq!(at(0, [3_600_000, NEVER, NEVER]), 3_600_000);
        assert_eq!(at(1, [3_600_000, NEVER, NEVER]), NEVER);
        // Rain for an hour.
        assert_eq!(at(1_800_000, [3_600_000, NEVER, 1_800_000]), 7_200_000 + 900_000);
        assert_eq!(arrival(HOURS, 10, 20, |_| 11), NEVER);
        assert_eq!(arrival(HOURS, 10, 21, |_| 11), 21);
    }

    proptest! {
        /// Fire that leaves later never arrives earlier, and every way takes time.
        #[test]
        fn travel_is_first_in_first_out(
            length in 1_u32..5_000,
            delays in proptest::collection::vec(prop_oneof![4 => 1_u32..9_000, 1 => Just(NEVER), 1 => 1_u32..u32::MAX], 6),
        ) {
            let bands = Bands { length, count: 6 };
            let mut before = 0;
            for departure in (0..length.saturating_mul(7)).step_by(1 + length as usize / 40) {
                let due = arrival(bands, departure, 1_000_000, |band| delays[band as usize]);
                prop_assert!(due > departure && due >= before, "{departure}: {before} {due}");
                before = due;
            }
        }
    }
}
