//! Where columns lie.

use crate::memory::{Segment, memory};
use imminent_core::backend::{Filter, Operand, Shape, View};
use imminent_core::{Error, Result};

/// The piece of a memory that holds a column, and the word in it where the column's rows start.
pub(super) fn place(view: &View) -> Result<(Segment, u32)> {
    found(view)?.ok_or_else(|| Error::invalid("column", "it lies in several pieces"))
}

fn found(view: &View) -> Result<Option<(Segment, u32)>> {
    let memory = memory(&view.buffer)?;
    let words = memory.shape.words_of(&view.span)?;
    // A column of no rows lies anywhere.
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

/// Whether a column lies in one piece of a table: those are whole vectors of 16 bytes long.
pub(super) fn lies_well(view: &View) -> bool {
    let table =
        memory(&view.buffer).is_ok_and(|memory| matches!(memory.shape, Shape::Table { .. } | Shape::Ragged { .. }));
    table && matches!(found(view), Ok(Some(_)))
}

/// Whether a value can be written there, word by word.
pub(super) fn takes_value(view: &View) -> bool {
    matches!(found(view), Ok(Some(_)))
}

/// Whether what a filter looks at lies well.
pub(super) fn filter_lies_well(filter: &Filter) -> bool {
    let value = match &filter.value {
        Operand::Constant(_) => true,
        // It is read word by word.
        Operand::Device(view) => matches!(found(view), Ok(Some(_))),
    };
    value && lies_well(&filter.column)
}

/// Whether two columns lie in one buffer.
pub(super) fn same_buffer(one: &View, other: &View) -> bool {
    match (found(one), found(other)) {
        (Ok(Some((one, _))), Ok(Some((other, _)))) => one.id == other.id,
        _ => one.buffer.is(&other.buffer),
    }
}
