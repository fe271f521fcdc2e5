//! Figures to be measured, and how far an interrupted command came.

use clap::ValueEnum;
use imminent_console::Failure;

/// Returns the requested parts, in order and each once, or all of them.
pub(super) fn in_order<P: ValueEnum + Ord + Copy>(parts: &[P]) -> Vec<P> {
    let mut parts = if parts.is_empty() { P::value_variants().to_vec() } else { parts.to_vec() };
    parts.sort();
    parts.dedup();
    parts
}

/// Describes the part that an interrupted command did not measure; an error if it measured nothing.
pub(super) fn missing(done: u64, all: u64, what: &str) -> Result<Option<String>, Failure> {
    match done {
        _ if done == all => Ok(None),
        0 => Err(Failure::run(format!("interrupted: none of {all} {what} were measured"))),
        _ => Ok(Some(format!("interrupted: {done} of {all} {what} were measured"))),
    }
}

/// Parses a wall time in seconds.
pub(super) fn budget(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("give a number of seconds from 0.001 to 86400".to_owned()),
    }
}
