//! Rates of packets, and the whole microseconds between two of them.

use super::ConfigError;
use super::units::refused;
use crate::traffic::Arrivals;

/// Greatest share by which whole microseconds may change a rate.
const TOLERANCE: f64 = 0.005;

/// Longest mean time between two packets in µs.
const LONGEST: f64 = u32::MAX as f64;

/// Returns the mean of times between packets in whole µs: exponential ones are rounded, to 1 µs at least.
fn mean(gap: f64, arrivals: Arrivals) -> f64 {
    match arrivals {
        Arrivals::Constant => gap,
        // The mean of round(X) is 1 / (2 sinh(1 / 2g)), and what is rounded to 0 becomes 1.
        Arrivals::Poisson => 0.5 / (0.5 / gap).sinh() - (-0.5 / gap).exp_m1(),
    }
}

/// Returns the time between two packets of a rate, in µs. A rate that whole µs would change is refused.
pub(super) fn gap(key: &str, rate: f64, arrivals: Arrivals, remedy: &str) -> Result<u64, ConfigError> {
    let exact = 1e6 / rate;
    if rate.is_nan() || rate <= 0.0 {
        let problem = format!("{rate} packets a second are not possible; give a number above 0, or {remedy}");
        return Err(refused(key, problem));
    }
    if exact > LONGEST {
        let least = 1e6 / LONGEST;
        return Err(refused(
            key,
            format!("{rate} packets a second are too few; give at least {least:.6}, or {remedy}"),
        ));
    }
    let changes = |gap: f64| (mean(gap, arrivals) / exact - 1.0).abs();
    let whole = exact.round().max(1.0);
    if changes(whole) <= TOLERANCE {
        return Ok(whole as u64);
    }
    // Shorter times than these are changed by more, whatever the rate is.
    let (least, of) = match arrivals {
        Arrivals::Constant => (1.0, ""),
        Arrivals::Poisson => (11.0, " for `poisson`"),
    };
    let why = "as times between packets are whole µs";
    let problem = if exact < least {
        format!("{rate} packets a second are too many{of}, {why}; give at most {:.0}", (1e6 / least).floor())
    } else {
        let [now, fewer, more] = [whole, exact.ceil(), exact.floor()].map(|gap| 1e6 / gap);
        format!("{rate} packets a second would be {now:.0}, {why}; give {fewer:.3}, {more:.3}, or at most 10000")
    };
    Err(refused(key, problem))
}

#[cfg(test)]
mod tests {
    use super::*;
    use imminent_common::exponential::exponential;

    fn text(rate: f64, arrivals: Arrivals) -> String {
        gap("traffic.rate", rate, arrivals, "`senders = 0`").unwrap_err().to_string()
    }

    /// Rates up to 10,000 a second are kept within 0.5 %, and above those that whole µs have.
    #[test]
    fn rates_are_kept_or_refused() {
        let constant = |rate: f64| gap("traffic.rate", rate, Arrivals::Constant, "");
        for step in 1..=4000 {
            let rate = 2.5 * f64::from(step);
            let found = 1e6 / constant(rate).unwrap() as f64;
            assert!((found / rate - 1.0).abs() <= 0.005, "{rate} a second become {found}");
        }
        for (rate, gap) in [(12_500.0, 80), (50_000.0, 20), (1e6, 1), (1e6 / 83.0, 83), (2.4e-4, 4_166_666_667)] {
            assert_eq!(constant(rate), Ok(gap), "{rate}");
        }
        let texts = [text(0.0, Arrivals::Constant), text(-1.0, Arrivals::Poisson), text(f64::NAN, Arrivals::Constant)];
        let others =
            [text(1e-4, Arrivals::Constant), text(30_000.0, Arrivals::Constant), text(2e6, Arrivals::Constant)];
        let poisson = [30_000.0, 120_000.0, f64::INFINITY].map(|rate| text(rate, Arrivals::Poisson));
        insta::assert_snapshot!(texts.into_iter().chain(others).chain(poisson).collect::<Vec<_>>().join("\n"));
    }

    /// The remedies of the errors are rates that are taken.
    #[test]
    fn remedies_are_rates_that_are_taken() {
        for rate in [29_411.765, 33_333.333, 1e6, 10_000.0, 1e6 / f64::from(u32::MAX) + 1e-6] {
            assert!(gap("", rate, Arrivals::Constant, "").is_ok(), "{rate}");
        }
        for rate in [29_411.765, 33_333.333, 90_909.0, 10_000.0] {
            assert!(gap("", rate, Arrivals::Poisson, "").is_ok(), "{rate}");
        }
    }

    /// The mean that is computed is that of times as the simulation rounds them, over a grid of all words.
    #[test]
    fn the_mean_of_rounded_exponential_times_is_known() {
        for gap in [1_u64, 3, 10, 40] {
            let words = 1 << 20;
            let of = |step: u32| {
                let scaled = u64::from(exponential(step * 4096 + 2048)) * gap;
                ((scaled + (1 << 26)) >> 27).max(1)
            };
            let found = (0..words).map(of).sum::<u64>() as f64 / f64::from(words);
            let expected = mean(gap as f64, Arrivals::Poisson);
            assert!((found / expected - 1.0).abs() < 1e-3, "{gap}: {found} instead of {expected}");
        }
    }
}
