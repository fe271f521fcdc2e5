//! Command line of this process, and the command that runs the program again.
//!
//! Both are usually those of the system. An interpreter of another language that runs the program inside itself has a
//! command line of its own, and [sets](set) the program's.

use std::env;
use std::ffi::OsString;
use std::io;
use std::process::Command;
use std::sync::OnceLock;

/// Command line of the program inside an interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// Command that runs the program: an interpreter, and the arguments that lead it to the program.
    pub program: Vec<OsString>,
    /// Name of the program in its messages.
    pub name: String,
    /// Arguments of the program.
    pub arguments: Vec<OsString>,
}

static SET: OnceLock<CommandLine> = OnceLock::new();

/// Sets the command line, once and before it is used.
pub fn set(line: CommandLine) {
    let _ = SET.set(line);
}

/// Returns the command line that was [set](set), if any.
pub(crate) fn given() -> Option<&'static CommandLine> {
    SET.get()
}

/// Returns the arguments of the program.
#[must_use]
pub fn arguments() -> Vec<OsString> {
    given().map_or_else(|| env::args_os().skip(1).collect(), |line| line.arguments.clone())
}

/// Returns a command that runs the program in a new process, as yet without arguments.
///
/// # Errors
/// The system does not tell the file of this process.
pub fn again() -> io::Result<Command> {
    let Some((interpreter, leading)) = given().and_then(|line| line.program.split_first()) else {
        return env::current_exe().map(Command::new);
    };
    let mut command = Command::new(interpreter);
    command.args(leading);
    Ok(command)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_process_is_called_again_as_it_was() {
        assert_eq!(again().unwrap().get_program(), env::current_exe().unwrap());
        let line = CommandLine {
            program: ["python3", "-m", "imminent"].map(OsString::from).to_vec(),
            name: "imminent".to_owned(),
            arguments: vec!["devices".into()],
        };
        set(line.clone());
        let command = again().unwrap();
        assert_eq!(command.get_program(), "python3");
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["-m", "imminent"]);
        assert_eq!(arguments(), line.arguments);
    }
}
