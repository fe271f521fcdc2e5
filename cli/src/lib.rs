//! The program `imminent`: commands, their options, and exit statuses.
//!
//! This library is only for the programs of this project.

mod absent;
#[cfg(feature = "conformance")]
mod bisect;
mod child;
#[cfg(feature = "conformance")]
mod conform;
mod convert;
mod describe;
mod devices;
#[cfg(feature = "conformance")]
mod doctor;
#[cfg(feature = "models")]
mod emit;
#[cfg(feature = "conformance")]
mod fuzz;
mod given;
mod memory;
mod moved;
mod needed;
mod new;
mod package;
#[cfg(feature = "cuda")]
mod precompile;
mod results;
mod run;
#[cfg(feature = "shell")]
mod shell;
mod study;
mod version;

pub use imminent_console::Failure;
pub use imminent_console::last_resort::Allocator;
pub use run::begin_records;

#[cfg(not(feature = "models"))]
use absent::Emit;
#[cfg(not(feature = "cuda"))]
use absent::Precompile;
#[cfg(not(feature = "shell"))]
use absent::{Shell as Completions, Shell as Manual};
#[cfg(not(feature = "conformance"))]
use absent::{Suite as Bisect, Suite as Conform, Suite as Doctor, Suite as Fuzz};
#[cfg(feature = "conformance")]
use bisect::Bisect;
use clap::{CommandFactory, Parser, Subcommand};
#[cfg(feature = "conformance")]
use conform::Conform;
#[cfg(feature = "conformance")]
use doctor::Doctor;
#[cfg(feature = "models")]
use emit::Emit;
#[cfg(feature = "conformance")]
use fuzz::Fuzz;
use imminent::Backends;
use imminent::models::study::{Catalogue, Model};
use imminent_console::last_resort::watch_for_exhaustion;
use imminent_console::print::tell_error;
use imminent_console::{backends, clock, display, name, print, process};
use moved::Moved;
use package::Package;
#[cfg(feature = "cuda")]
use precompile::Precompile;
#[cfg(feature = "shell")]
use shell::{Completions, Manual};
use std::process::ExitCode;
use study::StudyArgs;

/// Portable compute backends for discrete-event simulation.
#[derive(Debug, Parser)]
#[command(name = "imminent", about, arg_required_else_help = true)]
#[command(after_long_help = STATUSES)]
pub struct Cli {
    /// Print neither progress nor warnings on standard error, but errors alone.
    #[arg(long, short, global = true, display_order = LAST)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

/// Place of an option of all commands in their help: after theirs.
const LAST: usize = 900;

/// Exit statuses, for the help and the manual.
const STATUSES: &str = "\
Exit status: 0 if the command did its work, 1 if it failed or found a difference, 2 if the command line or a file asks \
for something impossible, 130 after Ctrl-C without results: the run did not end in time, or a second time.";

#[derive(Debug, Subcommand)]
enum Command {
    /// List the devices of every backend, or the reasons why there are none.
    Devices(devices::Devices),
    /// Examine every device within two minutes: a verdict for each backend, and a file to attach to an issue.
    Doctor(Doctor),
    /// Simulate a model.
    Run(Box<run::Run>),
    /// Simulate two or more configurations of a model on common random numbers, and estimate their differences.
    Compare(Box<run::Compare>),
    /// Find the cheapest of many configurations that meets limits, with a stated probability.
    Search(Box<run::Search>),
    /// Estimate how measures change with keys of a configuration, and rank the keys.
    Sensitivity(Box<run::Sensitivity>),
    /// List the models, or the keys and measures of a model.
    Describe(describe::Describe),
    /// Write a queueing network as a model of JSIMgraph (JMT), or such a model as a TOML file.
    Convert(convert::Convert),
    /// Run a parameter study: many runs of a model in parallel, resumable.
    Study(Box<StudyArgs>),
    /// Run the conformance suite on a device.
    Conform(Conform),
    /// Run random kernels on a device, and compare the results with their intermediate representation.
    Fuzz(Fuzz),
    /// Run a model on two devices in step, and find the first launch, row and column that differ.
    Bisect(Box<Bisect>),
    /// Print the generated code of a model's kernels.
    Emit(Emit),
    /// Compile kernels for CUDA devices that are not here, to ship them with the program.
    Precompile(Precompile),
    /// Write a crate with a model of your own, which builds and runs at once.
    New(new::New),
    /// Print a script that completes the program's options in a shell.
    Completions(Completions),
    /// Print a page of the manual, or write all pages.
    Manual(Manual),
    /// Measure overheads on a device.
    #[command(hide = true)]
    Bench(Moved),
    /// Reproduce the papers' figures.
    #[command(hide = true)]
    Figures(Moved),
}

impl Cli {
    /// Parses the arguments of this process; a mistake in them ends it.
    #[must_use]
    pub fn of_process(catalogue: &Catalogue) -> Self {
        given::parse(whole(catalogue, &arguments()), &arguments())
    }

    /// Runs the command.
    ///
    /// # Errors
    /// [`Failure`] with the reason, in terms of the options that this process was given.
    pub fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        if self.quiet {
            print::be_quiet();
        }
        self.carry_out(catalogue).map_err(|failure| match failure {
            Failure::Usage(error) => {
                Failure::Usage(given::named(&error, &arguments(), &whole(catalogue, &arguments())))
            }
            failure => failure,
        })
    }

