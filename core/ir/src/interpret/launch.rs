//! Launches: a kernel, for its rows or groups one after another.

use super::{Bound, Evaluation, Group, Machine, bits, stuck, zero};
use crate::{Kernel, Module, ParamKind, ResultBits, SiteId, Value};

/// Rows for which a launch runs its kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Number of rows.
    pub rows: u32,
    /// Columns of the grid that the rows form, for a kernel with tiles.
    pub width: u32,
    /// Rows in the order in which they run, if these are not all rows.
    pub listed: Option<Vec<u32>>,
}

/// Outcome of a launch, beside the contents of tables and tallies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchOutcome {
    /// Values that rows or groups returned, one after another: each returned one for every reduction.
    pub returned: Vec<ResultBits>,
    /// The lowest row with a fault, and its first fault.
    pub fault: Option<(u32, SiteId)>,
}

impl<'m> Machine<'m> {
    /// Creates the state of a launch without tables, tallies and histories, and without a limit of statements.
    #[must_use]
    pub fn new(module: &'m Module) -> Self {
        let (tables, tallies, histories) = (Vec::new(), Vec::new(), Vec::new());
        Machine { module, tables, tallies, histories, first: 0, fault: None, fuel: u64::MAX, group: None }
    }

    /// Runs a kernel. `bound` has the contents of its parameters, as for row 0.
    ///
    /// # Errors
    /// As for [`Machine::call`].
    pub fn launch(&mut self, kernel: &Kernel, bound: &[Bound], extent: &Extent) -> Evaluation<LaunchOutcome> {
        let Some(function) = self.module.functions.get(kernel.function.index()) else {
            return stuck(format!("there is no function {}", kernel.function.0));
        };
        let element = function.params.iter().find_map(|param| match &param.kind {
            ParamKind::Scratch(ty, _) => Some(ty),
            _ => None,
        });
        let element = element.map(|ty| zero(self.module, ty)).transpose()?;
        let every = 0..kernel.shape.groups(extent.rows, extent.width);
        let units = extent.listed.clone().unwrap_or_else(|| every.collect());
        let mut outcome = LaunchOutcome::default();
        for unit in units {
            let group = element.as_ref().map(|zero| Group::new(kernel.shape, unit, extent.rows, extent.width, zero));
            (self.fault, self.group) = (None, group.transpose()?);
            let bound = bound.iter().zip(&function.params).map(|(bound, param)| of_unit(bound, &param.kind, unit));
            let (returned, _) = self.call(kernel.function, bound.collect())?;
            outcome.returned.extend(returned.iter().flat_map(scalars).map(|value| ResultBits { value, row: unit }));
            let faults = match self.group.take() {
                Some(group) => group.faults().iter().map(|(row, site)| (*row, *site)).collect(),
                None => Vec::from_iter(self.fault.map(|site| (unit, site))),
            };
            outcome.fault = outcome.fault.into_iter().chain(faults).min_by_key(|(row, _)| *row);
        }
        Ok(outcome)
    }
}

/// Returns the content of a parameter for another row or group than the first.
fn of_unit(bound: &Bound, kind: &ParamKind, unit: u32) -> Bound {
    match (bound, kind) {
        (_, ParamKind::Value(_)) => Bound::Value(Value::U32(unit)),
        (Bound::Row { table, .. }, _) => Bound::Row { table: *table, row: unit as usize },
        (Bound::History { history, .. }, _) => Bound::History { history: *history, row: unit as usize },
        (other, _) => other.clone(),
    }
}

/// Returns the bits of the scalars of a returned value: of its fields, or its own.
fn scalars(value: &Value) -> Vec<u64> {
    match value {
        Value::Struct(fields) => fields.iter().map(bits).collect(),
        value => vec![bits(value)],
    }
}
