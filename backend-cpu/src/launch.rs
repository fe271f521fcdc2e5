//! One launch: its tables are locked, its rows or groups are spread over the threads, and their results are combined.

use crate::memory::{Contents, cpu_buffer, wrong_kind};
use crate::module::CpuModule;
use crate::team::Team;
use crate::weight::Grain;
use imminent_core::backend::{Argument, Launch, Subset};
use imminent_core::clock::Instant;
use imminent_core::fault::{self, NativeFault};
use imminent_core::ir::Shape;
use imminent_core::native::{Call, Entry, ErasedTable, NativeError, Slot, band};
use imminent_core::reduce::{ResultBits, combine_all};
use imminent_core::{Error, Fault, GAP, Result};
use std::ops::Range;
use std::sync::{RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

/// Number of parts for each thread, so that a late thread delays the launch only briefly.
const TASKS: u32 = 4;

/// A table locked for a launch.
enum Guard<'b> {
    Shared(RwLockReadGuard<'b, Box<dyn ErasedTable>>),
    Exclusive(RwLockWriteGuard<'b, Box<dyn ErasedTable>>),
    None,
}

/// Result of one part of a launch.
struct TaskResult {
    partials: Vec<ResultBits>,
    fault: Option<NativeFault>,
    /// Duration of the part, if it was measured.
    time: Duration,
}

/// Rows or groups that a launch visits.
enum Work {
    /// A number of rows, from the first on.
    Rows(u32),
    /// The rows of a list.
    List(Vec<u32>),
    /// The groups of `rows` rows.
    Groups { shape: Shape, rows: u32, width: u32 },
}

pub(crate) fn launch(team: &Team, launch: &Launch) -> Result<()> {
    let module: &CpuModule = launch.module.get().ok_or_else(|| wrong_kind("a module of the cpu backend"))?;
    let entry = module.entry(launch)?;
    let shape = module.shape(launch)?;
    // Read before the tables are locked: the lists may be among them.
    let work = match &launch.subset {
        Some(subset) => Work::List(listed(subset, launch.rows)?),
        None if shape.is_grouped() => Work::Groups { shape, rows: launch.rows, width: launch.width },
        None => Work::Rows(launch.rows),
    };
    let mut guards = launch
        .args
        .iter()
        .map(|arg| match arg {
            Argument::Table { buffer, mutable: true } => cpu_buffer(buffer)?.table_mut().map(Guard::Exclusive),
            Argument::Table { buffer, mutable: false } => cpu_buffer(buffer)?.table().map(Guard::Shared),
            Argument::Tally { .. } | Argument::Params { .. } => Ok(Guard::None),
        })
        .collect::<Result<Vec<_>>>()?;
    let slots = launch
        .args
        .iter()
        .zip(&mut guards)
        .map(|(arg, guard)| match (guard, arg) {
            (Guard::Exclusive(table), _) => Ok(Slot::exclusive(table.as_mut())),
            (Guard::Shared(table), _) => Ok(Slot::shared(table.as_ref())),
            (Guard::None, Argument::Tally { buffer }) => match &cpu_buffer(buffer)?.contents {
                Contents::Tally(tally) => Ok(Slot::value(tally.as_any())),
                _ => Err(wrong_kind("a tally")),
            },
            (Guard::None, Argument::Params { native, .. }) => Ok(Slot::value(native.as_ref())),
            (Guard::None, Argument::Table { .. }) => Err(wrong_kind("a table")),
        })
        .collect::<Result<Vec<_>>>()?;

    let weight = module.weight(launch);
    let is_order_free = match &launch.result {
        Some(_) => !module.results(launch)?.iter().any(|one| one.scalar.is_float()),
        None => true,
    };
    let parts = run(team, entry, &slots, &work, weight.grain(is_order_free), weight.is_due() && team.threads() > 1)
        .map_err(|e| Error::Launch { kernel: launch.name.to_owned(), reason: e.to_string() })?;
    if let Some(fault) = parts.iter().filter_map(|part| part.fault).min_by_key(|fault| fault.row) {
        let fault = Fault { operation: launch.operation, ..Fault::of_host(launch.name, fault) };
        return Err(Error::Fault(fault));
    }
    let time: Duration = parts.iter().map(|part| part.time).sum();
    if !time.is_zero() {
        weight.note(work.rows(), time);
    }
    if let Some(result) = &launch.result {
        let partials: Vec<ResultBits> = parts.into_iter().flat_map(|part| part.partials).collect();
        cpu_buffer(result)?.set_result(&combine_all(&module.results(launch)?, &partials))?;
    }
    Ok(())
}

impl Work {
    fn rows(&self) -> u32 {
        match self {
            Work::Rows(rows) | Work::Groups { rows, .. } => *rows,
            Work::List(list) => list.len() as u32,
        }
    }
}

/// Returns the rows of a subset, without its gaps.
fn listed(subset: &Subset, capacity: u32) -> Result<Vec<u32>> {
    let count = (cpu_buffer(&subset.count)?.leaf(0, None, 0) as u32).min(capacity);
    let rows = cpu_buffer(&subset.rows)?.table()?;
    Ok((0..count).map(|place| rows.leaf(place, None, 0) as u32).filter(|row| *row != GAP).collect())
}

/// Runs an entry over all rows or groups, in parts that start at whole blocks. Returns the parts' results in order.
fn run(
    team: &Team,
    entry: Entry,
    slots: &[Slot<'_>],
    work: &Work,
    grain: Grain,
    measured: bool,
) -> Result<Vec<TaskResult>, NativeError> {
    let finish = |mut call: Call<'_>| {
        let began = measured.then(Instant::now);
        let (done, fault) = fault::catch(|| entry(&mut call));
        let time = began.map_or(Duration::ZERO, |began| began.elapsed());
        done.map(|()| TaskResult { partials: call.into_partials(), fault, time })
    };
    // A unit is never divided: some rows, or the groups side by side over consecutive rows.
    let (units, rows_of_unit) = match work {
        Work::Rows(_) | Work::List(_) => (work.rows().div_ceil(grain.unit), grain.unit),
        Work::Groups { shape, rows, width } => {
            let (_, rows_of_band) = band(*shape, *width);
            (rows.div_ceil(rows_of_band.max(1)), rows_of_band.max(1))
        }
    };
    let part = |units: Range<u32>| {
        let cut = |unit: u32, all: u32| unit.saturating_mul(rows_of_unit).min(all);
        match work {
            Work::Rows(rows) => {
                let range = cut(units.start, *rows)..cut(units.end, *rows);
                // SAFETY: the ranges of one launch are disjoint, and the call ends before this function returns.
                finish(unsafe { Call::new(slots, range) })
            }
            Work::List(list) => {
                let all = list.len() as u32;
                let range = cut(units.start, all) as usize..cut(units.end, all) as usize;
                let part = list.get(range).unwrap_or_default();
                // SAFETY: as above. A subset is made only by primitives and by `Selection::from_rows`, and lists no row
                // twice, so its parts have no row in common.
                finish(unsafe { Call::listed(slots, part) })
            }
            Work::Groups { shape, rows, width } => {
                let (side_by_side, _) = band(*shape, *width);
                let all = shape.groups(*rows, *width);
                let group = |unit: u32| unit.saturating_mul(side_by_side).min(all);
                let numbers = group(units.start)..group(units.end);
                // SAFETY: as for rows: the parts have different groups, and so different rows.
                finish(unsafe { Call::grouped(slots, *shape, numbers, *rows, *width) }.ok_or(NativeError::Groups)?)
            }
        }
    };
    let threads = team.threads() as u32;
    let length = (units / (threads * TASKS)).max(grain.least / rows_of_unit).max(1);
    if units <= length || threads == 1 {
        return Ok(vec![part(0..units)?]);
    }
    let parts = (0..units.div_ceil(length)).map(|i| i * length..(i + 1).saturating_mul(length).min(units)).collect();
    team.map(parts, part).into_iter().collect()
}
