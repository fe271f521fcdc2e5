//! Arguments of the kernel that passes the turn on.

use crate::launch::Work;
use crate::memory::{WordBuffer, memory};
use crate::runtime::{ControlForm, Runtime, RuntimeKernel};
use imminent_core::Result;
use imminent_core::backend::Span;
use imminent_device::replay::Control;
use std::sync::Arc;

/// Returns a control operation, with the buffers that its tests read. A test's place is a buffer, and a word in it.
pub(super) fn work(runtime: &Runtime, slots: u32, turn: u32, control: &Control) -> Result<Work> {
    let mut values: Vec<Arc<WordBuffer>> = Vec::new();
    let block = control.block(slots, turn, |test| {
        let memory = memory(&test.buffer)?;
        let rows = test.row..test.row.saturating_add(1);
        let span = Span::column(None, test.word, test.scalar, rows);
        let word = memory.bytes_of(&span)?.start as u64 / 4;
        let position = values.iter().position(|value| value.id == memory.buffer.id).unwrap_or_else(|| {
            values.push(memory.buffer.clone());
            values.len() - 1
        });
        Ok([u32::try_from(position).unwrap_or(u32::MAX), word as u32, (word >> 32) as u32])
    })?;
    let buffers = u32::try_from(values.len()).unwrap_or(u32::MAX);
    let tests = u32::try_from(control.tests.len()).unwrap_or(u32::MAX);
    let code = runtime.kernel(RuntimeKernel::Control(ControlForm { buffers, tests }))?;
    Ok(Work { code, places: values, block, groups: 1, faulting: None })
}
