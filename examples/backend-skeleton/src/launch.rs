//! Launches: the interpreter runs a kernel over copies of its arguments.

use crate::memory::Memory;
use imminent_core::backend::{Argument, Buffer, DeviceMemory, Launch, ModuleHandle};
use imminent_core::ir::interpret::{Bound, Extent, Machine, RowTree, Stuck, Table, bits, read_struct, read_value};
use imminent_core::ir::{Module, ParamKind, StructId, Type, Value};
use imminent_core::reduce::combine_all;
use imminent_core::{Error, Fault, GAP, ModuleSource, Result};

fn stuck(error: Stuck) -> Error {
    Error::invalid("launch", error.to_string())
}

/// Returns the module of a handle.
pub(crate) fn module(handle: &ModuleHandle) -> Result<&'static Module> {
    let source: &&'static ModuleSource = handle.get().ok_or_else(|| Error::invalid("module", "of another backend"))?;
    source.ir().map_err(|error| Error::Module { module: source.name().to_owned(), reason: error.to_string() })
}

/// Runs a kernel for all its rows or groups.
pub(crate) fn run(launch: &Launch) -> Result<()> {
    let module = module(&launch.module)?;
    let kernel = &module.kernels[launch.kernel as usize];
    let (mut machine, mut bound, mut written) = (Machine::new(module), Vec::new(), Vec::new());
    let mut args = launch.args.iter();
    for param in &module.functions[kernel.function.index()].params {
        bound.push(match &param.kind {
            // The interpreter gives the row's number.
            ParamKind::Value(_) => Bound::Value(Value::U32(0)),
            ParamKind::Scratch(..) => Bound::Scratch,
            kind => match args.next() {
                Some(argument) => bind(&mut machine, kind, argument, &mut written)?,
                None => return Err(Error::invalid("launch", "it has too few arguments")),
            },
        });
    }
    let listed = match &launch.subset {
        Some(subset) => {
            let (count, rows) = (Memory::of(&subset.count)?.get(0, None, 0)?, Memory::of(&subset.rows)?);
            let row = |at| rows.get(at, None, 0).map(|row| row as u32);
            let places: Vec<u32> = (0..count as u32).map(row).collect::<Result<_>>()?;
            Some(places.into_iter().filter(|row| *row != GAP).collect())
        }
        None => None,
    };
    let extent = Extent { rows: launch.rows, width: launch.width, listed };
    let outcome = machine.launch(kernel, &bound, &extent).map_err(stuck)?;
    for (contents, buffer) in written {
        match contents {
            Contents::Rows(table) => write_rows(&machine.tables[table].rows, Memory::of(buffer)?)?,
            Contents::Slots(tally) => write_slots(&machine.tallies[tally], Memory::of(buffer)?)?,
        }
    }
    if let (Some(buffer), Some(of)) = (&launch.result, module.results(kernel)) {
        for ((word, _), bits) in of.scalars().iter().zip(combine_all(&of, &outcome.returned)) {
            Memory::of(buffer)?.set(0, None, word, bits)?;
        }
    }
    match outcome.fault {
        Some((row, site)) => {
            let fault = Fault::at_site(launch.name, row, &module.sites[site.index()]);
            // Core then knows the memory that is lost.
            Err(Error::Fault(Fault { operation: launch.operation, ..fault }))
        }
        None => Ok(()),
    }
}

/// Contents that the interpreter may change: a table or a tally, by its position in the machine.
enum Contents {
    Rows(usize),
    Slots(usize),
}

/// Copies an argument into the interpreter.
fn bind<'l>(
    machine: &mut Machine<'_>,
    kind: &ParamKind,
    argument: &'l Argument,
    written: &mut Vec<(Contents, &'l Buffer)>,
) -> Result<Bound> {
    match (kind, argument) {
        (ParamKind::Row(of, _) | ParamKind::Each(of, _) | ParamKind::Rows(of), Argument::Table { buffer, mutable }) => {
            let (memory, table) = (Memory::of(buffer)?, machine.tables.len());
            let mut rows = read_rows(machine.module, *of, memory)?;
            if *mutable {
                written.push((Contents::Rows(table), buffer));
            }
            let bound = match kind {
                ParamKind::Row(..) => Bound::Row { table, row: 0 },
                ParamKind::Each(..) => Bound::Each(table),
                _ => {
                    // Row `rows` of a table reads as zero.
                    rows.push(RowTree::zeroed(machine.module, *of, memory.shape().capacity()).map_err(stuck)?);
                    Bound::Rows(table)
                }
            };
            machine.tables.push(Table { of: *of, rows });
            Ok(bound)
        }
        (ParamKind::Tally(scalar), Argument::Tally { buffer }) => {
            let memory = Memory::of(buffer)?;
            let slot = |slot| {
                let bits = memory.get(slot, None, 0)?;
                read_value(machine.module, &Type::Scalar(*scalar), 0, &|_| bits).map_err(stuck)
            };
            let slots = (0..memory.shape().rows()).map(slot).collect::<Result<_>>()?;
            written.push((Contents::Slots(machine.tallies.len()), buffer));
            machine.tallies.push(slots);
            Ok(Bound::Tally(machine.tallies.len() - 1))
        }
        (ParamKind::Params(of), Argument::Params { words, .. }) => {
            read_struct(machine.module, *of, words).map(Bound::Value).map_err(stuck)
        }
        _ => Err(Error::invalid("launch", "histories need a lowering of what `flatten` returns")),
    }
}

fn read_rows(module: &Module, of: StructId, memory: &Memory) -> Result<Vec<RowTree>> {
    let row = |row| {
        let leaf = |lane: Option<u32>, word: u32| memory.get(row, lane, word).unwrap_or(0);
        RowTree::read(module, of, memory.lanes_of(row), &leaf).map_err(stuck)
    };
    (0..memory.shape().rows()).map(row).collect()
}

fn write_rows(rows: &[RowTree], memory: &Memory) -> Result<()> {
    for (row, tree) in (0..memory.shape().rows()).zip(rows) {
        let (fixed, lanes) = tree.leaves();
        let lanes = (0..).zip(lanes).map(|(lane, leaves)| (Some(lane), leaves));
        for (lane, leaves) in std::iter::once((None, fixed)).chain(lanes) {
            leaves.into_iter().try_for_each(|(word, bits)| memory.set(row, lane, word, bits))?;
        }
    }
    Ok(())
}

fn write_slots(slots: &[Value], memory: &Memory) -> Result<()> {
    (0..).zip(slots).try_for_each(|(slot, value)| memory.set(slot, None, 0, bits(value)))
}
