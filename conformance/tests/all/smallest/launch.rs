//! Launches of kernels.

use super::memory::Memory;
use imminent_core::backend::{Argument, Buffer, DeviceMemory, Launch, ModuleHandle, Shape};
use imminent_core::ir::interpret::{Bound, Group, Machine, RowTree, Stuck, Table, bits, read_value, zero};
use imminent_core::ir::{Layout, Module, ParamKind, Scalar, SiteId, StructId, Type, Value};
use imminent_core::reduce::{ResultBits, combine_all};
use imminent_core::{Error, Fault, ModuleSource, Result};

fn stuck(error: Stuck) -> Error {
    Error::invalid("launch", error.to_string())
}

fn memory(buffer: &Buffer) -> Result<&Memory> {
    Memory::of(buffer)
}

/// Returns the module of a handle.
pub(super) fn module(handle: &ModuleHandle) -> Result<&'static Module> {
    let source: &&'static ModuleSource = handle.get().ok_or_else(|| Error::invalid("launch", "foreign module"))?;
    source.ir().map_err(|error| Error::Module { module: source.name().to_owned(), reason: error.to_string() })
}

/// Runs a kernel for all its rows or groups.
pub(super) fn run(launch: &Launch) -> Result<()> {
    let module = module(&launch.module)?;
    let kernel = &module.kernels[launch.kernel as usize];
    let function = &module.functions[kernel.function.index()];
    let mut machine = Machine {
        module,
        tables: Vec::new(),
        tallies: Vec::new(),
        histories: Vec::new(),
        first: 0,
        fault: None,
        fuel: u64::MAX,
        group: None,
    };
    // Own rows, groups and the row's number are bound anew for each row; here they are those of row 0.
    let (mut bound, mut written, mut element) = (Vec::new(), Vec::new(), None);
    let mut args = launch.args.iter();
    for param in &function.params {
        let arg = match &param.kind {
            ParamKind::Value(_) | ParamKind::Scratch(..) => None,
            _ => args.next(),
        };
        bound.push(match (&param.kind, arg) {
            (ParamKind::Value(_), _) => Bound::Value(Value::U32(0)),
            (ParamKind::Scratch(ty, _), _) => {
                element = Some(zero(module, ty).map_err(stuck)?);
                Bound::Scratch
            }
            (
                ParamKind::Row(of, _) | ParamKind::Each(of, _) | ParamKind::Rows(of),
                Some(Argument::Table { buffer, mutable }),
            ) => {
                let (mut rows, table) = (read(module, *of, memory(buffer)?)?, machine.tables.len());
                if *mutable {
                    written.push((table, memory(buffer)?));
                }
                let bound = match param.kind {
                    ParamKind::Row(..) => Bound::Row { table, row: 0 },
                    ParamKind::Each(..) => Bound::Each(table),
                    _ => {
                        let lanes = memory(buffer)?.shape().capacity();
                        rows.push(RowTree::zeroed(module, *of, lanes).map_err(stuck)?);
                        Bound::Rows(table)
                    }
                };
                machine.tables.push(Table { of: *of, rows });
                bound
            }
            (ParamKind::Tally(scalar), Some(Argument::Tally { buffer })) => {
                let memory = memory(buffer)?;
                let slot = |slot| memory.get(None, slot, 0, *scalar).and_then(|bits| value(module, *scalar, bits));
                machine.tallies.push((0..memory.shape().rows()).map(slot).collect::<Result<_>>()?);
                Bound::Tally(machine.tallies.len() - 1)
            }
            (ParamKind::Params(of), Some(Argument::Params { words, .. })) => {
                let at = |word: u32| u64::from(words.get(word as usize).copied().unwrap_or(0));
                let leaf = |word| at(word) | at(word + 1) << 32;
                Bound::Value(read_value(module, &Type::Struct(*of), 0, &leaf).map_err(stuck)?)
            }
            _ => return Err(Error::invalid("launch", "the interpreter has no histories")),
        });
    }
    let units: Vec<u32> = match (&launch.subset, &element) {
        (Some(subset), _) => {
            let count = memory(&subset.count)?.get(None, 0, 0, Scalar::U32)? as u32;
            let rows = memory(&subset.rows)?;
            (0..count).map(|at| Ok(rows.get(None, at, 0, Scalar::U32)? as u32)).collect::<Result<_>>()?
        }
        (None, Some(_)) => (0..kernel.shape.groups(launch.rows, launch.width)).collect(),
        (None, None) => (0..launch.rows).collect(),
    };
    let (mut first, mut results) = (None::<(u32, SiteId)>, Vec::new());
    for unit in units {
        machine.fault = None;
        if let Some(element) = &element {
            let group = Group::new(kernel.shape, unit, launch.rows, launch.width, element);
            machine.group = Some(group.map_err(stuck)?);
        }
        let of_unit = |bound: &Bound| match bound {
            Bound::Row { table, .. } => Bound::Row { table: *table, row: unit as usize },
            Bound::Value(Value::U32(_)) => Bound::Value(Value::U32(unit)),
            other => other.clone(),
        };
        let (result, _) = machine.call(kernel.function, bound.iter().map(of_unit).collect()).map_err(stuck)?;
        let fields = match &result {
            Some(Value::Struct(fields)) => fields.as_slice(),
            value => value.as_slice(),
        };
        results.extend(fields.iter().map(|value| ResultBits { value: bits(value), row: unit }));
        let faults = match machine.group.take() {
            Some(group) => group.faults().iter().map(|(row, site)| (*row, *site)).collect(),
            None => Vec::from_iter(machine.fault.map(|site| (unit, site))),
        };
        first = first.into_iter().chain(faults).min_by_key(|(row, _)| *row);
    }
    for (table, memory) in written {
        write(&machine.tables[table].rows, memory)?;
    }
    let tallies = launch.args.iter().filter_map(|arg| match arg {
        Argument::Tally { buffer } => Some(buffer),
        _ => None,
    });
    for (buffer, slots) in tallies.zip(&machine.tallies) {
        for (slot, value) in (0..).zip(slots) {
            let memory = memory(buffer)?;
            if let Shape::Tally { scalar, .. } = memory.shape() {
                memory.set(None, slot, 0, *scalar, bits(value))?;
            }
        }
    }
    if let (Some(buffer), Some(of)) = (&launch.result, module.results(kernel)) {
        for ((word, scalar), bits) in of.scalars().iter().zip(combine_all(&of, &results)) {
            memory(buffer)?.set(None, 0, word, scalar, bits)?;
        }
    }
    first.map_or(Ok(()), |(row, site)| Err(fault(module, launch.name, row, site)))
}

