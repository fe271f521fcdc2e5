//! Errors in terms of the command line.

use crate::{needed, run};
use clap::{Command, FromArgMatches};
use imminent_console::name::program;
use imminent_console::process;
use std::iter;

/// Parses the command line of this process. Every option that takes a value also takes a negative number, so that its
/// own parser refuses it by name.
pub(crate) fn parse<C: FromArgMatches>(command: Command, arguments: &[String]) -> C {
    let command = with_negative_numbers(command);
    let words = iter::once(program().into()).chain(process::arguments());
    let matches = command.clone().try_get_matches_from(words);
    let matches = matches.unwrap_or_else(|error| needed::explained(&command, error, arguments).exit());
    C::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

pub(crate) fn with_negative_numbers(command: Command) -> Command {
    command
        .mut_args(|argument| {
            let takes_values = argument.get_action().takes_values();
            if takes_values { argument.allow_negative_numbers(true) } else { argument }
        })
        .mut_subcommands(with_negative_numbers)
}

/// Names the option and its value in an error, if the command line of a command has the option at fault.
///
/// The error of a configuration is `FILE, line N: SECTION.KEY: PROBLEM`, or begins with the key. What gave the key its
/// value is at fault, an option or `--set`, or else an option whose name or value the problem quotes; its place in a
/// file is left out. An error may also begin with the option itself, to which the value is added.
pub(crate) fn named(error: &str, arguments: &[String], command: &Command) -> String {
    let blamed = |option: &str, problem: &str| {
        let value = value(option, arguments)?;
        Some(if value.is_empty() { format!("{option}: {problem}") } else { format!("{option} {value}: {problem}") })
    };
    // An error of a file begins with its name.
    if let Some((file, problem)) = error.split_once(": ")
        && let Some(option) = option_with(file, arguments, command)
    {
        return if file.is_empty() { format!("{option}: {problem}") } else { format!("{option} {file}: {problem}") };
    }
    let (mut rest, mut quoting) = (error, None);
    while let Some((part, problem)) = rest.split_once(": ") {
        if let Some(set) = set_of(part, arguments) {
            return format!("--set {set}: {problem}");
        }
        // Of the options inside a key, one whose value the problem quotes comes first, then one whose name it quotes.
        let mut options: Vec<_> = of_key(part, command).into_iter().chain(option_of(part, command)).collect();
        options.sort_by_key(|option| order(option, value(option, arguments), problem));
        if let Some(named) = options.into_iter().find_map(|option| blamed(&option, problem)) {
            return named;
        }
        if is_key(part) {
            quoting = quoting.or(Some(problem));
        }
        rest = problem;
    }
    let Some(problem) = quoting else { return error.to_owned() };
    let mut quoted = problem.split('\'').skip(1).step_by(2);
    let of_word = |word: &str| {
        let by_value = option_with(word, arguments, command);
        let by_name = || if word.is_empty() { None } else { blamed(&dashed(word), problem) };
        by_value.and_then(|option| blamed(option, problem)).or_else(by_name)
    };
    quoted.find_map(of_word).unwrap_or_else(|| error.to_owned())
}

/// Returns 0 for an option whose value a problem quotes, 1 for one whose name it quotes, and 2 for others.
fn order(option: &str, value: Option<&str>, problem: &str) -> u8 {
    let quoted = || problem.split('\'').skip(1).step_by(2).filter(|word| !word.is_empty());
    let is_name = |word: &str| option.ends_with(&format!("-{}", word.replace('_', "-")));
    match () {
        () if quoted().any(|word| Some(word) == value) => 0,
        () if quoted().any(is_name) => 1,
        () => 2,
    }
}

/// Returns the option that gives this value.
fn option_with<'a>(value: &str, arguments: &'a [String], command: &Command) -> Option<&'a str> {
    let takes = |given: &Written<'_>| {
        has_option(command, given.option, &|argument| given.is_joined || !argument.is_require_equals_set())
    };
    written(arguments).find(|given| given.value == value && takes(given)).map(|given| given.option)
}

