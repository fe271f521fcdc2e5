//! Kernels made at run time for the layout of a table, to move its columns and rows.
//!
//! No kernel that is compiled ahead can name the columns of every row struct. But a table is words in the [canonical
//! layout](imminent_ir::Layout). A struct with as many columns of as many words, all unsigned, has the same layout on a
//! device as the table's own struct. A kernel over that mirror moves bits. A backend whose tables are native rows
//! cannot bind such a mirror: it implements these primitives itself.

mod body;

use super::words::rows::{Index, slot};
use crate::device::Storage;
use crate::error::{Error, Result};
use crate::kernel::{KernelSource, ModuleSource};
use crate::launch::{Bound, BoundLaunch, Role};
use crate::memory::Memory;
use crate::program::{ColumnRef, ProgramBuilder, Step, Value};
use crate::tables::{Table, TallyTable};
use body::{Field, Profile, What};
use imminent_ir::{Layout, Scalar, Shape};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

fn profile(layout: &Layout) -> Profile {
    let field = |column: &imminent_ir::Column| Field { words: column.scalar.words(), lane: column.lane };
    Profile { packed: layout.packed, fields: layout.columns.iter().map(field).collect() }
}

/// Returns `true` for a table that is one column, side by side.
fn is_one_column(layout: &Layout) -> bool {
    layout.columns.len() == 1 && layout.lane_words == 0 && !layout.packed
}

/// Returns the layout of a memory that is a table.
fn layout(memory: &Memory) -> Result<&'static Layout> {
    memory.layout.ok_or_else(|| {
        let reason = "the portable form of a primitive reads tables: put what the launch returns into a table of one row, \
                      with `launch_into`";
        Error::invalid(&memory.what, reason)
    })
}

/// Returns the position of a source's column among its table's.
fn field(layout: &Layout, source: &ColumnRef) -> Result<u32> {
    let found = layout
        .columns
        .iter()
        .position(|column| column.lane == source.span.lane.is_some() && column.word == source.span.word);
    let missing = || Error::invalid(&source.memory.what, format!("it has no column at word {}", source.span.word));
    found.map(|field| field as u32).ok_or_else(missing)
}

/// Copies a column to another with as many words. The source may be all slots of a tally of `u32` too.
pub(super) fn copy_column(builder: &mut ProgramBuilder, from: &ColumnRef, to: &ColumnRef) -> Result<()> {
    if from.memory.is_tally() && from.span.scalar == Scalar::U32 {
        let tally = TallyTable::<u32>::of_memory(Storage::of(&builder.device, &from.memory));
        let mut slots = Table::<Index>::zeroed(&builder.device, tally.len())?;
        builder.launch::<slot>((&mut slots, &tally))?;
        return copy_column(builder, &ColumnRef::new(&slots.memory, Scalar::U32, 0), to);
    }
    let (of_from, of_to) = (layout(&from.memory)?, layout(&to.memory)?);
    let words = from.span.scalar.words();
    if is_one_column(of_to) {
        let what = What::Take { field: field(of_from, from)?, lane: from.span.lane.is_some(), words };
        let bound = vec![read(&from.memory), write(&to.memory), lane_of(from)];
        return launch(builder, of_from, what, from.rows(), bound);
    }
    if is_one_column(of_from) {
        let what = What::Put { field: field(of_to, to)?, lane: to.span.lane.is_some(), words };
        let bound = vec![write(&to.memory), read(&from.memory), lane_of(to)];
        return launch(builder, of_to, what, to.rows(), bound);
    }
    let between = column_of(builder, words, from.rows())?;
    copy_column(builder, from, &between)?;
    copy_column(builder, &between, to)
}

/// Sets every row of a column to a value.
pub(super) fn fill(builder: &mut ProgramBuilder, column: &ColumnRef, value: &Value) -> Result<()> {
    let of = layout(&column.memory)?;
    let words = column.span.scalar.words();
    let one = match value {
        Value::Constant(bits) if words == 2 => constant(builder, *bits)?,
        Value::Constant(bits) => constant(builder, *bits as u32)?,
        Value::Device(source) if is_one_column(layout(&source.memory)?) => source.clone(),
        Value::Device(source) => {
            let one = column_of(builder, words, 1)?;
            copy_column(builder, source, &one)?;
            one
        }
    };
    let what = What::Fill { field: field(of, column)?, lane: column.span.lane.is_some(), words };
    let bound = vec![write(&column.memory), read(&one.memory), lane_of(column)];
    launch(builder, of, what, column.rows(), bound)
}

/// Copies row `rows[i]` of `from` to row `i` of `to`. If there is no such row, row `i` becomes zero if `clear` is set,
/// and otherwise stays.
pub(super) fn gather(
    builder: &mut ProgramBuilder,
    rows: &Table<Index>,
    from: &Arc<Memory>,
    to: &Arc<Memory>,
    clear: bool,
) -> Result<()> {
    let bound = vec![write(to), read(&rows.memory), read(from)];
    launch(builder, layout(to)?, What::Gather { clear }, to.rows, bound)
}

/// Creates a table of one column.
pub(super) fn column_of(builder: &ProgramBuilder, words: u32, rows: u32) -> Result<ColumnRef> {
    let rows = rows as usize;
    Ok(if words == 2 {
        ColumnRef::of(&Table::<u64>::zeroed(&builder.device, rows)?)
    } else {
        ColumnRef::of(&Table::<u32>::zeroed(&builder.device, rows)?)
    })
}

fn constant<T: crate::Row + crate::Data + crate::Output>(builder: &ProgramBuilder, value: T) -> Result<ColumnRef> {
    Table::from_rows(&builder.device, &[value]).map(|table| ColumnRef::of(&table))
}

fn read(memory: &Arc<Memory>) -> Bound {
    Bound::Table { memory: memory.clone(), mutable: false, role: Role::Whole }
}

fn write(memory: &Arc<Memory>) -> Bound {
    Bound::Table { memory: memory.clone(), mutable: true, role: Role::Own }
}

fn lane_of(source: &ColumnRef) -> Bound {
    Bound::Params { words: Arc::new([source.span.lane.unwrap_or(0)]), native: Arc::new(()) }
}

fn launch(builder: &mut ProgramBuilder, layout: &Layout, what: What, rows: u32, bound: Vec<Bound>) -> Result<()> {
    let source = made(profile(layout), what)?;
    builder.steps.push(Step::Launch(BoundLaunch::made(source, rows, bound)));
    Ok(())
}

/// Returns the kernel for a profile: made once, and kept for the life of the process, as compiled modules are.
fn made(profile: Profile, what: What) -> Result<KernelSource> {
    static MADE: Mutex<Option<HashMap<(Profile, What), KernelSource>>> = Mutex::new(None);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let made = made.get_or_insert_default();
    if let Some(source) = made.get(&(profile.clone(), what)) {
        return Ok(*source);
    }
    let name = what.name();
    let invalid = |e: imminent_ir::DecodeError| Error::Module { module: name.to_owned(), reason: e.to_string() };
    let ir: &'static [u8] = Vec::leak(body::module(&profile, what).encode().map_err(invalid)?);
    let module: &'static ModuleSource = Box::leak(Box::new(ModuleSource::made(name, ir)));
    let source = KernelSource { module, index: 0, name, shape: Shape::Rows };
    made.insert((profile, what), source);
    Ok(source)
}
