//! Columns of a ragged table whose rows are native structs: those of the pool, and those that locate each row's room.

use crate::data::Ragged;
use crate::data::pack::bits_of;
use crate::native::erased::ErasedTable;
use imminent_ir::Layout;

/// A column: its first row or place, its lane (if any, it is one of the pool), its first word, and the bytes of a
/// value.
type Wanted = (u32, Option<u32>, u32, usize);

/// Content of a leaf of a ragged table.
pub(super) enum Leaf {
    /// A leaf of a row, or of one of its lanes.
    Of(u32, Option<u32>),
    /// A read-only word.
    Is(u64),
}

/// Finds a leaf: lane 0 stands for the pool, and the row for the place.
pub(super) fn leaf(layout: &Layout, room: &Ragged, row: u32, lane: Option<u32>, word: u32) -> Leaf {
    match (lane, word.checked_sub(layout.fixed_words)) {
        (Some(0), _) => room.find(row).map_or(Leaf::Is(0), |(row, lane)| Leaf::Of(row, Some(lane))),
        (Some(_), _) => Leaf::Is(0),
        (None, Some(0)) if row < room.rows() => Leaf::Is(u64::from(room.of(row).start)),
        (None, Some(1)) => Leaf::Is(room.of(row).len() as u64),
        (None, Some(_)) => Leaf::Is(0),
        (None, None) => Leaf::Of(row, None),
    }
}

/// Returns the number of rows or places of a column, if it exists.
fn length(layout: &Layout, room: &Ragged, (_, lane, word, width): Wanted) -> Option<u32> {
    match lane {
        Some(0) => {
            let column = layout.columns.iter().find(|column| column.lane && column.word == word)?;
            (column.scalar.words() as usize * 4 == width).then_some(room.places())
        }
        Some(_) => None,
        None => (word.checked_sub(layout.fixed_words)? < 2 && width == 4).then_some(room.rows()),
    }
}

/// Fills `out` with values of a column, and returns their number.
pub(super) fn column(layout: &Layout, room: &Ragged, of: &dyn ErasedTable, wanted: Wanted, out: &mut [u8]) -> usize {
    let Some(length) = length(layout, room, wanted) else { return 0 };
    let (first, lane, word, width) = wanted;
    let rows = first..length.max(first);
    let count = rows.len().min(out.len() / width);
    for (row, value) in rows.zip(out.chunks_exact_mut(width)) {
        value.copy_from_slice(of.leaf(row, lane, word).to_le_bytes().get(..width).unwrap_or_default());
    }
    count
}

/// Sets values of a column, and returns their number. The words that locate a row's room stay as they are.
pub(super) fn set_column(
    layout: &Layout,
    room: &Ragged,
    of: &mut dyn ErasedTable,
    wanted: Wanted,
    values: &[u8],
) -> usize {
    let Some(length) = length(layout, room, wanted) else { return 0 };
    let (first, lane, word, width) = wanted;
    let rows = first..length.max(first);
    let count = rows.len().min(values.len() / width);
    for (row, value) in rows.zip(values.chunks_exact(width)) {
        of.set_leaf(row, lane, word, bits_of(value));
    }
    count
}
