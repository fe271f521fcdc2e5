//! `--log` and `--ports` of rule files: outputs of cells as CD++ writes them.

use clap::Args;
use imminent::models::cell::Engine;
use imminent::models::cell::rules::{Log, Model, PortLog};
use imminent::models::cell::sequential::Output;
use imminent_console::Failure;
use imminent_report::file::{NewFile, WriteError};
use std::path::{Path, PathBuf};

/// Which outputs are recorded, and where.
#[derive(Debug, Args)]
#[command(next_help_heading = "Outputs of cells")]
pub(super) struct RecordArgs {
    /// Write the outputs of all cells into FILE, as CD++'s log has them: lines
    /// `Mensaje Y / time / model(cell)(number) / out / value para ...`. For the engines sequential, and window on the
    /// CPU.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Write what leaves by the outputs of the top model into FILE, as CD++'s option -o does: lines
    /// `HH:MM:SS:mmm PORT VALUE`. For the engines sequential, and window on the CPU.
    #[arg(long, value_name = "FILE")]
    ports: Option<PathBuf>,
}

/// Files that were opened before the run, so that no work is lost for a mistyped name.
#[derive(Debug)]
pub(super) struct Records {
    log: Option<(PathBuf, NewFile)>,
    ports: Option<(PathBuf, NewFile)>,
}

impl RecordArgs {
    /// Opens what was asked for.
    pub(super) fn open(&self, model: &Model, engine: Engine) -> Result<Records, Failure> {
        if let (Engine::Step, Some(option)) = (engine, self.option()) {
            return Err(unlisted(option));
        }
        if self.log.is_some() && self.log == self.ports {
            return Err(Failure::usage("--log and --ports name the same file: give each a file of its own"));
        }
        if self.ports.is_some() && model.outputs().next().is_none() {
            return Err(Failure::usage(format!(
                "--ports: no output of [top] is linked to a cell: add `out : name` and `link : out@{}(row,column) name` to [top]",
                model.name()
            )));
        }
        let open = |path: &PathBuf| {
            let file = NewFile::begin(path).map_err(|error| WriteError::new(path, &error))?;
            Ok::<_, Failure>((path.clone(), file))
        };
        Ok(Records { log: self.log.as_ref().map(open).transpose()?, ports: self.ports.as_ref().map(open).transpose()? })
    }

    /// Returns an option that asks for single outputs.
    pub(super) fn option(&self) -> Option<&'static str> {
        let log = self.log.as_ref().map(|_| "--log");
        log.or(self.ports.as_ref().map(|_| "--ports"))
    }
}

/// Says which engines list single outputs.
pub(super) fn unlisted(option: &str) -> Failure {
    Failure::usage(format!(
        "{option}: the engine `step` of devices does not list single outputs: give `--engine window --backend cpu`, or `--engine sequential`"
    ))
}

/// Writes outputs while a model runs.
pub(super) struct Recorder<'a> {
    log: Option<(PathBuf, Log<'a, NewFile>)>,
    ports: Option<(PathBuf, PortLog<'a, NewFile>)>,
    trouble: Option<WriteError>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(model: &'a Model, records: Records) -> Self {
        Recorder {
            log: records.log.map(|(path, file)| (path, Log::new(model, file))),
            ports: records.ports.map(|(path, file)| (path, PortLog::new(model, file))),
            trouble: None,
        }
    }

    /// Writes an output. False if a file could not be written, now or before: then the run is in vain.
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

    /// Puts the files into their places if the run came to its end, else beside them. The failure of the run names the
    /// files.
    pub(super) fn finish<T>(self, ran: Result<T, Failure>) -> Result<T, Failure> {
        if let Some(trouble) = self.trouble {
            return Err(trouble.into());
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
            Err(Failure::Run(mut message)) => {
                for (path, file) in files {
                    let kept = put(&path, file.finish_partial())?;
                    message.push_str(&format!("; the outputs so far are in {}", kept.display()));
                }
                Err(Failure::Run(message))
            }
            Err(usage) => Err(usage),
        }
    }
}

fn put(path: &Path, kept: std::io::Result<PathBuf>) -> Result<PathBuf, WriteError> {
    kept.map_err(|error| WriteError::new(path, &error))
}
