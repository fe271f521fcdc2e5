//! Arguments of the dispatch that passes the turn on.

use crate::launch::Work;
use crate::memory::{Segment, memory};
use crate::runtime::{ControlForm, Runtime, RuntimeKernel};
use imminent_core::backend::Span;
use imminent_core::{Error, Limit, Result};
use imminent_device::replay::Control;

/// Makes a control operation with the buffers that its tests read. The position of a test is a buffer and a word in it.
pub(super) fn work(runtime: &Runtime, slots: u32, turn: u32, control: &Control) -> Result<Work> {
    let mut values: Vec<Segment> = Vec::new();
    let block = control.block(slots, turn, |test| {
        let memory = memory(&test.buffer)?;
        let span = Span::column(None, test.word, test.scalar, test.row..test.row.saturating_add(1));
        let words = memory.shape.words_of(&span)?;
        let Some(piece) = memory.pieces(words).next() else {
            return Err(Error::invalid("loop_until", format!("the {} has no row {}", memory.shape.name(), test.row)));
        };
        let whole = piece.segment.whole();
        let position = values.iter().position(|value| value.id == whole.id).unwrap_or_else(|| {
            values.push(whole);
            values.len() - 1
        });
        // A buffer is bound whole, and no binding has 2^32 words.
        let word = u32::try_from(piece.offset / 4).unwrap_or(u32::MAX);
        Ok([u32::try_from(position).unwrap_or(u32::MAX), word, 0])
    })?;
    let most = runtime.context.limits.storage_buffers.saturating_sub(2);
    let buffers = u32::try_from(values.len()).unwrap_or(u32::MAX);
    if buffers > most {
        return Err(Error::limit(Limit::ConditionData, buffers, most));
    }
    let tests = u32::try_from(control.tests.len()).unwrap_or(u32::MAX);
    let code = runtime.kernel(RuntimeKernel::Control(ControlForm { buffers, tests }))?;
    Ok(Work { code, places: values, block, groups: 1, faulting: None })
}
