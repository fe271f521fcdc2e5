//! Expected results of a launch, by the interpreter.

use super::given::{ArgumentData, Launched};
use imminent_core::ir::interpret::{Bound, Evaluation, Extent, Machine, RowTree, Stuck, Table};
use imminent_core::ir::{ParamKind, SiteId, Value};
use imminent_core::reduce::combine_all;

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
    let mut machine = Machine { tables, tallies, fuel: launched.fuel, ..Machine::new(module) };
    let bound = given.iter().zip(&places).zip(&function.params).map(|((given, place), param)| match &param.kind {
        ParamKind::Row(..) => Bound::Row { table: *place, row: 0 },
        ParamKind::Each(..) => Bound::Each(*place),
        ParamKind::Rows(_) => Bound::Rows(*place),
        ParamKind::Tally(_) => Bound::Tally(*place),
        ParamKind::Scratch(..) => Bound::Scratch,
        _ => match given {
            ArgumentData::Params { value, .. } => Bound::Value(value.clone()),
            _ => Bound::Value(Value::U32(0)),
        },
    });
    let extent = Extent { rows: launched.rows, width: launched.width, listed: launched.subset.clone() };
    let outcome = machine.launch(kernel, &bound.collect::<Vec<_>>(), &extent)?;
    let result = module.results(kernel).map(|of| combine_all(&of, &outcome.returned)).unwrap_or_default();
    let after = given.iter().zip(&places).map(|(given, place)| match given {
        ArgumentData::Table { rows, .. } => {
            After::Rows(machine.tables.get(*place).map(|table| table.rows[..rows.len()].to_vec()).unwrap_or_default())
        }
        ArgumentData::Tally { .. } => After::Slots(machine.tallies.get(*place).cloned().unwrap_or_default()),
        ArgumentData::Params { .. } | ArgumentData::Nothing => After::Nothing,
    });
    Ok(Outcome { after: after.collect(), fault: outcome.fault, result })
}
