//! Clock of the packet simulator, in whole picoseconds.
//!
//! A byte takes 800 ps at 10 Gb/s. At lower rates, the time to send a packet of 1000 bytes is thus rounded by less than
//! 10^-6 of it. A 64-bit clock lasts for more than 200 days.

use crate::units::NEVER;
use imminent_common::exponential::exponential as variate;

/// Picoseconds in a nanosecond.
pub(crate) const NANOSECOND: u64 = 1_000;

/// Picoseconds in a second.
pub const SECOND: u64 = 1_000_000_000_000;

/// Time in which one byte is sent over a link of one bit per second, in picoseconds.
const BYTE: u64 = 8 * SECOND;

/// Converts nanoseconds to picoseconds; [`NEVER`] remains [`NEVER`].
#[must_use]
pub const fn picoseconds(nanoseconds: u64) -> u64 {
    if nanoseconds == NEVER { NEVER } else { nanoseconds.saturating_mul(NANOSECOND) }
}

/// Converts picoseconds to seconds.
#[must_use]
pub fn seconds(picoseconds: u64) -> f64 {
    picoseconds as f64 / SECOND as f64
}

/// Returns the time, to the nearest picosecond, to send `bytes` (at most 2^20) over a link of `rate` bits per second,
/// above 0.
#[must_use]
pub const fn sending(bytes: u32, rate: u64) -> u64 {
    (bytes as u64 * BYTE + rate / 2) / rate
}

/// Returns the time to send any number of bytes, as [`sending`] does; at most half of [`NEVER`].
#[must_use]
pub const fn sending_many(bytes: u64, rate: u64) -> u64 {
    let time = (bytes as u128 * BYTE as u128 + rate as u128 / 2) / rate as u128;
    if time > (NEVER / 2) as u128 { NEVER / 2 } else { time as u64 }
}

/// Returns the number of whole bytes that a link of `rate` bits per second sends in a time.
#[must_use]
pub const fn bytes_in(time: u64, rate: u64) -> u64 {
    (time as u128 * rate as u128 / BYTE as u128) as u64
}

/// Returns an exponentially distributed time of mean `mean` from one random word: the variate of
/// [`imminent_common::exponential`], scaled.
#[must_use]
pub(crate) fn exponential(word: u32, mean: u64) -> u64 {
    ((u128::from(variate(word)) * u128::from(mean)) >> 27) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sending_times_are_exact_where_they_can_be() {
        assert_eq!(
            (sending(1000, 100_000_000), sending(1, 10_000_000_000), sending(40, 3)),
            (80_000_000, 800, 106_666_666_666_667)
        );
        assert_eq!(sending_many(1000, 100_000_000), 80_000_000);
        assert_eq!((bytes_in(80_000_000, 100_000_000), bytes_in(79_999_999, 100_000_000)), (1000, 999));
        assert_eq!((picoseconds(7), picoseconds(NEVER)), (7_000, NEVER));
        assert_eq!(sending(1 << 20, 1), (8 * SECOND) << 20);
    }

    #[test]
    fn exponential_times_have_their_mean() {
        let words = (0..1_u64 << 16).map(|step| (step << 16 | 1 << 15) as u32);
        let sum: u64 = words.map(|word| exponential(word, SECOND) >> 16).sum();
        assert!((sum as f64 / SECOND as f64 - 1.0).abs() < 1e-3, "{sum}");
    }
}
