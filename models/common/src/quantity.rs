//! Rates, times and sizes as text: a number, and perhaps a unit, such as `100 Mbit/s`, `5ms` or `250 kB`.

/// Smallest plausible bandwidth that a bare number gives, in bits per second. A backbone of 100 bit/s has its number in
/// Mb/s.
const MIN_RATE: f64 = 1e6;

/// Longest plausible delay that a bare number gives, in seconds. The way over a geostationary satellite takes 0.27 s.
const LONGEST_TIME: f64 = 0.5;

/// Number with the factor of its unit, `None` for a bare number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantity {
    number: f64,
    factor: Option<f64>,
}

impl Quantity {
    /// Reads a rate such as `100 Mbps`, `1Gbit/s` or `1e9`.
    #[must_use]
    pub fn rate(text: &str) -> Option<Self> {
        Self::read(text, rate_unit)
    }

    /// Reads a time such as `5ms`, `0.25 s` or `0.005`.
    #[must_use]
    pub fn time(text: &str) -> Option<Self> {
        Self::read(text, time_unit)
    }

    /// Reads a size such as `250 kB`, `1 MiB` or `1500`.
    #[must_use]
    pub fn size(text: &str) -> Option<Self> {
        Self::read(text, size_unit)
    }

    fn read(text: &str, unit: impl Fn(&str) -> Option<f64>) -> Option<Self> {
        let text = text.trim();
        // An exponent belongs to the number, and other letters to the unit.
        let ends = text.char_indices().rev().map(|(at, letter)| at + letter.len_utf8()).take(40);
        let (number, rest) = ends.filter_map(|end| text.split_at_checked(end)).find_map(|(number, rest)| {
            let digit = number.ends_with(|letter: char| letter.is_ascii_digit() || letter == '.');
            Some((number.parse::<f64>().ok().filter(|number| digit && number.is_finite())?, rest.trim()))
        })?;
        let factor = if rest.is_empty() { None } else { Some(unit(rest)?) };
        Some(Self { number, factor })
    }

    /// Returns `true` for a number without a unit.
    #[must_use]
    pub fn is_bare(self) -> bool {
        self.factor.is_none()
    }

    /// Returns the value in bits per second or seconds; `bare` is the unit of bare numbers.
    #[must_use]
    pub fn value(self, bare: Option<f64>) -> f64 {
        self.number * self.factor.or(bare).unwrap_or(1.0)
    }

    /// Returns `true` for a bare number that is hardly a bandwidth in bits per second.
    #[must_use]
    pub fn is_slow(self) -> bool {
        self.is_bare() && self.number < MIN_RATE
    }

    /// Returns `true` for a bare number that is hardly a delay in seconds.
    #[must_use]
    pub fn is_long(self) -> bool {
        self.is_bare() && self.number > LONGEST_TIME
    }
}

/// Returns the bits per second in a unit: `bps`, `kbit/s`, `Mbps`, `G`, or bytes with a capital B, as in `MB/s`.
#[must_use]
pub fn rate_unit(text: &str) -> Option<f64> {
    let text = text.trim();
    let per_second = ["/s", "/sec", "ps"].into_iter().find_map(|end| text.strip_suffix(end));
    let what = per_second.unwrap_or(text).trim_end();
    let (prefix, factor) = match what.chars().next()? {
        'k' | 'K' => (1, 1e3),
        'm' | 'M' => (1, 1e6),
        'g' | 'G' => (1, 1e9),
        't' | 'T' => (1, 1e12),
        _ => (0, 1.0),
    };
    match what.split_at_checked(prefix)?.1 {
        "b" | "bit" | "bits" | "Bit" | "Bits" => Some(factor),
        "" if per_second.is_none() => Some(factor),
        "B" | "byte" | "bytes" | "Byte" | "Bytes" => Some(8.0 * factor),
        _ => None,
    }
}

