//! Display of numbers in messages.

use std::fmt;

/// A number for display in messages. It has an exponent from 10^15 on and below 10^-4, where its digits would fill the
/// line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shown(pub f64);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number) = *self;
        let size = number.abs();
        if size == 0.0 || !size.is_finite() || (1e-4..1e15).contains(&size) {
            write!(f, "{number}")
        } else {
            write!(f, "{number:e}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_have_an_exponent() {
        let shown: Vec<String> = [0.0, -1.5, 1e-4, 2e-6, 8_796_093_022_208.0, 1e15, -1e300, f64::NAN, f64::INFINITY]
            .map(Shown)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(shown, ["0", "-1.5", "0.0001", "2e-6", "8796093022208", "1e15", "-1e300", "NaN", "inf"]);
    }
}
