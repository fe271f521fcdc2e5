//! Networks written in other forms.

use super::super::ConfigError;
use super::{NetworkConfig, NetworkShape};
use crate::jsimg::{self, NotWritten};
use serde::Serialize;
use std::path::Path;
use thiserror::Error;

/// Form in which a network is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// File of this program, with the section `[network]`.
    Toml,
    /// Model of JSIMgraph.
    Jsimg,
}

/// Reasons why a network cannot be written in another form.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ConversionError {
    /// The network itself has an error.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// JMT lacks something.
    #[error(transparent)]
    NotWritten(#[from] NotWritten),
    /// The file is not one that can be written as TOML.
    #[error(
        "only a model of JSIMgraph is written as TOML: a TOML file is it already, and names a GraphML file by 'graph'"
    )]
    NotJsimg,
    /// The values cannot be written as TOML.
    #[error("the network cannot be written as TOML: {reason}; write it by hand")]
    NotToml {
        /// Message of the writer.
        reason: String,
    },
}

impl Form {
    /// Returns the form that the name of a file asks for.
    #[must_use]
    pub fn of(file: &Path) -> Option<Self> {
        match file.extension()?.to_str()? {
            "toml" => Some(Self::Toml),
            "jsimg" => Some(Self::Jsimg),
            _ => None,
        }
    }
}

impl NetworkConfig {
    /// Returns the network in another form; `name` is the name of a model of JSIMgraph.
    ///
    /// # Errors
    /// [`ConversionError`] for a network with an error, and for what the other form lacks.
    pub fn written(&self, form: Form, name: &str) -> Result<String, ConversionError> {
        match (form, &self.network.jsimg) {
            (Form::Jsimg, _) => Ok(jsimg::write(&self.network.network()?, name)?),
            (Form::Toml, None) => Err(ConversionError::NotJsimg),
            (Form::Toml, Some(path)) => {
                let network = NetworkShape::from(&jsimg::read(path).map_err(ConfigError::from)?);
                // What is wrong with the network is found here rather than in the new file.
                self.network.network()?;
                toml::to_string(&Section { network: &network })
                    .map_err(|error| ConversionError::NotToml { reason: error.to_string() })
            }
        }
    }
}

/// A file without the section `[run]`.
#[derive(Serialize)]
struct Section<'a> {
    network: &'a NetworkShape,
}