/// Returns the seconds in a unit: `s`, `ms`, `us`, `µs` or `ns`.
#[must_use]
pub fn time_unit(text: &str) -> Option<f64> {
    match text.trim() {
        "s" | "sec" | "second" | "seconds" => Some(1.0),
        "ms" | "msec" | "millisecond" | "milliseconds" => Some(1e-3),
        "us" | "µs" | "μs" | "usec" | "microsecond" | "microseconds" => Some(1e-6),
        "ns" | "nsec" | "nanosecond" | "nanoseconds" => Some(1e-9),
        _ => None,
    }
}

/// Returns the bytes in a unit: `B`, `kB`, `MB` or `GB`, and `KiB`, `MiB` or `GiB`, of powers of 1024.
#[must_use]
pub fn size_unit(text: &str) -> Option<f64> {
    match text.trim() {
        "B" | "byte" | "bytes" => Some(1.0),
        "kB" | "KB" => Some(1e3),
        "MB" => Some(1e6),
        "GB" => Some(1e9),
        "KiB" => Some(1024.0),
        "MiB" => Some(1_048_576.0),
        "GiB" => Some(1_073_741_824.0),
        _ => None,
    }
}

/// Returns the value of a text in the unit of a key: `bit/s`, `s` or `B`. A bare number is in that unit.
#[must_use]
pub fn in_unit(text: &str, unit: &str) -> Option<f64> {
    let quantity = match unit {
        "bit/s" => Quantity::rate(text)?,
        "s" => Quantity::time(text)?,
        "B" => Quantity::size(text)?,
        _ => return None,
    };
    Some(quantity.value(None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_and_times_have_units() {
        let rate = |text| Quantity::rate(text).map(|rate| (rate.value(Some(1e6)), rate.is_bare()));
        for (text, expected) in [
            ("100 Mbit", 1e8),
            ("100Mbps", 1e8),
            ("1Gbps", 1e9),
            ("1.5e3 kbit/s", 1.5e6),
            ("10G", 1e10),
            ("9600 bps", 9600.0),
            ("2 MB/s", 16e6),
            ("155 mbps", 155e6),
        ] {
            assert_eq!(rate(text), Some((expected, false)), "{text}");
        }
        assert_eq!((rate("100"), rate(" 1e3 ")), (Some((1e8, true)), Some((1e9, true))));
        for text in ["", "fast", "nan", "inf", "NaN Mbps", "1 MBPS", "1 parsec", "5 ms", "1,000", "Mbps", "1 Mps"] {
            assert_eq!(rate(text), None, "{text}");
        }
        let time = |text| Quantity::time(text).map(|time| time.value(Some(1e-3)));
        for (text, expected) in
            [("5ms", 5e-3), ("0.25 s", 0.25), ("7 µs", 7.0 * 1e-6), ("5", 5e-3), ("2e2us", 2e2 * 1e-6)]
        {
            assert_eq!(time(text), Some(expected), "{text}");
        }
        assert_eq!([time("5 m"), time("nan"), time("5 ms s"), time("µ")], [None; 4]);
    }

    #[test]
    fn values_are_in_the_unit_of_a_key() {
        for (text, unit, expected) in [
            ("100 Mbit/s", "bit/s", Some(1e8)),
            ("5ms", "s", Some(0.005)),
            ("5", "s", Some(5.0)),
            ("250 kB", "B", Some(250_000.0)),
            ("1MiB", "B", Some(1_048_576.0)),
            ("5 kB", "bit/s", Some(40_000.0)),
            ("5 kbit", "B", None),
            ("5 m", "m", None),
            ("5 Mb/s", "s", None),
        ] {
            assert_eq!(in_unit(text, unit), expected, "{text} in {unit}");
        }
    }

    #[test]
    fn bare_numbers_of_other_units_are_implausible() {
        let [slow, fast, stated] = ["100", "1e6", "100 bps"].map(|text| Quantity::rate(text).unwrap().is_slow());
        assert_eq!((slow, fast, stated), (true, false, false));
        let [long, short, stated] = ["5", "0.27", "5 s"].map(|text| Quantity::time(text).unwrap().is_long());
        assert_eq!((long, short, stated), (true, false, false));
    }
}
