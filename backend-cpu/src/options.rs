//! Options of the backend.

use imminent_core::{Error, Result};

/// How to run on the host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Number of threads; as many as the machine has cores if `None`.
    pub threads: Option<usize>,
}

impl Options {
    /// Reads options given as `key=value`: the only key is `threads`.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an unknown key, or a value that is not a number from 1 to 1024.
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
                _ => {
                    return Err(Error::invalid(
                        format!("device option `{key}`"),
                        "the cpu backend does not have it; it has: threads",
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
    }

    #[test]
    fn bad_options_are_named() {
        for (key, value) in [("threads", "0"), ("threads", "many"), ("thread", "2")] {
            let error = Options::parse([(key, value)]).unwrap_err().to_string();
            assert!(error.contains(key), "{error}");
        }
    }
}
