//! Options that other options need, in errors of the command line.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Command, builder::StyledStr};
use imminent_console::name::{in_own_name, program};

/// Adds to the error of a missing option a tip with the given options that need it, and to that of an unknown model
/// where models are listed.
pub(crate) fn explained(command: &Command, mut error: Error, arguments: &[String]) -> Error {
    let is_model = matches!(arguments.first().map(String::as_str), Some("run" | "bisect"));
    if error.kind() == ErrorKind::InvalidSubcommand && is_model {
        let tip = StyledStr::from(in_own_name("`imminent describe` lists the models", program()));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    let tips: Vec<StyledStr> = needing(command, &error, arguments)
        .into_iter()
        .map(|option| format!("'{option}' is of no use without the missing ones: give them, or leave it out").into())
        .collect();
    if !tips.is_empty() {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
    error
}

/// Returns the given options of which each alone lacks one of the missing options.
fn needing(command: &Command, error: &Error, arguments: &[String]) -> Vec<String> {
    if error.kind() != ErrorKind::MissingRequiredArgument {
        return Vec::new();
    }
    let options = options(arguments);
    let missing_with = |kept: Option<&(usize, usize)>| -> Vec<String> {
        let is_left =
            |at: usize| options.iter().all(|option| Some(option) == kept || !(option.0..option.1).contains(&at));
        let words = arguments.iter().enumerate().filter(|(at, _)| is_left(*at)).map(|(_, word)| word);
        let name = command.get_name().to_owned();
        let parsed = command.clone().try_get_matches_from(std::iter::once(&name).chain(words));
        parsed.err().map_or_else(Vec::new, |error| missing(&error))
    };
    let (of_all, of_none) = (missing(error), missing_with(None));
    let lacks = |option: &&(usize, usize)| {
        missing_with(Some(option)).iter().any(|name| of_all.contains(name) && !of_none.contains(name))
    };
    let name = |option: &(usize, usize)| Some(arguments.get(option.0)?.split('=').next()?.to_owned());
    options.iter().filter(lacks).filter_map(name).collect()
}

/// Returns where options begin and end among the arguments, with their values.
fn options(arguments: &[String]) -> Vec<(usize, usize)> {
    let ends = |at: usize, word: &String| {
        let has_value = !word.contains('=') && arguments.get(at + 1).is_some_and(|next| !next.starts_with("--"));
        (at, at + 1 + usize::from(has_value))
    };
    let words = arguments.iter().enumerate().filter(|(_, word)| word.starts_with("--"));
    words.map(|(at, word)| ends(at, word)).collect()
}

/// Returns the names of the options that are missing.
fn missing(error: &Error) -> Vec<String> {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(names)) => names.clone(),
        Some(ContextValue::String(name)) => vec![name.clone()],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::explained;
    use crate::whole;

    #[test]
    fn a_missing_option_is_told_with_those_that_need_it() {
        let told = |words: &str| {
            let arguments: Vec<String> = words.split(' ').map(str::to_owned).collect();
            let command = whole(&imminent::models::catalogue(), &arguments);
            let error = command.clone().try_get_matches_from(["imminent".to_owned()].iter().chain(&arguments));
            explained(&command, error.unwrap_err(), &arguments).to_string()
        };
        let error = told("run network a.toml --force --horizon 5");
        let tips: Vec<_> = error.lines().filter(|line| line.contains("is of no use")).collect();
        assert!(tips.len() == 1 && tips[0].contains("'--force'"), "{error}");
        assert!(!told("compare --replications 2").contains("is of no use"));
    }
}