    fn carry_out(self, catalogue: &Catalogue) -> Result<(), Failure> {
        match self.command {
            Command::Devices(command) => command.run(),
            Command::Convert(command) => command.run(),
            Command::Describe(command) => command.run(catalogue),
            Command::Doctor(command) => command.run(catalogue),
            Command::Run(command) => command.run(catalogue),
            Command::Compare(command) => command.run(catalogue),
            Command::Search(command) => command.run(catalogue),
            Command::Sensitivity(command) => command.run(catalogue),
            Command::Study(command) => command.run(catalogue),
            Command::Conform(command) => command.run(catalogue),
            Command::Fuzz(command) => command.run(catalogue),
            Command::Bisect(command) => command.run(catalogue),
            Command::Emit(command) => command.run(catalogue),
            Command::Precompile(command) => command.run(),
            Command::New(command) => command.run(),
            Command::Completions(command) => command.run(whole(catalogue, &[])),
            Command::Manual(command) => command.run(whole(catalogue, &[])),
            Command::Bench(command) => command.run("bench"),
            Command::Figures(command) => command.run("figures"),
        }
    }
}

/// Returns the parser of the program, whose commands `run` and `bisect` have the models of a catalogue.
///
/// Models that the arguments do not run have no options: to describe all of them takes longer than a short run.
fn whole(catalogue: &Catalogue, arguments: &[String]) -> clap::Command {
    let first = arguments.iter().find(|argument| !argument.starts_with('-')).map(String::as_str);
    let describes_all = matches!(first, None | Some("help" | "completions" | "manual"));
    let is_used = |command: &str| describes_all || first == Some(command);
    let names = |model: &str| describes_all || arguments.iter().any(|argument| argument == model);
    let with_models = |command: clap::Command| {
        let is_used = is_used(command.get_name());
        let in_full = |model: &dyn Model| is_used && names(&model.description().name);
        let models = catalogue.iter();
        command.subcommands(models.map(|model| if in_full(model) { run::command(model) } else { run::listed(model) }))
    };
    let program = absent::told(version::of_program(Cli::command())).mut_subcommand("run", with_models);
    let with_trials = |program: clap::Command, name: &'static str| match is_used(name) {
        true => program.mut_subcommand(name, |command| run::with_model(command, catalogue, arguments)),
        false => program,
    };
    let program = ["compare", "search", "sensitivity"].into_iter().fold(program, with_trials);
    if cfg!(feature = "conformance") { program.mut_subcommand("bisect", with_models) } else { program }
}

/// Runs the program with the models of a catalogue: the `main` of a program with models of one's own.
///
/// ```no_run
/// use imminent::models::catalogue;
///
/// fn main() -> std::process::ExitCode {
///     // `.with(..)` adds a model, which then has every command.
///     imminent_cli::main(&catalogue())
/// }
/// ```
#[must_use]
pub fn main(catalogue: &Catalogue) -> ExitCode {
    Program::new(catalogue).main()
}

/// The program, with models and backends of one's own.
///
/// ```no_run
/// use imminent::{Backends, models::catalogue};
/// use imminent_cli::Program;
///
/// fn main() -> std::process::ExitCode {
///     // `.with(..)` adds a backend to all commands, and to `--backend` by its name.
///     Program::new(&catalogue()).backends(Backends::standard()).main()
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Program<'c> {
    catalogue: &'c Catalogue,
    backends: Backends,
    package: Option<Package>,
}

impl<'c> Program<'c> {
    /// Creates the program with the models of a catalogue, and the standard backends.
    #[must_use]
    pub fn new(catalogue: &'c Catalogue) -> Self {
        Program { catalogue, backends: Backends::standard(), package: None }
    }

    /// Sets the crate of the program, whose version `--version` tells beside that of this package:
    /// `env!("CARGO_PKG_NAME")` and `env!("CARGO_PKG_VERSION")`.
    #[must_use]
    pub fn package(mut self, name: &'static str, version: &'static str) -> Self {
        self.package = Some(Package { name, version });
        self
    }

    /// Sets the backends.
    #[must_use]
    pub fn backends(mut self, backends: Backends) -> Self {
        self.backends = backends;
        self
    }

    /// Runs the command that the arguments of this process give. The function `main` calls it first of all.
    #[must_use]
    pub fn main(self) -> ExitCode {
        ExitCode::from(self.status())
    }

    /// Runs the command, as [`main`](Self::main) does, and returns its exit status: for an interpreter that is to end
    /// with it.
    #[must_use]
    pub fn status(self) -> u8 {
        clock::start();
        #[cfg(feature = "report")]
        imminent_report::page::set_version(&format!("Imminent {}", version::SHORT));
        watch_for_exhaustion();
        // SAFETY: the caller is `main`, and no other thread has been started yet.
        unsafe { display::look_for_none() };
        backends::set(self.backends);
        self.package.into_iter().for_each(package::set);
        let checked = self.catalogue.check().map_err(Failure::usage);
        match checked.and_then(|()| Cli::of_process(self.catalogue).run(self.catalogue)) {
            Ok(()) => 0,
            Err(failure) => {
                if !matches!(failure, Failure::Told(_)) {
                    let program = name::program();
                    tell_error(&format!("{program}: {}", name::in_own_name(&failure.to_string(), program)));
                }
                failure.status()
            }
        }
    }
}

/// Returns the arguments of this process.
fn arguments() -> Vec<String> {
    process::arguments().iter().map(|argument| argument.to_string_lossy().into_owned()).collect()
}