/// Option among the arguments.
struct Written<'a> {
    option: &'a str,
    /// Value, which is empty if there is none.
    value: &'a str,
    /// `true` if the value stands after `=`, and not in the next argument.
    is_joined: bool,
}

/// Returns the options among the arguments, in their order.
fn written(arguments: &[String]) -> impl DoubleEndedIterator<Item = Written<'_>> {
    let next = |at: usize| arguments.get(at + 1).filter(|next| !next.starts_with("--")).map_or("", String::as_str);
    let options = arguments.iter().enumerate().filter(|(_, argument)| argument.starts_with("--"));
    options.map(move |(at, argument)| match argument.split_once('=') {
        Some((option, value)) => Written { option, value, is_joined: true },
        None => Written { option: argument, value: next(at), is_joined: false },
    })
}

fn dashed(key: &str) -> String {
    format!("--{}", key.replace('_', "-"))
}

/// Returns `true` for a key with its section, such as `run.until_count` or `network.node[2].mean`.
fn is_key(text: &str) -> bool {
    let is_part = |part: &str| part.starts_with(|first: char| first.is_ascii_lowercase());
    let is_clean = !text.contains([' ', '/']);
    is_clean && text.contains('.') && text.split('.').all(is_part)
}

/// Returns `true` for equal keys, and for keys one of which is inside the other.
fn is_related(one: &str, other: &str) -> bool {
    let is_within = |key: &str, outer: &str| {
        key.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    is_within(one, other) || is_within(other, one)
}

/// Returns the last `KEY=VALUE` of a `--set` that gives a key, or one inside it or around it, a value.
fn set_of<'a>(key: &str, arguments: &'a [String]) -> Option<&'a str> {
    let of_key = |set: &&str| set.split_once('=').is_some_and(|(given, _)| is_related(given, key));
    written(arguments).filter(|given| given.option == "--set").map(|given| given.value).rfind(of_key)
}

/// Returns the options of a key, and those of keys inside it or around it.
fn of_key(key: &str, command: &Command) -> Vec<String> {
    let is_key = |argument: &&clap::Arg| {
        let id = argument.get_id().as_str();
        !run::is_common(id) && is_related(id, key)
    };
    let own = command.get_arguments().filter(is_key).filter_map(|argument| argument.get_long());
    let own = own.map(|option| format!("--{option}"));
    own.chain(command.get_subcommands().flat_map(|inner| of_key(key, inner))).collect()
}

/// Returns the option that stands at the beginning of an error, or that has the name of a key.
fn option_of(part: &str, command: &Command) -> Option<String> {
    if part.starts_with("--") {
        return takes_values(command, part).then(|| part.to_owned());
    }
    let (section, key) = part.split_once('.')?;
    let is_word =
        |word: &str| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
    (is_word(section) && is_word(key)).then(|| dashed(key))
}

/// Returns `true` if a command, or one inside it, has an option of this name with values.
fn takes_values(command: &Command, option: &str) -> bool {
    has_option(command, option, &|_| true)
}

/// Returns `true` if a command, or one inside it, has such an option of this name with values.
fn has_option(command: &Command, option: &str, is_such: &dyn Fn(&clap::Arg) -> bool) -> bool {
    let Some(name) = option.strip_prefix("--") else { return false };
    let is_it = |argument: &clap::Arg| {
        argument.get_long() == Some(name) && argument.get_action().takes_values() && is_such(argument)
    };
    command.get_arguments().any(is_it) || command.get_subcommands().any(|inner| has_option(inner, option, is_such))
}

