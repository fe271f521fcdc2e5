//! Options of devices, given as `KEY=VALUE` pairs: one table for each backend reads, checks and lists them.

use crate::error::{Error, Result};
use serde::de::DeserializeOwned;
use serde::de::value::{Error as Unknown, StrDeserializer};

/// An option of a device, in a backend's options `O`.
#[derive(Clone, Copy, Debug)]
pub struct DeviceOption<O> {
    key: &'static str,
    /// Values, separated by `|`. A word in capitals stands for values of a kind.
    values: &'static str,
    /// Values in words; `None` if `values` lists all of them.
    words: Option<&'static str>,
    set: fn(&mut O, &str) -> Option<()>,
}

impl<O> DeviceOption<O> {
    /// Creates an option with a fixed choice of values, such as `auto|on|off`. `set` gets only these.
    #[must_use]
    pub const fn choice(key: &'static str, values: &'static str, set: fn(&mut O, &str) -> Option<()>) -> Self {
        DeviceOption { key, values, words: None, set }
    }

    /// Creates an option with other values, such as `auto|off|FOLDER`. `words` describes them in errors, after "it
    /// takes". `set` returns `None` for a value that the option does not take.
    #[must_use]
    pub const fn of(
        key: &'static str,
        values: &'static str,
        words: &'static str,
        set: fn(&mut O, &str) -> Option<()>,
    ) -> Self {
        DeviceOption { key, values, words: Some(words), set }
    }

    fn try_set(&self, options: &mut O, value: &str) -> Option<()> {
        let listed = self.words.is_some() || self.values.split('|').any(|known| known == value);
        listed.then(|| (self.set)(options, value)).flatten()
    }

    fn takes(&self) -> String {
        match (self.words, self.values.rsplit_once('|')) {
            (Some(words), _) => words.to_owned(),
            (None, Some((first, last))) => format!("{} or {last}", first.replace('|', ", ")),
            (None, None) => format!("only {}", self.values),
        }
    }
}

/// All options of a backend's devices.
#[derive(Clone, Copy, Debug)]
pub struct OptionTable<O: 'static> {
    backend: &'static str,
    options: &'static [DeviceOption<O>],
    /// Options that several backends take.
    shared: &'static [DeviceOption<O>],
}

impl<O> OptionTable<O> {
    /// Creates the table of a backend of this name.
    #[must_use]
    pub const fn new(backend: &'static str, options: &'static [DeviceOption<O>]) -> Self {
        OptionTable { backend, options, shared: &[] }
    }

    /// Adds options that several backends take. They are listed after those of the backend.
    #[must_use]
    pub const fn and(self, shared: &'static [DeviceOption<O>]) -> Self {
        OptionTable { backend: self.backend, options: self.options, shared }
    }

    fn all(&self) -> impl Iterator<Item = &'static DeviceOption<O>> {
        self.options.iter().chain(self.shared)
    }

    /// Sets one option.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an unknown key (the error lists the known ones) and for a value that the key does not
    /// take (the error lists those that it takes).
    pub fn set(&self, options: &mut O, key: &str, value: &str) -> Result<()> {
        let Some(option) = self.all().find(|option| option.key == key) else {
            return Err(self.unknown(key));
        };
        let what = || format!("{} option `{key}={value}`", self.backend);
        let wrong = || Error::invalid(what(), format!("it takes {}", option.takes()));
        option.try_set(options, value).ok_or_else(wrong)
    }

    /// Sets the options in a text of `KEY=VALUE` pairs, separated by commas or white space.
    ///
    /// # Errors
    /// [`Error::Invalid`] as for [`OptionTable::set`], and for a word without `=`.
    pub fn set_all(&self, options: &mut O, text: &str) -> Result<()> {
        for pair in text.split([',', ' ', '\t', '\n']).filter(|pair| !pair.is_empty()) {
            let Some((key, value)) = pair.split_once('=') else {
                let known = format!("write KEY=VALUE; the options are {}", self.known());
                return Err(Error::invalid(format!("{} option `{pair}`", self.backend), known));
            };
            self.set(options, key.trim(), value.trim())?;
        }
        Ok(())
    }

    /// Returns a list of all options with their values.
    #[must_use]
    pub fn known(&self) -> String {
        let pairs: Vec<String> = self.all().map(|option| format!("{}={}", option.key, option.values)).collect();
        pairs.join(", ")
    }

    /// Returns the error for an unknown key. Keys that were once written with underscores get the present spelling.
    fn unknown(&self, key: &str) -> Error {
        let hyphened = key.replace('_', "-");
        let reason = if self.all().any(|option| option.key == hyphened) {
            format!("its name is `{hyphened}`")
        } else {
            format!("there is no such option; the options are {}", self.known())
        };
        Error::invalid(format!("{} option `{key}`", self.backend), reason)
    }
}

/// Returns the variant of a unit-only enum that serde knows by this name.
#[must_use]
pub fn variant<T: DeserializeOwned>(name: &str) -> Option<T> {
    T::deserialize(StrDeserializer::<Unknown>::new(name)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Faults;

    #[derive(Debug, Default, PartialEq)]
    struct Options {
        faults: Faults,
        memory_limit: Option<u64>,
    }

    const TABLE: OptionTable<Options> = OptionTable::new(
        "slow",
        &[
            DeviceOption::choice("faults", "places|operands", |to, value| {
                to.faults = variant(value)?;
                Some(())
            }),
            DeviceOption::of("memory-limit", "BYTES", "a number of bytes", |to, value| {
                to.memory_limit = Some(value.parse().ok()?);
                Some(())
            }),
        ],
    );

    fn read(text: &str) -> std::result::Result<Options, String> {
        let mut options = Options::default();
        TABLE.set_all(&mut options, text).map_err(|error| error.to_string())?;
        Ok(options)
    }

    #[test]
    fn pairs_are_read() {
        assert_eq!(read(" \n"), Ok(Options::default()));
        let both = Options { faults: Faults::Operands, memory_limit: Some(70) };
        assert_eq!(read("faults=operands,memory-limit=70"), Ok(both));
        assert_eq!(read("memory-limit=1 memory-limit=2").map(|options| options.memory_limit), Ok(Some(2)));
    }

    #[test]
    fn errors_name_option_value_and_what_is_taken() {
        let known = "faults=places|operands, memory-limit=BYTES";
        for (text, named, remedy) in [
            ("faults=all", "slow option `faults=all`", "it takes places or operands"),
            ("memory-limit=much", "slow option `memory-limit=much`", "it takes a number of bytes"),
            ("memory-limit=", "slow option `memory-limit=`", "it takes a number of bytes"),
            ("threads=3", "slow option `threads`", known),
            ("memory_limit=3", "slow option `memory_limit`", "its name is `memory-limit`"),
            ("faults", "slow option `faults`", known),
        ] {
            let error = read(text).err().unwrap_or_default();
            assert!(error.contains(named) && error.contains(remedy), "{text}: {error}");
        }
    }
}
