//! Measures of trials that people are shown.

use super::{MEASURE, TrialArgs};
use imminent_console::Failure;

/// Returns the names of the measures that people are shown: those that they ask for, or those of the whole model and
/// shares of waits.
pub(in crate::run) fn shown(names: &[String], args: &TrialArgs) -> Result<Vec<String>, Failure> {
    let wanted: Vec<&str> = args.all(MEASURE).collect();
    if wanted.is_empty() {
        let is_usual = |name: &&String| !name.contains('@') && !name.ends_with("_by_little");
        return Ok(names.iter().filter(is_usual).cloned().collect());
    }
    wanted.into_iter().map(|name| known(MEASURE, name, names)).collect()
}

/// Returns a measure that an option names, if it is one of those that there are.
pub(in crate::run) fn known(option: &str, name: &str, names: &[String]) -> Result<String, Failure> {
    if names.iter().any(|known| known == name) {
        return Ok(name.to_owned());
    }
    let known = names.join("', '");
    Err(Failure::usage(format!("--{option} {name}: there is no such measure in these runs, only '{known}'")))
}
