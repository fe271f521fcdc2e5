//! Options of the backend.

use imminent_core::backend::{DeviceOption, OptionTable};
use imminent_core::{Error, Result};
use std::str::FromStr;
use std::time::Duration;

/// Options for running on the host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// `threads=NUMBER`: number of threads; the number of cores if `None`.
    pub threads: Option<usize>,
    /// `primitives=native|portable`: `true` if primitives run in their portable forms, which tests compare with the
    /// backend's own.
    pub portable_primitives: bool,
    /// `memory-limit=BYTES`: bytes that tables, tallies and results may take together.
    pub memory_limit: Option<u64>,
    /// `progress-every=MILLISECONDS`: interval between progress reports of a running program; 20 ms if `None`, after
    /// each step if zero.
    pub progress_every: Option<Duration>,
}

const TABLE: OptionTable<Options> = OptionTable::new(
    "cpu",
    &[
        DeviceOption::of("threads", "NUMBER", "a number from 1 to 1024", |to, value| {
            to.threads = Some(value.parse().ok().filter(|threads| (1..=1024).contains(threads))?);
            Some(())
        }),
        DeviceOption::choice("primitives", "native|portable", |to, value| {
            to.portable_primitives = value == "portable";
            Some(())
        }),
        DeviceOption::of("memory-limit", "BYTES", "a number of bytes", |to, value| {
            to.memory_limit = Some(value.parse().ok()?);
            Some(())
        }),
        DeviceOption::of("progress-every", "MILLISECONDS", "a number of milliseconds", |to, value| {
            to.progress_every = Some(Duration::from_millis(value.parse().ok()?));
            Some(())
        }),
        // The host always reports operands. The option exists because one selection may serve several backends.
        DeviceOption::choice("faults", "operands", |_, _| Some(())),
    ],
);

impl Options {
    /// Sets one option.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an unknown key (the known ones are listed) and for a value that the key does not take.
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        TABLE.set(self, key, value)
    }
}

impl FromStr for Options {
    type Err = Error;

    /// Reads `KEY=VALUE` pairs, separated by commas or white space.
    fn from_str(text: &str) -> Result<Options> {
        let mut options = Options::default();
        TABLE.set_all(&mut options, text)?;
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn pairs_are_read() {
        let options: Options =
            "threads=3 primitives=portable,memory-limit=70 progress-every=0,faults=operands".parse().unwrap();
        let expected = Options {
            threads: Some(3),
            portable_primitives: true,
            memory_limit: Some(70),
            progress_every: Some(Duration::ZERO),
        };
        assert_eq!(options, expected);
    }

    #[test]
    fn bad_options_are_named() {
        for pair in [
            "threads=0",
            "threads=1025",
            "threads=many",
            "thread=2",
            "memory-limit=much",
            "primitives=fast",
            "progress-every=-1",
            "faults=places",
        ] {
            let error = pair.parse::<Options>().unwrap_err().to_string();
            assert!(error.contains(pair.split('=').next().unwrap()), "{error}");
        }
    }
}
