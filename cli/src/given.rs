//! Errors of configurations in terms of the command line.

use clap::{Command, CommandFactory, FromArgMatches};

/// Parses the command line of this process. Every option that takes a value also takes a negative number, so that its
/// own parser refuses it by name.
pub(crate) fn parse<C: CommandFactory + FromArgMatches>() -> C {
    let parsed = C::from_arg_matches(&with_negative_numbers(C::command()).get_matches());
    parsed.unwrap_or_else(|error| error.exit())
}

pub(crate) fn with_negative_numbers(command: Command) -> Command {
    command
        .mut_args(|argument| {
            let takes_values = argument.get_action().takes_values();
            if takes_values { argument.allow_negative_numbers(true) } else { argument }
        })
        .mut_subcommands(with_negative_numbers)
}

/// Names the option and its value in the error of a configuration, if the command line has the option of the key at
/// fault. The place of the key in a file is left out: the option has replaced the value there.
///
/// Such an error is `FILE, line N: SECTION.KEY: PROBLEM`, or begins with the key.
pub(crate) fn named(error: &str, arguments: &[String]) -> String {
    let mut rest = error;
    while let Some((part, problem)) = rest.split_once(": ") {
        let given = option_of(part).and_then(|option| Some((value(&option, arguments)?, option)));
        if let Some((value, option)) = given {
            return format!("{option} {value}: {problem}");
        }
        rest = problem;
    }
    error.to_owned()
}

/// Returns the option with the name of a key such as `run.until_count`.
fn option_of(key: &str) -> Option<String> {
    let (section, key) = key.split_once('.')?;
    let is_word =
        |word: &str| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
    let key = key.strip_prefix("graph_").unwrap_or(key);
    (is_word(section) && is_word(key)).then(|| format!("--{}", key.replace('_', "-")))
}

/// Returns the last value of an option among the arguments.
fn value<'a>(option: &str, arguments: &'a [String]) -> Option<&'a str> {
    let after = |at: usize| arguments.get(at + 1).map(String::as_str);
    arguments.iter().enumerate().rev().find_map(|(at, argument)| match argument.strip_prefix(option)? {
        "" => after(at),
        joined => joined.strip_prefix('='),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;
    use clap::error::ErrorKind;

    #[test]
    fn a_key_that_an_option_gave_is_told_by_the_option() {
        let arguments: Vec<String> =
            ["run", "torus", "--until-count", "0", "--horizon=nan"].map(str::to_owned).to_vec();
        let told = |error: &str| named(error, &arguments);
        assert_eq!(told("run.until_count: give 1 at least"), "--until-count 0: give 1 at least");
        assert_eq!(told("a: b.toml, line 3: run.horizon: no time: give one"), "--horizon nan: no time: give one");
        for other in ["a.toml, line 3: run.reps: 0 is not possible", "no key at all", "out: in use"] {
            assert_eq!(told(other), other);
        }
    }

    /// Calls `check` with the words of every command.
    fn each<'c>(command: &'c Command, words: &mut Vec<&'c str>, check: &mut impl FnMut(&Command, &[&str])) {
        words.push(command.get_name());
        check(command, words);
        for inner in command.get_subcommands() {
            each(inner, words, check);
        }
        words.pop();
    }

    /// Every option of every command either takes a value or names itself in its refusal.
    #[test]
    fn every_option_names_itself() {
        let (whole, mut options) = (with_negative_numbers(Cli::command()), 0);
        each(&whole, &mut vec![], &mut |command, words| {
            let takes_values = |option: &&clap::Arg| option.get_action().takes_values() && !option.is_positional();
            for option in command.get_arguments().filter(takes_values).filter_map(clap::Arg::get_long) {
                options += 1;
                for value in ["-1", "nan", "1e30", ""] {
                    let name = format!("--{option}");
                    let arguments = words.iter().copied().chain([name.as_str(), value]);
                    let Err(error) = whole.clone().try_get_matches_from(arguments) else { continue };
                    let told = error.to_string();
                    let is_about_others =
                        matches!(error.kind(), ErrorKind::MissingRequiredArgument | ErrorKind::MissingSubcommand);
                    assert!(is_about_others || told.contains(&name), "{words:?} {name} {value}: {told}");
                    assert_eq!(error.exit_code(), 2);
                }
            }
        });
        assert!(options > 30, "{options} options were tried");
    }
}
