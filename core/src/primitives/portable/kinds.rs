//! Lists of rows by their kind.

use super::stage;
use super::words::rows::Index;
use crate::error::Result;
use crate::program::{ColumnRef, ProgramBuilder};
use crate::tables::{Selection, Table};

#[crate::kernels]
mod places {
    use super::super::words::rows::Index;

    /// Number of kinds, and the multiple at which the first place of each lies.
    #[derive(Params)]
    pub struct Kinds {
        pub kinds: u32,
        pub width: u32,
    }

    /// Counts the rows of a kind lower than this; behind the last kind, counts all rows.
    #[kernel]
    pub fn rank(below: &mut Index, order: &Rows<Index>, kinds: &Rows<Index>, how: &Kinds, id: u32) {
        let mut low = 0;
        let mut high = order.len();
        if id >= how.kinds {
            low = high;
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if kinds.get(order.get(middle).value).value < id {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        below.value = low;
    }

    /// Returns the number of places that rows take, including the gaps behind them.
    fn taken(rows: u32, width: u32) -> u32 {
        (rows + (width - 1)) / width * width
    }

    /// Finds the row at each place, if there is one.
    #[kernel]
    pub fn put(place: &mut Index, order: &Rows<Index>, below: &Rows<Index>, how: &Kinds, id: u32) {
        let mut row = u32::MAX;
        let mut first = 0;
        for kind in 0..how.kinds {
            let rank = below.get(kind).value;
            let rows = below.get(kind + 1).value - rank;
            if id >= first && id - first < rows {
                row = order.get(rank + (id - first)).value;
            }
            first += taken(rows, how.width);
        }
        place.value = row;
    }

    /// Counts the places that all kinds take together.
    #[kernel]
    pub fn end(count: &mut Index, below: &Rows<Index>, how: &Kinds) {
        let mut places = 0;
        for kind in 0..how.kinds {
            places += taken(below.get(kind + 1).value - below.get(kind).value, how.width);
        }
        count.value = places;
    }
}

/// Lists rows in an order in which their kinds ascend, each kind from a multiple of `width` on. There must be room for
/// them.
pub(in crate::primitives) fn list(
    builder: &mut ProgramBuilder,
    column: &ColumnRef,
    order: &Selection,
    (kinds, width): (u32, u32),
    into: &Selection,
) -> Result<()> {
    let how = places::Kinds { kinds, width };
    let kind_of = stage::input::<Index>(builder, column)?;
    let order = stage::input::<Index>(builder, &ColumnRef::of(&order.rows))?;
    let mut below = Table::<Index>::zeroed(&builder.device, kinds as usize + 1)?;
    builder.launch::<places::rank>((&mut below, &order, &kind_of, &how))?;
    let (rows, count) = (ColumnRef::of(&into.rows), ColumnRef::of(&into.count));
    let mut listed = stage::output::<Index>(builder, &rows)?;
    builder.launch::<places::put>((&mut listed, &order, &below, &how))?;
    stage::deliver(builder, &listed, &rows)?;
    let mut number = stage::output::<Index>(builder, &count)?;
    builder.launch::<places::end>((&mut number, &below, &how))?;
    stage::deliver(builder, &number, &count)
}
