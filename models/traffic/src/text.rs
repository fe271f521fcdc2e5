//! Rates, sizes, times and counts for people.

/// Formats three digits with a suitable prefix.
fn with_prefix(value: f64, prefixes: &[(f64, &str)], unit: &str) -> String {
    let scaled = prefixes.iter().find(|(size, _)| value.abs() >= 0.9995 * size).or(prefixes.last());
    let (size, prefix) = scaled.copied().unwrap_or((1.0, ""));
    let scaled = value / size;
    let digits = if scaled == 0.0 || scaled.abs() >= 99.95 {
        0
    } else if scaled.abs() >= 9.995 {
        1
    } else {
        2
    };
    let text = format!("{scaled:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} {prefix}{unit}")
}

const LARGE: [(f64, &str); 5] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")];

/// Formats a rate in bits per second.
#[must_use]
pub fn bits(rate: f64) -> String {
    with_prefix(rate, &LARGE, "b/s")
}

/// Formats a number of bytes.
#[must_use]
pub fn bytes(bytes: f64) -> String {
    with_prefix(bytes, &LARGE, "B")
}

/// Formats a time in seconds.
#[must_use]
pub fn span(seconds: f64) -> String {
    with_prefix(seconds, &[(1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")], "s")
}

/// Formats a share in per cent.
#[must_use]
pub fn percent(share: f64) -> String {
    match 100.0 * share {
        0.0 => "0 %".to_owned(),
        small if small.abs() < 0.1 => format!("{small:.4} %"),
        other => format!("{other:.2} %"),
    }
}

/// Formats a count with commas between groups of three digits.
#[must_use]
pub fn count(count: u64) -> String {
    let digits = count.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_and_their_prefix() {
        assert_eq!([bits(1e8), bits(2.488e9), bits(0.0)], ["100 Mb/s", "2.49 Gb/s", "0 b/s"]);
        assert_eq!([bytes(5e6), bytes(999.9), bytes(12.34)], ["5 MB", "1 kB", "12.3 B"]);
        assert_eq!([span(0.0005), span(90.0), span(1e-5), span(0.0)], ["500 µs", "90 s", "10 µs", "0 ns"]);
        assert_eq!([count(0), count(999), count(1_000), count(12_345_678)], ["0", "999", "1,000", "12,345,678"]);
        assert_eq!([percent(0.0), percent(0.00012), percent(0.5)], ["0 %", "0.0120 %", "50.00 %"]);
    }
}
