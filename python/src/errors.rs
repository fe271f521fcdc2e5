//! Exceptions, which `imminent._errors` defines, with the fields of the errors.

use imminent::models::study::laboratory::Fault;
use imminent::models::toml_text::TomlError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::error::Error;

/// Reason why a call of Python fails.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The configuration, or a value that was given for it, asks for something impossible.
    Configuration(Fields),
    /// There is no such device, or it cannot be opened.
    Device(String),
    /// The run failed.
    Run(String),
    /// The run was interrupted before it had results.
    NoResults(String),
    /// The process is the fork of one that had used the package.
    Forked,
}

/// Fields of a [`Trouble::Configuration`].
#[derive(Debug, Default)]
pub(crate) struct Fields {
    message: String,
    file: Option<String>,
    line: Option<usize>,
    key: Option<String>,
    problem: Option<String>,
}

impl Trouble {
    /// Creates the trouble of a configuration from a text.
    pub(crate) fn configuration(message: impl ToString) -> Self {
        Trouble::Configuration(Fields { message: message.to_string(), ..Fields::default() })
    }

    /// Creates the trouble of a value that was given for a key.
    pub(crate) fn of_key(key: &str, problem: impl ToString) -> Self {
        let problem = problem.to_string();
        let message = format!("{key}: {problem}");
        Trouble::Configuration(Fields {
            message,
            key: Some(key.to_owned()),
            problem: Some(problem),
            ..Fields::default()
        })
    }

    /// Creates the trouble of a configuration from a fault, with the fields of the TOML error that caused it.
    pub(crate) fn fault(fault: &Fault, is_written_here: bool) -> Self {
        let mut error: Option<&(dyn Error + 'static)> = Some(fault.as_ref());
        while let Some(now) = error {
            if let Some(toml) = now.downcast_ref::<TomlError>() {
                return Self::toml(toml.clone(), is_written_here);
            }
            error = now.source();
        }
        Self::configuration(fault)
    }

    /// Creates the trouble of a TOML text. The lines of one that Python did not write are left out.
    pub(crate) fn toml(error: TomlError, is_written_here: bool) -> Self {
        let error = match error {
            TomlError::Value { key, problem, .. } if is_written_here => TomlError::value(&key, problem),
            TomlError::Syntax { reason, quote, .. } if is_written_here => {
                return Self::configuration(format!("{quote}{reason}"));
            }
            other => other,
        };
        let message = error.to_string();
        Trouble::Configuration(match error {
            TomlError::Value { file, line, key, problem } => {
                Fields { message, file, line, key: Some(key), problem: Some(problem) }
            }
            TomlError::Syntax { file, line, reason, .. } => {
                Fields { message, file: Some(file), line, problem: Some(reason), key: None }
            }
            TomlError::Input(_) => Fields { message, ..Fields::default() },
        })
    }
}

impl From<Trouble> for PyErr {
    fn from(trouble: Trouble) -> PyErr {
        Python::attach(|py| raised(py, trouble).unwrap_or_else(|error| error))
    }
}

/// Makes the exception.
fn raised(py: Python<'_>, trouble: Trouble) -> PyResult<PyErr> {
    let fields = PyDict::new(py);
    let (class, message) = match trouble {
        Trouble::Configuration(of) => {
            fields.set_item("file", of.file)?;
            fields.set_item("line", of.line)?;
            fields.set_item("key", of.key)?;
            fields.set_item("problem", of.problem)?;
            ("ConfigurationError", of.message)
        }
        Trouble::Device(message) => ("DeviceError", message),
        Trouble::Run(message) => ("RunError", message),
        Trouble::NoResults(message) => ("NoResultsError", message),
        Trouble::Forked => (
            "ForkError",
            "this process was forked after its parent had used Imminent, whose threads and devices a fork lacks: \
             start processes with multiprocessing.get_context(\"spawn\")"
                .to_owned(),
        ),
    };
    let class = py.import("imminent._errors")?.getattr(class)?;
    Ok(PyErr::from_value(class.call((message,), Some(&fields))?))
}
