//! Studies that are to be carried out.

use super::args::StudyArgs;
use imminent::models::input;
use imminent::models::study::checkpoint::Checkpoints;
use imminent::models::study::{Catalogue, Definition, DefinitionError, Means, Planned, Study};
use imminent::models::toml_text::TomlError;
use imminent_console::Failure;
use std::path::Path;
use std::sync::Arc;

/// A study that was read and checked.
pub(super) struct Task {
    pub(super) planned: Planned,
    mapping: Option<String>,
}

impl Task {
    /// Reads the study that the options name.
    pub(super) fn of(args: &StudyArgs, catalogue: &Catalogue) -> Result<Self, Failure> {
        // The options require a file.
        Self::read(args.file.as_deref().unwrap_or(Path::new("")), args, catalogue)
    }

    /// Reads a study; options override what the file says.
    fn read(path: &Path, args: &StudyArgs, catalogue: &Catalogue) -> Result<Self, Failure> {
        let (mapping, file) = (args.mapping.as_deref(), path.display().to_string());
        let mut definition = Definition::from_file(path).map_err(Failure::usage)?;
        definition.mapping = mapping.map(str::to_owned).or(definition.mapping);
        definition.confidence = args.confidence.unwrap_or(definition.confidence);
        let folder = path.parent().unwrap_or(Path::new(""));
        let planned = catalogue.plan(&definition, folder).map_err(|error| {
            if let (Some(_), DefinitionError::Toml(TomlError::Value { key, problem, .. })) = (mapping, &error)
                && key == "mapping"
            {
                return Failure::option("--mapping", problem);
            }
            // The file existed a moment ago; without it, the line is not known.
            let text = input::text(path).unwrap_or_default();
            Failure::usage(error.located(&text, &file))
        })?;
        Ok(Self { planned, mapping: definition.mapping })
    }

    pub(super) fn study(&self) -> &Study {
        &self.planned.study
    }

    /// Returns the means by which runs are carried out.
    pub(super) fn means(&self, checkpoints: Option<Arc<Checkpoints>>) -> Means {
        Means { mapping: self.mapping.clone(), checkpoints }
    }
}