fn fault(module: &Module, kernel: &str, row: u32, site: SiteId) -> Error {
    let site = &module.sites[site.index()];
    Error::Fault(Fault {
        kernel: kernel.to_owned(),
        row,
        kind: site.kind,
        file: site.file.clone(),
        line: site.line,
        column: site.column,
        text: site.text.clone(),
        operands: None,
        operation: None,
    })
}

fn value(module: &Module, scalar: Scalar, bits: u64) -> Result<Value> {
    let value = Value::from_scalars(module, &Type::Scalar(scalar), &mut std::iter::once(bits));
    value.ok_or_else(|| Error::invalid("tally", "it has no such slot"))
}

/// Returns the column's lane, and the position in it, of a lane of a row.
fn place(memory: &Memory, row: u32, lane: Option<u32>) -> (Option<u32>, u32) {
    match (memory.room(), lane) {
        (Some(room), Some(lane)) => (Some(0), room.of(row).start + lane),
        (_, lane) => (lane, row),
    }
}

/// Reads the rows of a table as structs of a module.
fn read(module: &Module, of: StructId, memory: &Memory) -> Result<Vec<RowTree>> {
    let layout = Layout::of(module, of);
    let row = |row: u32| {
        let leaf = |lane: Option<u32>, word: u32| {
            let column = layout.columns.iter().find(|column| column.word == word && column.lane == lane.is_some());
            let (lane, at) = place(memory, row, lane);
            column.and_then(|column| memory.get(lane, at, word, column.scalar).ok()).unwrap_or(0)
        };
        let lanes = memory.room().map_or(memory.shape().capacity(), |room| room.of(row).len() as u32);
        RowTree::read(module, of, lanes, &leaf).map_err(stuck)
    };
    (0..memory.shape().rows()).map(row).collect()
}

/// Writes the rows of a table.
fn write(rows: &[RowTree], memory: &Memory) -> Result<()> {
    let (Shape::Table { layout, .. } | Shape::Ragged { layout, .. }) = memory.shape() else { return Ok(()) };
    for (row, tree) in (0..).zip(rows) {
        let (fixed, lanes) = tree.leaves();
        let lanes = (0..).zip(lanes).map(|(lane, leaves)| (Some(lane), leaves));
        for (lane, leaves) in std::iter::once((None, fixed)).chain(lanes) {
            for (word, bits) in leaves {
                let column = layout.columns.iter().find(|column| column.word == word && column.lane == lane.is_some());
                let (lane, at) = place(memory, row, lane);
                column.map_or(Ok(()), |column| memory.set(lane, at, word, column.scalar, bits))?;
            }
        }
    }
    Ok(())
}
