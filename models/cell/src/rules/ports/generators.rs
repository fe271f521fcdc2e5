//! Generators: components of the top model that send at constant intervals.

use super::super::error::{Built, Problem};
use super::super::port_value::PortValue;
use super::super::sections::{Entry, Section, needed};
use super::super::source::{Sources, text_of};
use crate::sequential::InputSource;

/// Milliseconds of a generator's second.
const SECOND: f64 = 1000.0;

fn number(sources: &Sources, section: &Section, key: &str, default: Option<f64>) -> Built<f64> {
    let entry = match (section.first(key), default) {
        (None, Some(default)) => return Ok(default),
        _ => needed(section, key)?,
    };
    let wrong = || Problem::new(entry.value.clone(), format!("`{key}` has to be a number"), "no number");
    text_of(sources, &entry.value).parse().map_err(|_| wrong())
}

/// Returns the inputs that the generator `name` makes, not yet assigned to a cell.
pub(super) fn generates(
    sources: &Sources,
    all: &[Section],
    top: &Section,
    name: &str,
    link: &Entry,
) -> Built<InputSource<PortValue>> {
    let component = format!("{name}@generator");
    let listed =
        |entry: &Entry| text_of(sources, &entry.value).to_lowercase().split_whitespace().any(|word| word == component);
    let section = all.iter().find(|section| section.name == name).filter(|_| top.all("components").any(listed));
    let Some(section) = section else {
        let problem = Problem::new(link.value.clone(), format!("there is no generator `{name}`"), "linked here");
        return Err(problem.note(format!("list `{component}` among the components and describe it in `[{name}]`")));
    };
    let distribution = needed(section, "distribution")?;
    if !text_of(sources, &distribution.value).eq_ignore_ascii_case("constant") {
        let problem = Problem::new(distribution.value.clone(), "this distribution is not supported", "not `constant`");
        return Err(problem.note("a generator sends at constant intervals: `distribution : constant`"));
    }
    let seconds = number(sources, section, "value", None)?;
    let period = seconds * SECOND;
    if !(1.0..f64::from(i32::MAX)).contains(&period) {
        let span = needed(section, "value")?.value.clone();
        return Err(Problem::new(span, "a generator's interval has to be at least a millisecond", "seconds"));
    }
    let value = number(sources, section, "initial", Some(0.0))?;
    let increment = number(sources, section, "increment", Some(1.0))?;
    Ok(InputSource {
        cell: 0,
        first: 0,
        period: period as u32,
        late: false,
        input: PortValue { rules: 0, value, increment },
    })
}
