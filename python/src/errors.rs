//! Exceptions, which `imminent._errors` defines, with the fields of the errors.

use crate::made;
use crate::words::Words;
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
    Device(OfDevice),
    /// The run failed.
    Run(OfDevice),
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

impl Fields {
    /// Fields of a key in a text that Python made.
    fn made(text: &str, key: String, problem: String) -> Self {
        let message = format!("{}: {problem}", made::named(text, &key));
        Self { message, key: Some(key), problem: Some(problem), ..Self::default() }
    }
}

/// Fields of a [`Trouble::Device`] or a [`Trouble::Run`], as far as they are known.
#[derive(Debug, Default)]
pub(crate) struct OfDevice {
    message: String,
    backend: Option<String>,
    device: Option<String>,
    reason: Option<String>,
    remedy: Option<String>,
}

impl OfDevice {
    fn text(message: impl ToString) -> Self {
        Self { message: message.to_string(), ..Self::default() }
    }

    /// Sets the fields that an error of a device has.
    fn with(mut self, error: &imminent::Error) -> Self {
        use imminent::Error;
        let some = |text: &String| Some(text.clone());
        match error {
            Error::Unavailable { backend, reason, remedy, .. } => {
                (self.backend, self.reason, self.remedy) = (some(backend), some(reason), some(remedy));
            }
            Error::Unsupported { backend, device, reason, remedy, .. }
            | Error::Determinism { backend, device, reason, remedy, .. } => {
                (self.backend, self.device) = (some(backend), some(device));
                (self.reason, self.remedy) = (some(reason), some(remedy));
            }
            Error::DeviceLost { backend, device, reason, .. }
            | Error::Driver { backend, device, message: reason, .. }
            | Error::Compile { backend, device, message: reason, .. } => {
                (self.backend, self.device, self.reason) = (some(backend), some(device), some(reason));
            }
            Error::OutOfMemory { backend, device, what, .. } => {
                let reason = format!("no room for {what}");
                (self.backend, self.device, self.reason) = (some(backend), some(device), Some(reason));
            }
            Error::NoDevice { backend, available, .. } => {
                (self.backend, self.reason) = (some(backend), Some(format!("it has {available}")));
            }
            _ => {}
        }
        self
    }
}

impl Trouble {
    /// Creates the trouble of a device from a text.
    pub(crate) fn device(message: impl ToString) -> Self {
        Trouble::Device(OfDevice::text(message))
    }

    /// Creates the trouble of a device that cannot be opened.
    pub(crate) fn not_opened(error: &imminent::Error) -> Self {
        Trouble::Device(OfDevice::text(error).with(error))
    }

    /// Creates the trouble of a run from a text.
    pub(crate) fn run(message: impl ToString) -> Self {
        Trouble::Run(OfDevice::text(message))
    }

    /// Creates the trouble of a run that failed, with the fields of the error of a device that caused it.
    pub(crate) fn failed(fault: &Fault) -> Self {
        let fields = OfDevice::text(fault);
        Trouble::Run(match cause::<imminent::Error>(fault) {
            Some(error) => fields.with(error),
            None => fields,
        })
    }

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

    /// Names arguments as Python does.
    pub(crate) fn worded(mut self, words: &Words<'_>) -> Self {
        match &mut self {
            Trouble::Configuration(of) => {
                words.apply(&mut of.message);
                of.problem.iter_mut().for_each(|problem| words.apply(problem));
            }
            Trouble::Run(of) => words.apply(&mut of.message),
            Trouble::NoResults(message) => words.apply(message),
            Trouble::Device(_) | Trouble::Forked => {}
        }
        self
    }

    /// Creates the trouble of a configuration from a fault, with the fields of the TOML error that caused it. `made` is
    /// the text, if Python made it.
    pub(crate) fn fault(fault: &Fault, made: Option<&str>) -> Self {
        match cause::<TomlError>(fault) {
            Some(error) => Self::toml(error.clone(), made),
            None => Self::configuration(fault),
        }
    }

    /// Creates the trouble of a TOML text. Of one that Python made, it tells the key and no line.
    pub(crate) fn toml(error: TomlError, made: Option<&str>) -> Self {
        let message = error.to_string();
        Trouble::Configuration(match (error, made) {
            (TomlError::Value { key, problem, .. }, Some(text)) => Fields::made(text, key, problem),
            (TomlError::Syntax { line: Some(line), reason, .. }, Some(text)) => {
                Fields::made(text, made::key(text, line), reason)
            }
            (TomlError::Syntax { quote, reason, .. }, Some(_)) => return Self::configuration(quote + &reason),
            (TomlError::Value { file, line, key, problem }, None) => {
                Fields { message, file, line, key: Some(key), problem: Some(problem) }
            }
            (TomlError::Syntax { file, line, reason, .. }, None) => {
                Fields { message, file: Some(file), line, problem: Some(reason), key: None }
            }
            (TomlError::Input(_), _) => Fields { message, ..Fields::default() },
        })
    }
}

/// Returns the first error of a type among a fault and its causes.
fn cause<E: Error + 'static>(fault: &Fault) -> Option<&E> {
    let mut error: Option<&(dyn Error + 'static)> = Some(fault.as_ref());
    while let Some(now) = error {
        if let Some(found) = now.downcast_ref::<E>() {
            return Some(found);
        }
        error = now.source();
    }
    None
}

impl From<Trouble> for PyErr {
    fn from(trouble: Trouble) -> PyErr {
        Python::attach(|py| raised(py, trouble).unwrap_or_else(|error| error))
    }
}

/// Sets the fields of a device's error, and returns the message.
fn set(fields: &Bound<'_, PyDict>, of: OfDevice) -> PyResult<String> {
    fields.set_item("backend", of.backend)?;
    fields.set_item("device", of.device)?;
    fields.set_item("reason", of.reason)?;
    fields.set_item("remedy", of.remedy)?;
    Ok(of.message)
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
        Trouble::Device(of) => ("DeviceError", set(&fields, of)?),
        Trouble::Run(of) => ("RunError", set(&fields, of)?),
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