/// Returns the last value of an option among the arguments, which is empty for an option without a value.
fn value<'a>(option: &str, arguments: &'a [String]) -> Option<&'a str> {
    written(arguments).rfind(|given| given.option == option).map(|given| given.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::whole;
    use clap::error::ErrorKind;

    #[test]
    fn a_key_that_an_option_gave_is_told_by_the_option() {
        let words =
            ["run", "torus", "--until-count", "0", "--horizon=nan", "--accept-step", "--json", "--set", "torus.mean=x"];
        let arguments: Vec<String> = words.map(str::to_owned).to_vec();
        let told = |error: &str| named(error, &arguments, &whole(&imminent::models::catalogue(), &arguments));
        assert_eq!(told("run.until_count: give 1 at least"), "--until-count 0: give 1 at least");
        assert_eq!(told("a: b.toml, line 3: run.horizon: no time: give one"), "--horizon nan: no time: give one");
        assert_eq!(told("--horizon: no time: give one"), "--horizon nan: no time: give one");
        assert_eq!(told("run.accept_step: not used"), "--accept-step: not used");
        assert_eq!(told("torus.mean: no time: give one"), "--set torus.mean=x: no time: give one");
        for other in [
            "a.toml, line 3: run.replications: 0 is not possible",
            "no key at all",
            "out: in use",
            "--replications: too few",
        ] {
            assert_eq!(told(other), other);
        }
    }

    /// The last option gives a key its value, in either spelling, and no value is taken for an option.
    #[test]
    fn options_are_read_in_their_order() {
        let told = |words: &[&str], error: &str| {
            let arguments: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            named(error, &arguments, &whole(&imminent::models::catalogue(), &arguments))
        };
        let twice = ["run", "torus", "--set=torus.mean=1", "--set", "torus.mean=2"];
        assert_eq!(told(&twice, "torus.mean: no time"), "--set torus.mean=2: no time");
        let twice = ["run", "torus", "--set", "torus.mean=1", "--set=torus.mean=2"];
        assert_eq!(told(&twice, "torus.mean: no time"), "--set torus.mean=2: no time");
        let words = ["run", "network", "--set=wind=8", "--set", "x=9", "--graph-sinks=9"];
        assert_eq!(told(&words, "network.graph: no node '9'"), "--graph-sinks 9: no node '9'");
        assert_eq!(told(&words, "network.graph: no node '8'"), "network.graph: no node '8'");
    }

    #[test]
    fn a_key_without_a_section_is_told_by_its_option() {
        let arguments = ["run", "wildfire", "--wind", "8", "--out", "o", "--json", "a.toml"].map(str::to_owned);
        let command = crate::run::command(&**imminent::models::catalogue().get("wildfire").unwrap());
        let told = |error: &str| named(error, &arguments, &command);
        assert_eq!(told("wind: has no effect; leave it out"), "--wind 8: has no effect; leave it out");
        assert_eq!(told("out: in use"), "out: in use");
        assert_eq!(told("o: is no folder"), "--out o: is no folder");
        // An option without a value does not give the file after it.
        assert_eq!(told("a.toml: no such file"), "a.toml: no such file");
    }

    #[test]
    fn an_option_is_found_by_what_a_problem_quotes() {
        let words = [
            "run",
            "network",
            "--service-law",
            "gamma",
            "--service-shape",
            "nan",
            "--graph-sources",
            "nowhere",
            "--graph-interarrival-mean=0",
            "--graph-sinks=9",
            "--graph-interarrival-law=",
        ];
        let arguments = words.map(str::to_owned);
        for (error, expected) in [
            ("network.service: no station takes it", "--service-law gamma: no station takes it"),
            ("network.service.shape: no shape", "--service-shape nan: no shape"),
            ("network.graph: a.graphml: no node 'nowhere'", "--graph-sources nowhere: a.graphml: no node 'nowhere'"),
            ("network.graph_interarrival: 'mean' is 0", "--graph-interarrival-mean 0: 'mean' is 0"),
            ("network.capacity: 'cv' is 0", "network.capacity: 'cv' is 0"),
            ("network.graph: no node '9'", "--graph-sinks 9: no node '9'"),
            ("network.graph: no node ''", "--graph-interarrival-law: no node ''"),
        ] {
            assert_eq!(named(error, &arguments, &whole(&imminent::models::catalogue(), &arguments)), expected);
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
        let (whole, mut options) = (with_negative_numbers(whole(&imminent::models::catalogue(), &[])), 0);
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
