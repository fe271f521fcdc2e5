//! `imminent convert`.

use clap::Args;
use imminent::models::queueing::config::{ConversionError, Form, NetworkConfig};
use imminent_console::Failure;
use std::fs;
use std::path::PathBuf;

/// Options of `imminent convert`.
#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// File of a queueing network: TOML, GraphML, or a model of JSIMgraph.
    from: PathBuf,
    /// File to write, which must not be there: `NAME.jsimg` for JSIMgraph; or `NAME.toml`, from a model of JSIMgraph.
    to: PathBuf,
}

impl Convert {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let to = self.to.display();
        let form = Form::of(&self.to).ok_or_else(|| {
            Failure::usage(format!("{to}: is written neither as TOML nor for JSIMgraph: name it .toml or .jsimg"))
        })?;
        if self.to.exists() {
            return Err(Failure::usage(format!("{to}: is there already; give another name")));
        }
        let config = NetworkConfig::from_file(&self.from).map_err(Failure::usage)?;
        let name = self.to.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = config.written(form, &name).map_err(|error| Failure::usage(self.located(error)))?;
        fs::write(&self.to, text).map_err(|error| Failure::run(format!("{to}: cannot be written: {error}")))
    }

    /// Adds the position of the key at fault in the file that was read.
    fn located(&self, error: ConversionError) -> ConversionError {
        let file = self.from.display().to_string();
        match (error, fs::read_to_string(&self.from)) {
            (ConversionError::Config(error), Ok(text)) => ConversionError::Config(error.located(&text, &file)),
            (error, _) => error,
        }
    }
}
