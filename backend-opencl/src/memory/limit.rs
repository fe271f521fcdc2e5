//! Limits on allocations: OpenCL has one buffer for each table.

use imminent_core::backend::Shape;
use imminent_core::{Error, Limit, Result};

/// Checks that a memory of a shape may be allocated.
pub(super) fn check(shape: &Shape, most_bytes: u64) -> Result<()> {
    let of = || format!("a {}", shape.name());
    let bytes = shape.bytes();
    if bytes > most_bytes {
        return Err(Error::limit(Limit::Bytes { of: of() }, bytes, most_bytes));
    }
    // Rows are numbered, and a column is measured, in 32 bits.
    let longest = shape.column_words().max(shape.pool_words());
    if longest > u64::from(u32::MAX) {
        return Err(Error::limit(Limit::Rows { of: of() }, longest, u32::MAX));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use imminent_core::ir::{Layout, Scalar};

    fn layout() -> &'static Layout {
        imminent_testkit::layouts::row(&[Scalar::U32, Scalar::U64], &[Scalar::U64, Scalar::U32])
    }

    #[test]
    fn a_shape_that_is_too_large_is_named() {
        let table = Shape::Table { layout: layout(), rows: 10, capacity: 2 };
        assert!(check(&table, 64 * 9 * 4).is_ok());
        let text = check(&table, 64 * 9 * 4 - 1).unwrap_err().to_string();
        assert!(text.contains("`Row`") && text.contains("2304") && text.contains("2303"), "{text}");
        assert!(check(&Shape::Table { layout: layout(), rows: u32::MAX, capacity: 0 }, u64::MAX).is_err());
        let tally = Shape::Tally { scalar: Scalar::U64, slots: 100 };
        assert!(check(&tally, 799).is_err());
        assert!(check(&tally, 800).is_ok());
    }
}
