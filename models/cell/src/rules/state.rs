//! Ports by which cells send, and state variables of cells.

use super::error::{Built, Notice, Problem};
use super::lines::{lines, part, words};
use super::parse::{self, Names};
use super::sections::Section;
use super::source::{Load, Sources, text_of};
use crate::space::CellSpace;

/// Ports and variables of the cells of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct State {
    /// Names of the ports: first `out`, then those of `neighborports`.
    pub(super) ports: Vec<String>,
    /// Names of the state variables.
    pub(super) variables: Vec<String>,
    /// Values of the variables of a cell that has none of its own.
    defaults: Vec<f64>,
}

impl State {
    /// Reads the names of ports and variables.
    pub(super) fn read(sources: &Sources, section: &Section) -> Built<Self> {
        let mut ports = vec!["out".to_owned()];
        names(sources, section, "neighborports", &mut ports)?;
        let mut variables = Vec::new();
        names(sources, section, "statevariables", &mut variables)?;
        let mut defaults = vec![f64::NAN; variables.len()];
        if let Some(entry) = section.first("statevalues") {
            let found = words(sources, &entry.value);
            if found.len() != variables.len() {
                let message = format!("`statevalues` has {} values for {} variables", found.len(), variables.len());
                let problem = Problem::new(entry.value.clone(), message, "one value for each variable");
                return Err(problem.note("variables are the names of `statevariables`, in their order"));
            }
            for (to, span) in defaults.iter_mut().zip(found) {
                *to = super::initial::value(sources, &span)?;
            }
        }
        Ok(State { ports, variables, defaults })
    }

    /// Returns `true` for cells of newer versions of CD++, whose outputs of one time leave together.
    pub(super) fn is_newer(&self) -> bool {
        self.ports.len() > 1 || !self.variables.is_empty()
    }

    /// Reads the initial values of the variables of all cells, cell by cell.
    pub(super) fn initial(
        &self,
        sources: &mut Sources,
        section: &Section,
        space: &CellSpace,
        load: Load<'_>,
        notices: &mut Vec<Notice>,
    ) -> Built<Vec<f64>> {
        let mut values = self.defaults.repeat(space.cells());
        let Some(entry) = section.first("initialvariablesvalue") else { return Ok(values) };
        let file = sources.named(&entry.value, load, notices)?;
        let names = Names::of_positions(space.dimensions().len());
        for line in lines(sources, &file) {
            let text = text_of(sources, &line);
            let Some(equals) = text.find('=') else { continue };
            let length = text.len();
            let left = part(sources, &line, 0, equals);
            let found = words(sources, &part(sources, &line, equals + 1, length));
            let (position, _) = parse::positions(sources.text(), &left, &names)?.pop().ok_or_else(|| {
                Problem::new(line.clone(), "a line gives no cell its variables", "expected `(row,column) = values`")
            })?;
            if found.len() != self.variables.len() {
                let message = format!("a cell has {} variables, not {}", self.variables.len(), found.len());
                return Err(Problem::new(line, message, "one value for each variable"));
            }
            let position: Vec<u32> = position.into_iter().map(|at| u32::try_from(at).unwrap_or(u32::MAX)).collect();
            let Some(cell) = space.cell(&position) else {
                let message = format!("a cell outside the space of {:?} cells is passed over", space.dimensions());
                notices.push(Notice { span: left, message });
                continue;
            };
            let first = cell as usize * self.variables.len();
            for (to, span) in values.iter_mut().skip(first).zip(found) {
                *to = super::initial::value(sources, &span)?;
            }
        }
        Ok(values)
    }
}

/// Adds the names of an entry, in lower case.
fn names(sources: &Sources, section: &Section, key: &str, all: &mut Vec<String>) -> Built<()> {
    for span in section.all(key).flat_map(|entry| words(sources, &entry.value)) {
        let name = text_of(sources, &span).to_lowercase();
        if all.contains(&name) {
            return Err(Problem::new(span, format!("`{key}` names `{name}` twice"), "named before")
                .note("give each a name of its own; `out` is the port that every cell has"));
        }
        all.push(name);
    }
    Ok(())
}
