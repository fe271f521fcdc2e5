//! Expected results of a launch, by the interpreter.

use super::given::{ArgumentData, Launched};
use imminent_core::ir::interpret::{Bound, Evaluation, Group, Machine, RowTree, Stuck, Table, bits, zero};
use imminent_core::ir::{ParamKind, Shape, SiteId, Value};
use imminent_core::reduce::{ResultBits, combine_all};

/// Result of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Rows of every table and slots of every tally, by the position of their parameter.
    pub(crate) after: Vec<After>,
    /// Row of the first fault, and its site in the module.
    pub(crate) fault: Option<(u32, SiteId)>,
    /// Bits of the scalars of the result; none for a kernel that returns nothing.
    pub(crate) result: Vec<u64>,
}

/// Contents of one argument after the launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum After {
    Rows(Vec<RowTree>),
    Slots(Vec<Value>),
    Nothing,
}

/// Runs a launch with the interpreter of the IR.
pub(crate) fn run(launched: &Launched) -> Evaluation<Outcome> {
    let Launched { module, given, .. } = launched;
    let ill = || Stuck::IllFormed("there is no kernel".to_owned());
    let (kernel, function) = launched.entry().ok_or_else(ill)?;
    let (mut tables, mut tallies, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for (given, param) in given.iter().zip(&function.params) {
        places.push(match given {
            ArgumentData::Table { .. } => tables.len(),
            _ => tallies.len(),
        });
        match given {
            ArgumentData::Table { of, rows, room, .. } => {
                let mut rows = rows.clone();
                if matches!(param.kind, ParamKind::Rows(_)) {
                    rows.push(RowTree::zeroed(module, *of, room.of(rows.len()))?);
                }
                tables.push(Table { of: *of, rows });
            }
            ArgumentData::Tally { slots, .. } => tallies.push(slots.clone()),
            ArgumentData::Params { .. } | ArgumentData::Nothing => {}
        }
    }
    let (histories, fuel) = (Vec::new(), launched.fuel);
    let mut machine = Machine { module, tables, tallies, histories, first: 0, fault: None, fuel, group: None };
    let element = function.params.iter().find_map(|param| match &param.kind {
        ParamKind::Scratch(ty, _) => Some(ty),
        _ => None,
    });
    let grouped = kernel.shape != Shape::Rows;
    let units: Vec<u32> = match (&launched.subset, grouped) {
        (Some(rows), _) => rows.clone(),
        (None, true) => (0..kernel.shape.groups(launched.rows, launched.width)).collect(),
        (None, false) => (0..launched.rows).collect(),
    };
    let (mut first, mut results) = (None::<(u32, SiteId)>, Vec::new());
    for unit in units {
        machine.fault = None;
        if let Some(element) = element {
            let zero = zero(module, element)?;
            machine.group = Some(Group::new(kernel.shape, unit, launched.rows, launched.width, &zero)?);
        }
        let bound = given.iter().zip(&places).zip(&function.params).map(|((given, place), param)| match &param.kind {
            ParamKind::Row(..) => Bound::Row { table: *place, row: unit as usize },
            ParamKind::Each(..) => Bound::Each(*place),
            ParamKind::Rows(_) => Bound::Rows(*place),
            ParamKind::Tally(_) => Bound::Tally(*place),
            ParamKind::Scratch(..) => Bound::Scratch,
            _ => match given {
                ArgumentData::Params { value, .. } => Bound::Value(value.clone()),
                _ => Bound::Value(Value::U32(unit)),
            },
        });
        let (result, _) = machine.call(kernel.function, bound.collect())?;
        results.extend(result.iter().flat_map(|value| returned(value, unit)));
        let mut note = |row: u32, site: SiteId| {
            if first.is_none_or(|(least, _)| row < least) {
                first = Some((row, site));
            }
        };
        match machine.group.take() {
            Some(group) => group.faults().iter().for_each(|(row, site)| note(*row, *site)),
            None => machine.fault.into_iter().for_each(|site| note(unit, site)),
        }
    }
    let result = module.results(kernel).map(|of| combine_all(&of, &results)).unwrap_or_default();
    let after = given.iter().zip(&places).map(|(given, place)| match given {
        ArgumentData::Table { rows, .. } => {
            After::Rows(machine.tables.get(*place).map(|table| table.rows[..rows.len()].to_vec()).unwrap_or_default())
        }
        ArgumentData::Tally { .. } => After::Slots(machine.tallies.get(*place).cloned().unwrap_or_default()),
        ArgumentData::Params { .. } | ArgumentData::Nothing => After::Nothing,
    });
    Ok(Outcome { after: after.collect(), fault: first, result })
}

/// Returns what a row or group returned for each reduction.
fn returned(value: &Value, row: u32) -> Vec<ResultBits> {
    let fields = match value {
        Value::Struct(fields) => fields.as_slice(),
        value => std::slice::from_ref(value),
    };
    fields.iter().map(|value| ResultBits { value: bits(value), row }).collect()
}
