//! Memory of this process: what is left, and the check that a run fits into it.

pub use imminent_core::host_memory::{WORTH_ASKING, available as free};

use std::fmt;
use thiserror::Error;

/// A run needs more memory than this process may still allocate.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{option} {asked}: the run would need {} of memory, and {} are available here; {}",
    Bytes(*needed), Bytes(*free), remedy(*most)
)]
pub struct MemoryError {
    /// Name of the option or key that sets the size.
    pub option: String,
    /// Size that it asks for.
    pub asked: u64,
    /// Bytes that a run of this size needs.
    pub needed: u64,
    /// Bytes that are available.
    pub free: u64,
    /// Largest size that fits; 0 if none does.
    pub most: u64,
}

fn remedy(most: u64) -> String {
    match most {
        0 => "not even 1 fits: make the rest of the model smaller, or give the process more memory".to_owned(),
        most => format!("give at most {most}, or give the process more memory"),
    }
}

/// Number of bytes for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut size = self.0 as f64;
        for unit in ["B", "kB", "MB", "GB", "TB", "PB"] {
            if size < 999.5 {
                // Three digits, as many as the size has before its decimal point or more.
                let places = if unit == "B" || size >= 99.95 { 0 } else { 1 + usize::from(size < 9.995) };
                return write!(f, "{size:.places$} {unit}");
            }
            size /= 1000.0;
        }
        write!(f, "{size:.0} EB")
    }
}

/// Checks before a run that its memory is available.
///
/// `bytes` returns the memory of a run of a given size, which must not decrease with the size; it saturates where a sum
/// or product does not fit into 64 bits. The name of the option, or of the key of a configuration, and its size appear
/// in the error, with the largest size that fits.
///
/// ```
/// use imminent_common::free_memory::fits;
///
/// let bytes = |replications: u64| replications.saturating_mul(2_000);
/// assert!(fits("--replications", 10, bytes).is_ok());
/// assert!(fits("--replications", u64::MAX / 4_000, bytes).is_err());
/// ```
///
/// # Errors
/// [`MemoryError`] if the run needs more than is available. Where the system reports nothing, every run fits, and a run
/// of less than [`WORTH_ASKING`] bytes fits everywhere.
pub fn fits(option: &str, asked: u64, bytes: impl Fn(u64) -> u64) -> Result<(), MemoryError> {
    if bytes(asked) < WORTH_ASKING {
        return Ok(());
    }
    free().map_or(Ok(()), |free| fits_into(free, option, asked, bytes))
}

/// Checks that a run needs at most `free` bytes, like [`fits`].
///
/// # Errors
/// [`MemoryError`] if it needs more.
pub fn fits_into(free: u64, option: &str, asked: u64, bytes: impl Fn(u64) -> u64) -> Result<(), MemoryError> {
    let needed = bytes(asked);
    if needed <= free {
        return Ok(());
    }
    // `most` fits unless it is 0, and `asked` does not.
    let (mut most, mut too_many) = (0, asked);
    while too_many - most > 1 {
        let middle = most + (too_many - most) / 2;
        if bytes(middle) <= free { most = middle } else { too_many = middle }
    }
    Err(MemoryError { option: option.to_owned(), asked, needed, free, most })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 100 bytes and 30 for each part: 30 parts need 1,000.
    #[test]
    fn a_run_that_does_not_fit_names_the_largest_that_does() {
        let bytes = |parts: u64| 100 + 30 * parts;
        let check = |free, parts| fits_into(free, "--parts", parts, bytes);
        assert_eq!(check(1_000, 30), Ok(()));
        let most = |free, parts| check(free, parts).map_err(|error| (error.needed, error.most));
        assert_eq!(most(1_000, 31), Err((1_030, 30)));
        assert_eq!(most(1_029, 1_000_000), Err((30_000_100, 30)));
        assert_eq!((most(120, 5), most(50, 0)), (Err((250, 0)), Err((100, 0))));
    }

    #[test]
    fn sizes_have_three_digits() {
        let shown = [0, 999, 1_000, 9_994, 9_996, 99_960, 999_499, 999_600, 23_056_284_000, u64::MAX];
        let shown = shown.map(|bytes| Bytes(bytes).to_string());
        let expected =
            ["0 B", "999 B", "1.00 kB", "9.99 kB", "10.0 kB", "100 kB", "999 kB", "1.00 MB", "23.1 GB", "18 EB"];
        assert_eq!(shown, expected);
    }
}
