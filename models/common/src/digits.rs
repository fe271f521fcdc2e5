//! Numbers for people, with three significant digits.

use crate::estimate::Estimate;

/// Formats a number with three significant digits: as a whole number from 1,000 to 10 million, and as a power of ten if
/// it would have many zeros.
#[must_use]
pub fn three(number: f64) -> String {
    let rounded = format!("{number:.2e}").parse::<f64>().unwrap_or(number);
    if rounded == 0.0 || !rounded.is_finite() {
        return format!("{rounded}");
    }
    match rounded.abs() {
        size if (1e-4..1e3).contains(&size) => {
            let decimals = (2 - size.log10().floor() as i32).max(0) as usize;
            format!("{rounded:.decimals$}")
        }
        size if (1e3..1e7).contains(&size) => format!("{number:.0}"),
        _ => format!("{rounded:.2e}"),
    }
}

/// Formats a mean with the digits that its interval of `half` to both sides leaves: two of those of `half`.
#[must_use]
pub fn mean_beside(mean: f64, half: Option<f64>) -> String {
    match half.filter(|half| (1e-9..1e9).contains(half) && (1e-4..1e9).contains(&mean.abs())) {
        Some(half) => {
            let decimals = (1 - half.log10().floor() as i32).max(0) as usize;
            format!("{mean:.decimals$}")
        }
        None => three(mean),
    }
}

/// Formats a number, or a dash.
#[must_use]
pub fn or_dash(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), three)
}

/// Formats a whole number with commas between thousands.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Formats a mean, and half of its interval if there is one.
#[must_use]
pub fn with_interval(estimate: &Estimate) -> String {
    let half = estimate.half_width().map_or_else(String::new, |half| format!(" ± {}", three(half)));
    estimate.mean.map_or_else(|| "–".to_owned(), |mean| mean_beside(mean, estimate.half_width())) + &half
}

#[cfg(test)]
mod tests {
    use super::{grouped, mean_beside, three};

    #[test]
    fn thousands_are_apart() {
        let texts = [0, 999, 1_000, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_mean_has_the_digits_of_its_interval() {
        let expected = [
            (0.374_708, Some(0.000_303), "0.37471"),
            (5_139.46, Some(12.3), "5139"),
            (5_139.46, Some(0.123), "5139.46"),
            (0.5, None, "0.500"),
            (0.0, Some(0.0), "0"),
        ];
        for (mean, half, text) in expected {
            assert_eq!(mean_beside(mean, half), text);
        }
    }

    #[test]
    fn three_digits_of_numbers_of_any_size() {
        let expected = [
            (0.0, "0"),
            (0.899_96, "0.900"),
            (-0.012_345, "-0.0123"),
            (0.000_012_345, "1.23e-5"),
            (9.996, "10.0"),
            (99.96, "100"),
            (999.4, "999"),
            (999.6, "1000"),
            (12_345.6, "12346"),
            (1.234_5e9, "1.23e9"),
            (f64::INFINITY, "inf"),
        ];
        for (number, text) in expected {
            assert_eq!(three(number), text);
        }
    }
}
