//! Arguments that do not fit a grouped kernel or a subset.

use crate::case::{Cases, Verdict, refused};
use crate::context::Context;
use crate::kernels::groups::own_rows::own_rows;
use crate::kernels::groups::phases::of_64;
use crate::kernels::groups::subsets::subsets::{self, CellColumns as _};
use crate::kernels::groups::tiles::of_8_by_4;
use imminent_core::{Error, GAP, Selection, Table};

fn misfit<T>(what: &str, result: Result<T, Error>) -> Verdict {
    refused(what, result, "`Error::Launch`", |error| matches!(error, Error::Launch { .. }))
}

fn refusals(context: &Context<'_>) -> Verdict {
    let (device, queue) = (context.device, context.queue());
    let mut cells = Table::<of_8_by_4::Cell>::zeroed(device, 64)?;
    let mut tiles = Table::<of_8_by_4::Tile>::zeroed(device, 2)?;
    misfit("tiles of a table that is no grid", queue.launch::<of_8_by_4::places>((&mut cells, &mut tiles)))?;
    let mut grid = Table::<of_8_by_4::Cell>::grid(device, 8, 12)?;
    misfit("two rows for three tiles", queue.launch::<of_8_by_4::places>((&mut grid, &mut tiles)))?;
    let mut small = Table::<of_8_by_4::Cell>::grid(device, 8, 8)?;
    misfit("a part of a grid", queue.launch_rows::<of_8_by_4::places>(32, (&mut small, &mut tiles)))?;
    queue.launch::<of_8_by_4::places>((&mut small, &mut tiles))?;

    let prices = Table::<own_rows::Price>::zeroed(device, 100)?;
    let mut totals = Table::<own_rows::Total>::zeroed(device, 2)?;
    let mut short = Table::<own_rows::Cell>::with_capacity(device, 99, 3)?;
    let quotas = Table::<own_rows::Quota>::zeroed(device, 2)?;
    let args = (&prices, &mut totals, &mut short, &quotas);
    misfit("own rows of tables of two lengths", queue.launch::<own_rows::two_of_each>(args))?;

    let selection = Selection::from_rows(device, 10, &[3, 1])?;
    let mut nine = Table::<subsets::Cell>::zeroed(device, 9)?;
    misfit("a selection of a longer table", queue.launch_over::<subsets::step>(&selection, (&mut nine,)))?;
    let mut grouped = Table::<of_64::Cell>::zeroed(device, 10)?;
    misfit("groups over a selection", queue.launch_over::<of_64::rotate>(&selection, (&mut grouped,)))?;
    let cells = Table::<subsets::Cell>::zeroed(device, 10)?;
    let gaps = Selection::from_places(device, 10, &[3, GAP, 1])?;
    misfit("a sum of floats over gaps", queue.launch_over::<subsets::sum_of_shares>(&gaps, (&cells,)))?;
    let invalid = |error: &Error| matches!(error, Error::Invalid { .. });
    refused("a row listed twice", Selection::from_rows(device, 10, &[3, 3]), "`Error::Invalid`", invalid)?;
    let mut narrow = Selection::by_kind(device, 10, 3, 4)?;
    refused("kinds further apart", queue.group_by(cells.value(), 3, 8, &mut narrow), "`Error::Invalid`", invalid)?;
    refused("a row past the end", Selection::from_rows(device, 10, &[10]), "`Error::Invalid`", invalid)
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("groups and subsets that do not fit their tables are refused with a typed error", refusals);
}
