//! Invalid calls are errors, and change nothing.

use super::mixed::mixed;
use crate::case::{Cases, Verdict, ensure, equal_slices, refused};
use crate::context::Context;
use crate::kernels::memory::rows::{self, Mixed, MixedColumns as _, Small};
use imminent_core::{Error, Table, TallyTable};

fn invalid<T>(what: &str, result: Result<T, Error>) -> Verdict {
    refused(what, result, "`Error::Invalid`", |error| matches!(error, Error::Invalid { .. }))
}

fn misfit<T>(what: &str, result: Result<T, Error>) -> Verdict {
    refused(what, result, "`Error::Launch`", |error| matches!(error, Error::Launch { .. }))
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("wrong numbers of rows and lanes are refused, and change nothing", |context| {
        let before = mixed(context, 10, 2);
        let mut table = Table::from_rows(context.device, &before)?;
        invalid("a write of 9 rows to a table of 10", table.write(&before[..9]))?;
        invalid("a write of 11 rows to a table of 10", table.write(&mixed(context, 11, 2)))?;
        invalid("a write of 3 lanes to a table of 2", table.write(&mixed(context, 10, 3)))?;
        equal_slices("the table after refused writes", &table.read()?, &before)
    });
    cases.add("columns, lanes and rows that do not exist are refused", |context| {
        let before = mixed(context, 10, 2);
        let table = Table::from_rows(context.device, &before)?;
        invalid("a read of rows 5..11 of 10", table.wide().read_rows(5..11))?;
        invalid("a read of rows 11..12 of 10", table.wide().read_rows(11..12))?;
        invalid("a write past the last row", table.wide().write_rows(9, &[1, 2]))?;
        invalid("a write far past the last row", table.wide().write_rows(usize::MAX, &[1]))?;
        invalid("a read of lane 2 of 2", table.times(2).read())?;
        invalid("a write to lane 2 of 2", table.kinds(2).write_rows(0, &[1]))?;
        invalid("a read of a column as another width", table.column::<u64>(0).read())?;
        invalid("a read of a column that does not exist", table.column::<u32>(1000).read())?;
        equal_slices("the table after refused accesses", &table.read()?, &before)
    });
    cases.add("copies and growth of the wrong shape are refused", |context| {
        let from = Table::from_rows(context.device, &mixed(context, 10, 2))?;
        invalid("a copy of 10 rows to 9", Table::<Mixed>::with_capacity(context.device, 9, 2)?.copy_from(&from))?;
        invalid("a copy of 2 lanes to 3", Table::<Mixed>::with_capacity(context.device, 10, 3)?.copy_from(&from))?;
        invalid("growth of rows without lanes", Table::<Small>::zeroed(context.device, 3)?.grow(4))?;
        invalid("a tally without slots", TallyTable::<u32>::new(context.device, &[]))?;
        invalid("a write of 2 slots to a tally of 3", TallyTable::new(context.device, &[1_u32, 2, 3])?.write(&[1, 2]))
    });
    cases.add("tables of another device are refused", |context| {
        let mut here = Table::<Small>::zeroed(context.device, 3)?;
        let there = Table::<Small>::zeroed(context.reference, 3)?;
        invalid("a copy from another device", here.copy_from(&there))?;
        misfit("a launch with a table of another device", context.queue().launch::<rows::take>((&mut here, &there)))
    });
    cases.add("launches whose arguments do not fit together are refused", |context| {
        let mut ten = Table::<Small>::zeroed(context.device, 10)?;
        misfit("a launch over more rows than there are", context.queue().launch_rows::<rows::add_id>(11, (&mut ten,)))?;
        let nine = Table::<crate::kernels::tables::tables::Cell>::zeroed(context.device, 9)?;
        let mut out = Table::<crate::kernels::tables::tables::Out>::zeroed(context.device, 10)?;
        let different = context.queue().launch::<crate::kernels::tables::tables::chase>((&nine, &nine, &mut out));
        misfit("a launch with own rows of two lengths", different)
    });
    cases.add("a table that cannot fit is refused with its size", too_large);
}

fn too_large(context: &Context<'_>) -> Verdict {
    // A column is contiguous, whatever the size of the largest table.
    let limits = &context.capabilities().limits;
    ensure(limits.column_bytes <= limits.table_bytes, || "a column is larger than a table".to_owned())?;
    let rows = usize::try_from(limits.column_bytes / 8 + 1).unwrap_or(usize::MAX);
    refused(
        &format!("a table of {rows} u64"),
        Table::<u64>::zeroed(context.device, rows),
        "`Error::OutOfMemory` or `Error::Limit`",
        |error| matches!(error, Error::OutOfMemory { .. } | Error::Limit { .. }),
    )?;
    let most = usize::try_from(1_u64 << 40).unwrap_or(usize::MAX);
    refused(
        &format!("a table of {most} rows"),
        Table::<u32>::zeroed(context.device, most),
        "`Error::OutOfMemory` or `Error::Limit`",
        |error| matches!(error, Error::OutOfMemory { .. } | Error::Limit { .. }),
    )?;
    // The device still works.
    let table = Table::from_rows(context.device, &[Small { value: 5 }])?;
    equal_slices("a table made afterwards", &table.read()?, &[Small { value: 5 }])
}
