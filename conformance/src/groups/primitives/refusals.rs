//! Primitives whose arguments do not fit are refused, and change nothing.

use crate::case::{Cases, Verdict, equal_slices, refused};
use crate::kernels::primitives::cells::{Cell, CellColumns as _};
use crate::kernels::primitives::parcels::Parcel;
use imminent_core::primitives::ScanOp;
use imminent_core::{Error, Row, Selection, Table, TallyTable};

fn invalid<T>(what: &str, result: Result<T, Error>) -> Verdict {
    refused(what, result, "`Error::Invalid`", |error| matches!(error, Error::Invalid { .. }))
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("columns of other lengths are refused", |context| {
        let queue = context.queue();
        let (ten, nine) =
            (Table::from_rows(context.device, &[7_u32; 10])?, Table::from_rows(context.device, &[1_u32; 9])?);
        let mut other = Table::from_rows(context.device, &[5_u32; 9])?;
        let mut more = Table::from_rows(context.device, &[5_u32; 10])?;
        invalid("a scan into fewer rows", queue.inclusive_scan(&ten, ScanOp::Sum, &mut other))?;
        invalid("a payload of fewer rows than keys", queue.sort_by_key(&ten, &nine, &mut more, &mut other))?;
        invalid("9 segments with 9 ends", queue.segmented_min(&ten, &nine, &mut other))?;
        invalid("a gather of 9 rows to 10", queue.gather(&nine, &ten, &mut more))?;
        invalid("a scatter of 10 rows to 9 places", queue.scatter(&nine, &ten, &mut more))?;
        invalid("a copy of 9 rows to 10", queue.copy_column(&nine, more.column(0)))?;
        let mut small = Selection::with_capacity(context.device, 9)?;
        invalid(
            "a selection of 10 rows among 9 places",
            queue.select_into(ten.column::<u32>(0).above(0)?, &mut small),
        )?;
        equal_slices("what would have been written", &other.read()?, &[5; 9])
    });
    cases.add("rows with other lanes, and histograms without width, are refused", |context| {
        let queue = context.queue();
        let from = Table::from_rows(context.device, &[Parcel::zeroed(2)])?;
        let mut to = Table::<Parcel>::with_capacity(context.device, 1, 3)?;
        let rows = Table::from_rows(context.device, &[0_u32])?;
        invalid("a gather to more lanes", queue.gather(&rows, &from, &mut to))?;
        invalid("a scatter to more lanes", queue.scatter(&rows, &from, &mut to))?;
        let mut tally = TallyTable::new(context.device, &[0_u32])?;
        invalid("slots of no width", queue.histogram(&rows, 0, 0, &mut tally))
    });
    cases.add("columns that do not exist, and columns taken as another type, are refused", |context| {
        let queue = context.queue();
        let table = Table::from_rows(context.device, &[Cell::zeroed(0)])?;
        invalid("a column past the row", queue.min(table.column::<u32>(1000)))?;
        invalid("a u32 column as f32", queue.max(table.column::<f32>(0)))?;
        invalid("a u64 column as u32", queue.sort(table.column::<u32>(3)))?;
        queue.min(table.before())?.read().map(drop).map_err(Into::into)
    });
    cases.add("tables of another device are refused", |context| {
        let elsewhere = Table::from_rows(context.reference, &[3_u32, 4])?;
        let here = Table::from_rows(context.device, &[3_u32, 4])?;
        let queue = context.queue();
        invalid("the least of another device's column", queue.min(&elsewhere))?;
        let least = context.reference.queue().min(&elsewhere)?;
        invalid("a comparison with another device's scalar", queue.count(here.column::<u32>(0).equals(&least)?))
    });
    cases.add("a result that a primitive would read and write is refused", |context| {
        let queue = context.queue();
        let table = Table::from_rows(context.device, &[3_u32])?;
        let mut one = Table::from_rows(context.device, &[9_u32])?;
        let least = queue.min_into(&table, &mut one)?;
        // The scalar is the table's only row, which the fill would write.
        invalid("a fill with its own value", queue.fill(&one, &least))?;
        equal_slices("the table", &one.read()?, &[3])
    });
}
