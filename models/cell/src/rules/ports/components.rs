//! Components of the top model beside the cell space.

use super::super::error::{Built, Problem};
use super::super::lines::words;
use super::super::sections::Section;
use super::super::source::{Sources, text_of};

/// Fails unless all components beside the cell space are generators: atomic and coupled models are programs, which the
/// file only names.
pub(super) fn only_generators(sources: &Sources, all: &[Section], top: &Section, model: &Section) -> Built<()> {
    for place in top.all("components").flat_map(|entry| words(sources, &entry.value)) {
        let component = text_of(sources, &place);
        let (name, class) = component.split_once('@').unwrap_or((component, ""));
        if class.eq_ignore_ascii_case("generator") || (class.is_empty() && name.eq_ignore_ascii_case(&model.name)) {
            continue;
        }
        let section = all.iter().find(|section| section.name.eq_ignore_ascii_case(name));
        if class.is_empty() && section.is_none() {
            continue;
        }
        let (what, label, reason) = if class.is_empty() {
            (
                format!("the coupled model `{name}`"),
                "a coupled model",
                "one cell space runs, with what its inputs receive",
            )
        } else {
            let reason = "its class is a program in C++, which the file does not have";
            (format!("the atomic model `{name}` of the class `{class}`"), "an atomic model", reason)
        };
        let message = format!("{what} does not run here, only a cell space and generators do");
        let inlet = format!("`link : {name} port@{}`", model.name);
        return Err(Problem::new(place, message, label).note(reason).note(format!(
            "give what it sends as events: `in : {name}` and {inlet} instead of it, and `--events FILE`"
        )));
    }
    Ok(())
}
