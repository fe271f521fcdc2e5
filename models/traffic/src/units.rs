//! Units of times, rates and sizes: integers in nanoseconds, bits per second and bytes.
//!
//! Users give seconds and bits per second as decimal numbers. The simulation uses integers, so two simulators that read
//! the same configuration simulate the same network.

/// Nanoseconds in a second.
pub const NANOSECONDS: u64 = 1_000_000_000;

/// Longest allowed time, in nanoseconds: about 58 days, which fits into 64 bits as picoseconds.
pub const LONGEST: u64 = 5_000_000 * NANOSECONDS;

/// Time that is never reached.
pub const NEVER: u64 = u64::MAX;

/// Highest rate of a link or a source, in bits per second: 10 Tb/s.
pub const FASTEST: u64 = 10_000_000_000_000;

/// Speed of light in glass in metres per second: two thirds of its speed in a vacuum.
pub const METRES_PER_SECOND: f64 = 299_792_458.0 * 2.0 / 3.0;

/// Radius of the Earth, as a sphere, in metres.
const EARTH: f64 = 6_371_000.0;

/// Converts seconds to the nearest whole nanosecond; `None` if negative, not finite or beyond [`LONGEST`].
#[must_use]
pub fn nanoseconds(seconds: f64) -> Option<u64> {
    let nanoseconds = (seconds * NANOSECONDS as f64).round();
    (0.0..=LONGEST as f64).contains(&nanoseconds).then_some(nanoseconds as u64)
}

/// Converts nanoseconds to seconds.
#[must_use]
pub fn seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / NANOSECONDS as f64
}

/// Rounds a rate to whole bits per second; `None` if negative, not finite or beyond [`FASTEST`].
#[must_use]
pub fn bits_per_second(rate: f64) -> Option<u64> {
    let rate = rate.round();
    (0.0..=FASTEST as f64).contains(&rate).then_some(rate as u64)
}

/// Returns the length of the great circle between two positions in metres (haversine formula). Positions are longitude
/// and latitude in degrees.
#[must_use]
pub fn great_circle(from: [f64; 2], to: [f64; 2]) -> f64 {
    let [(from_x, from_y), (to_x, to_y)] = [from, to].map(|[x, y]| (x.to_radians(), y.to_radians()));
    let (half_x, half_y) = (((to_x - from_x) / 2.0).sin(), ((to_y - from_y) / 2.0).sin());
    let square = half_y * half_y + from_y.cos() * to_y.cos() * half_x * half_x;
    2.0 * EARTH * square.clamp(0.0, 1.0).sqrt().asin()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_rates_become_whole() {
        assert_eq!(
            (nanoseconds(0.01), nanoseconds(0.4e-9), nanoseconds(5e6)),
            (Some(10_000_000), Some(0), Some(LONGEST))
        );
        for wrong in [-1.0, f64::NAN, f64::INFINITY, 5.1e6] {
            assert_eq!(nanoseconds(wrong), None);
        }
        assert_eq!(
            (bits_per_second(1e8), bits_per_second(1e13), bits_per_second(1.1e13)),
            (Some(100_000_000), Some(FASTEST), None)
        );
        assert!((seconds(1_500_000_000) - 1.5).abs() < 1e-12);
    }

    #[test]
    fn distances_on_the_globe() {
        // A quarter of the equator, half a meridian, and New York to London, which is about 5,570 km.
        let quarter = std::f64::consts::FRAC_PI_2 * EARTH;
        assert!((great_circle([0.0, 0.0], [90.0, 0.0]) - quarter).abs() < 1.0);
        assert!((great_circle([10.0, -90.0], [77.0, 90.0]) - 2.0 * quarter).abs() < 1.0);
        let atlantic = great_circle([-74.006, 40.7128], [-0.1278, 51.5074]);
        assert!((5_560e3..5_580e3).contains(&atlantic), "{atlantic}");
        assert!(great_circle([5.0, 5.0], [5.0, 5.0]).abs() < f64::EPSILON);
    }
}
