//! Files of the outputs of a rule file, as CD++ writes them.

use crate::Engine;
use crate::rules::{Log, Model, PortLog};
use crate::sequential::Output;
use imminent_common::file::{NewFile, WriteError};
use imminent_study::experiment::{ExperimentError, NO_PICTURES, OptionValues, RunOption};
use imminent_study::laboratory::Fault;
use std::path::{Path, PathBuf};

/// Option with the file of the outputs of all cells.
const RECORD: &str = "record";

/// Option with the file of the outputs of the top model.
const RECORD_PORTS: &str = "record-ports";

/// Files that were begun before the run, so that no work is lost for a mistyped name.
#[derive(Debug)]
pub struct Records {
    log: Option<(PathBuf, NewFile)>,
    ports: Option<(PathBuf, NewFile)>,
}

impl Records {
    /// Options that ask for files.
    pub(super) const OPTIONS: &[RunOption] = &[
        NO_PICTURES,
        RunOption {
            name: RECORD,
            value: Some("FILE"),
            about: "Write the outputs of all cells into this file, as CD++'s log has them: lines `Mensaje Y / time / model(cell)(number) / out / value para ...`. For the engines sequential, and window on the CPU.",
        },
        RunOption {
            name: RECORD_PORTS,
            value: Some("FILE"),
            about: "Write what leaves by the outputs of the top model into this file, as CD++'s option -o does: lines `HH:MM:SS:mmm PORT VALUE`. For the engines sequential, and window on the CPU.",
        },
    ];

    /// Begins the files that were asked for.
    pub(super) fn begin(model: &Model, engine: Engine, given: &OptionValues) -> Result<Option<Self>, Fault> {
        let [log, ports] = [RECORD, RECORD_PORTS].map(|option| given.file(option));
        if log.is_none() && ports.is_none() {
            return Ok(None);
        }
        if engine == Engine::Step {
            return Err(Self::unlisted().into());
        }
        if log == ports {
            return Err("--record and --record-ports name the same file: give each a file of its own".into());
        }
        if ports.is_some() && model.outputs().next().is_none() {
            let name = model.name();
            return Err(format!(
                "--record-ports: no output of [top] is linked to a cell: add `out : name` and `link : out@{name}(row,column) name` to [top]"
            )
            .into());
        }
        let begin = |path: PathBuf| match NewFile::begin(&path) {
            Ok(file) => Ok((path, file)),
            Err(error) => Err(WriteError::new(&path, &error)),
        };
        Ok(Some(Records { log: log.map(begin).transpose()?, ports: ports.map(begin).transpose()? }))
    }

    /// Says which engines list single outputs.
    pub(super) fn unlisted() -> &'static str {
        "--record and --record-ports: the engine `step` of devices does not list single outputs: give `--engine window --backend cpu`, or `--engine sequential`"
    }

    /// Returns the writer of a model's outputs.
    pub(super) fn record(self, model: &Model) -> Recorder<'_> {
        Recorder {
            log: self.log.map(|(path, file)| (path, Log::new(model, file))),
            ports: self.ports.map(|(path, file)| (path, PortLog::new(model, file))),
            trouble: None,
        }
    }
}

/// Writes outputs while a model runs.
pub(super) struct Recorder<'a> {
    log: Option<(PathBuf, Log<'a, NewFile>)>,
    ports: Option<(PathBuf, PortLog<'a, NewFile>)>,
    trouble: Option<WriteError>,
}

impl Recorder<'_> {
    /// Writes an output. Returns `false` if a file could not be written, now or before: then the run is in vain.
    pub(super) fn write(&mut self, output: &Output<f64>) -> bool {
        if self.trouble.is_none()
            && let Some((path, log)) = &mut self.log
        {
            self.trouble = log.write(output).err().map(|error| WriteError::new(path, &error));
        }
        if self.trouble.is_none()
            && let Some((path, ports)) = &mut self.ports
        {
            self.trouble = ports.write(output).err().map(|error| WriteError::new(path, &error));
        }
        self.trouble.is_none()
    }

    /// Moves the files to their paths if the run came to its end, else beside them. The error of the run names them.
    pub(super) fn finish<T>(self, ran: Result<T, ExperimentError>) -> Result<T, ExperimentError> {
        if let Some(trouble) = self.trouble {
            return Err(ExperimentError::Failed(trouble.into()));
        }
        let log = self.log.map(|(path, log)| (path, log.into_inner()));
        let ports = self.ports.map(|(path, ports)| (path, ports.into_inner()));
        let files = log.into_iter().chain(ports);
        match ran {
            Ok(run) => {
                for (path, file) in files {
                    put(&path, file.finish())?;
                }
                Ok(run)
            }
            Err(usage @ ExperimentError::Invalid(_)) => Err(usage),
            Err(error) => {
                let mut message = error.to_string();
                for (path, file) in files {
                    let kept = put(&path, file.finish_partial())?;
                    message.push_str(&format!("; the outputs so far are in {}", kept.display()));
                }
                Err(ExperimentError::Failed(message.into()))
            }
        }
    }
}

fn put(path: &Path, kept: std::io::Result<PathBuf>) -> Result<PathBuf, ExperimentError> {
    kept.map_err(|error| ExperimentError::Failed(WriteError::new(path, &error).into()))
}
