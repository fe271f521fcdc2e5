//! Options and checks of comparisons of all models.

use imminent::models::study::Model;
use imminent_console::Failure;

/// Schedule of the engine of networks, an option of their runs that is no key.
pub(super) const SCHEDULE: &str = "schedule";

/// Returns the key of all runs of a model that has this name, if there is one.
pub(super) fn key_of(model: &dyn Model, name: &str) -> Option<String> {
    let keys = model.keys();
    [format!("run.{name}"), name.to_owned()].into_iter().find(|key| keys.key(key).is_some())
}

/// Returns the value of an option that all files share.
pub(super) fn same<'f>(option: &str, mut values: impl Iterator<Item = (&'f str, u64)>) -> Result<u64, Failure> {
    let (first, value) = values.next().ok_or_else(|| Failure::usage("give two configurations or more"))?;
    match values.find(|(_, other)| *other != value) {
        None => Ok(value),
        Some((other, _)) => Err(Failure::usage(format!(
            "{first} and {other} have different values of '{option}': give one for both by --{option}"
        ))),
    }
}

/// Checks that there are enough replications for intervals.
pub(super) fn check_replications(replications: u64) -> Result<(), Failure> {
    match replications {
        0 | 1 => Err(Failure::usage(
            "a comparison needs two replications at least: give --replications, for instance --replications 20",
        )),
        _ => Ok(()),
    }
}
