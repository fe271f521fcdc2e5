//! Positions of columns in memory.

use crate::memory::{Segment, memory};
use imminent_core::backend::{Filter, Operand, Shape, View};
use imminent_core::{Error, Result};

/// Returns the segment of a memory that holds a column, and the word in it where the column's rows start.
pub(super) fn place(view: &View) -> Result<(Segment, u32)> {
    found(view)?.ok_or_else(|| Error::invalid("column", "it lies in several pieces"))
}

fn found(view: &View) -> Result<Option<(Segment, u32)>> {
    let memory = memory(&view.buffer)?;
    let words = memory.shape.words_of(&view.span)?;
    // A column without rows has no position.
    let whole = memory
        .segments
        .iter()
        .find(|segment| segment.words.start <= words.start && words.end <= segment.words.end)
        .or_else(|| memory.segments.first().filter(|_| words.is_empty()));
    Ok(whole.and_then(|segment| {
        let word = words.start.saturating_sub(segment.words.start);
        u32::try_from(word).ok().map(|word| (segment.clone(), word))
    }))
}

/// Returns `true` if a column lies in one segment of a table; segments are whole vectors of 16 bytes long.
pub(super) fn lies_well(view: &View) -> bool {
    let table =
        memory(&view.buffer).is_ok_and(|memory| matches!(memory.shape, Shape::Table { .. } | Shape::Ragged { .. }));
    table && matches!(found(view), Ok(Some(_)))
}

/// Returns `true` if a value can be written to the view word by word.
pub(super) fn takes_value(view: &View) -> bool {
    matches!(found(view), Ok(Some(_)))
}

/// Returns `true` if the operands of a filter lie in one segment each.
pub(super) fn filter_lies_well(filter: &Filter) -> bool {
    let value = match &filter.value {
        Operand::Constant(_) => true,
        // The operand is read word by word.
        Operand::Device(view) => matches!(found(view), Ok(Some(_))),
    };
    value && lies_well(&filter.column)
}

/// Returns `true` if two columns lie in one buffer.
pub(super) fn same_buffer(one: &View, other: &View) -> bool {
    match (found(one), found(other)) {
        (Ok(Some((one, _))), Ok(Some((other, _)))) => one.id == other.id,
        _ => one.buffer.is(&other.buffer),
    }
}
