//! Options of the backend.

use imminent_core::{Error, Result};
use std::time::Duration;

/// Options for running on the host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Number of threads; the number of cores if `None`.
    pub threads: Option<usize>,
    /// `true` if primitives run in their portable forms, which tests compare with the backend's own.
    pub portable_primitives: bool,
    /// Bytes that tables, tallies and results may take together.
    pub memory_limit: Option<u64>,
    /// Interval between progress reports of a running program; 20 ms if `None`, after each step if zero.
    pub progress_every: Option<Duration>,
}

impl Options {
    /// Reads options given as `key=value`: `threads`, a number; `primitives`, `native` or `portable`; `memory-limit`, a
    /// number of bytes; `progress-every`, a number of milliseconds; `faults`, only `operands`, since the CPU always
    /// reports them.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an unknown key, a number of threads outside 1 to 1024, or an invalid value.
    pub fn parse<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Options> {
        let mut options = Options::default();
        for (key, value) in pairs {
            match (key, value.parse::<usize>()) {
                ("threads", Ok(threads @ 1..=1024)) => options.threads = Some(threads),
                ("threads", _) => {
                    return Err(Error::invalid(
                        "device option `threads`",
                        format!("`{value}` is not a number from 1 to 1024"),
                    ));
                }
                ("memory-limit", _) => match value.parse() {
                    Ok(bytes) => options.memory_limit = Some(bytes),
                    Err(_) => {
                        return Err(Error::invalid(
                            "device option `memory-limit`",
                            format!("`{value}` is not a number of bytes"),
                        ));
                    }
                },
                ("progress-every", _) => match value.parse() {
                    Ok(milliseconds) => options.progress_every = Some(Duration::from_millis(milliseconds)),
                    Err(_) => {
                        return Err(Error::invalid(
                            "device option `progress-every`",
                            format!("`{value}` is not a number of milliseconds"),
                        ));
                    }
                },
                ("primitives", _) => match value {
                    "native" => options.portable_primitives = false,
                    "portable" => options.portable_primitives = true,
                    _ => {
                        return Err(Error::invalid(
                            "device option `primitives`",
                            format!("`{value}` is not `native` or `portable`"),
                        ));
                    }
                },
                ("faults", _) if value == "operands" => {}
                ("faults", _) => {
                    return Err(Error::invalid(
                        "device option `faults`",
                        format!("`{value}` is not `operands`, which the cpu backend always reports"),
                    ));
                }
                _ => {
                    return Err(Error::invalid(
                        format!("device option `{key}`"),
                        "the cpu backend does not have it; it has: threads, primitives, memory-limit, progress-every, faults",
                    ));
                }
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn threads_are_read() {
        assert_eq!(Options::parse([("threads", "3")]).unwrap().threads, Some(3));
        assert_eq!(Options::parse([]).unwrap(), Options::default());
        assert!(Options::parse([("primitives", "portable")]).unwrap().portable_primitives);
        assert_eq!(Options::parse([("faults", "operands")]).unwrap(), Options::default());
        let often = Options::parse([("progress-every", "0")]).unwrap();
        assert_eq!(often.progress_every, Some(Duration::ZERO));
    }

    #[test]
    fn bad_options_are_named() {
        for (key, value) in [
            ("threads", "0"),
            ("threads", "many"),
            ("thread", "2"),
            ("memory-limit", "much"),
            ("primitives", "fast"),
            ("progress-every", "-1"),
            ("faults", "places"),
        ] {
            let error = Options::parse([(key, value)]).unwrap_err().to_string();
            assert!(error.contains(key), "{error}");
        }
    }
}
