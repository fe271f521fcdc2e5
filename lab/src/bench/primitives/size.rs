//! Numbers of rows, as written by users.

/// Parses a number, or a power of two: `1000`, `2^20`.
pub(super) fn parse(text: &str) -> Result<u32, String> {
    let number = match text.split_once('^') {
        Some(("2", power)) => power.parse().ok().and_then(|power| 1_u32.checked_shl(power)),
        Some(_) => None,
        None => text.parse().ok(),
    };
    match number {
        Some(rows @ 1..=0x8000_0000) => Ok(rows),
        _ => Err("write a number of rows from 1 to 2^31, for instance 1000 or 2^20".to_owned()),
    }
}

/// Formats a number; powers of two are written as such.
pub(super) fn show(rows: u32) -> String {
    if rows >= 1024 && rows.is_power_of_two() { format!("2^{}", rows.ilog2()) } else { rows.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_shown() {
        assert_eq!((parse("1000"), parse("2^20"), parse("2^0")), (Ok(1000), Ok(1 << 20), Ok(1)));
        for wrong in ["0", "2^32", "2^99", "3^4", "", "2^", "-1", "many"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!((show(1 << 20), show(1000), show(512)), ("2^20".to_owned(), "1000".to_owned(), "512".to_owned()));
    }
}
