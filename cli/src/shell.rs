//! `imminent completions` and `imminent manual`.

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use imminent_console::Failure;
use imminent_console::print::print_text;
use std::path::PathBuf;

/// Options of `imminent completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// Shell that reads the script.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    /// Prints the script for a program.
    pub(crate) fn run(self, mut command: Command) -> Result<(), Failure> {
        let mut script = Vec::new();
        let name = command.get_name().to_owned();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        print_text(&String::from_utf8_lossy(&script))
    }
}

/// Options of `imminent manual`.
#[derive(Debug, Args)]
pub(crate) struct Manual {
    /// Command whose page is printed, for instance `run torus`; the whole program's if left out.
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Vec<String>,
    /// Write the pages of all commands into this folder, for instance ~/.local/share/man/man1.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl Manual {
    /// Prints a page of a program, or writes all pages.
    pub(crate) fn run(self, mut command: Command) -> Result<(), Failure> {
        // Commands inside get their full names.
        command.build();
        if let Some(folder) = self.out {
            let written = std::fs::create_dir_all(&folder).and_then(|()| clap_mangen::generate_to(command, &folder));
            let failed =
                |error| Failure::run(format!("--out {}: the pages cannot be written: {error}", folder.display()));
            return written.map_err(failed);
        }
        print_text(&page(&command, &self.command)?)
    }
}

/// Returns the page of the command inside a program that some words name, in the format of `man`.
fn page(program: &Command, words: &[String]) -> Result<String, Failure> {
    let mut command = program;
    for word in words {
        command = command.find_subcommand(word).ok_or_else(|| {
            let names: Vec<_> =
                command.get_subcommands().filter(|inner| !inner.is_hide_set()).map(Command::get_name).collect();
            Failure::usage(format!(
                "`{word}` is no command of `{}`: give one of {}",
                command.get_name(),
                names.join(", ")
            ))
        })?;
    }
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page).map_err(Failure::run)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
