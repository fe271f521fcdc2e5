//! Whole tables, row by row on the host's side: packed into columns and unpacked from them beside the transfers.

use crate::backend::Place;
use crate::data::Row;
use crate::data::pack::{self, Gather, Places, Scatter};
use crate::error::Result;
use crate::memory::Memory;
use crate::queue::Mark;
use crate::table::spans;
use imminent_ir::Layout;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// Bytes that go in one transfer: many enough for full speed, few enough to lie in a cache when they are packed.
const CHUNK: usize = 4 << 20;
/// Transfers under way at a time.
const UNDER_WAY: usize = 3;
/// Columns begin at multiples of this in host memory: a cache line.
const LINE: usize = 64;

/// How a table is cut into transfers.
struct Plan<'m> {
    memory: &'m Arc<Memory>,
    layout: &'static Layout,
    capacity: u32,
    chunk: u32,
}

impl<'m> Plan<'m> {
    fn new(memory: &'m Arc<Memory>, layout: &'static Layout) -> Self {
        let capacity = memory.capacity();
        let bytes = usize::try_from(layout.row_words(capacity).saturating_mul(4)).unwrap_or(usize::MAX).max(1);
        let rows = (CHUNK / bytes).next_multiple_of(pack::BLOCK).max(pack::BLOCK);
        Plan { memory, layout, capacity, chunk: u32::try_from(rows).unwrap_or(u32::MAX) }
    }

    fn chunks(&self) -> impl Iterator<Item = Range<u32>> + use<> {
        let (rows, chunk) = (self.memory.rows, self.chunk);
        (0..rows.div_ceil(chunk)).map(move |i| i * chunk..(i + 1).saturating_mul(chunk).min(rows))
    }

    /// Where the columns of some rows lie on the device and on the host, and how many bytes there are.
    fn places(&self, rows: &Range<u32>) -> (Vec<Place>, Places, usize) {
        let buffer = self.memory.buffer();
        let (mut places, mut at) = (Vec::new(), 0_usize);
        for span in spans(self.layout, self.capacity, rows.clone()) {
            let bytes = span.bytes();
            places.push(Place { buffer: buffer.clone(), span, at });
            at += bytes.next_multiple_of(LINE);
        }
        let starts = places.iter().map(|place| place.at).collect();
        (places, Places { starts }, at)
    }
}

/// Writes all rows of a table, as many as it has, after the work before on the device's queue.
pub(super) fn write<R: Row>(memory: &Arc<Memory>, rows: &[R]) -> Result<()> {
    let (queue, shared) = (memory.device.queue(), memory.device.shared());
    let turn = queue.state().begin_filling([(memory, true)].into_iter())?;
    let plan = Plan::new(memory, R::layout());
    let mut under_way: VecDeque<Arc<Mark>> = VecDeque::new();
    for chunk in plan.chunks() {
        if under_way.len() >= UNDER_WAY
            && let Some(oldest) = under_way.pop_front()
        {
            oldest.pending.wait();
            queue.state().abandon(oldest);
        }
        let (places, columns, bytes) = plan.places(&chunk);
        let mut host = shared.staging.take(shared.backend.as_ref(), bytes)?;
        let own = rows.get(chunk.start as usize..chunk.end as usize).unwrap_or_default();
        for (number, block) in own.chunks(pack::BLOCK).enumerate() {
            let mut cursor = Gather::new(host.bytes_mut(), &columns, number * pack::BLOCK);
            R::gather(block, plan.capacity, &mut cursor);
        }
        let pending = shared.backend.upload(queue.handle(), host, &places)?;
        under_way.push_back(queue.state().note(turn.number(), pending));
    }
    drop(turn);
    // The device reads the host memory after this call; it is kept until then.
    under_way.into_iter().for_each(|mark| queue.state().abandon(mark));
    Ok(())
}

/// Reads all rows of a table into `rows`, after the work before on the device's queue. Whatever was in `rows` is replaced, and its
/// memory used again.
pub(super) fn read<R: Row>(memory: &Arc<Memory>, rows: &mut Vec<R>) -> Result<()> {
    memory.check()?;
    let (queue, shared) = (memory.device.queue(), memory.device.shared());
    let turn = queue.state().begin([(memory, false)].into_iter())?;
    let outcome = if memory.rows == 0 { shared.backend.finish(queue.handle()) } else { read_chunks(memory, rows) };
    queue.state().settle_waited(turn, outcome)?;
    rows.truncate(memory.rows as usize);
    memory.check()
}

fn read_chunks<R: Row>(memory: &Arc<Memory>, rows: &mut Vec<R>) -> Result<()> {
    let plan = Plan::new(memory, R::layout());
    let (queue, shared) = (memory.device.queue(), memory.device.shared());
    rows.reserve_exact((memory.rows as usize).saturating_sub(rows.len()));
    if R::layout().lane_words > 0 {
        rows.iter_mut().for_each(|row| row.set_capacity(plan.capacity));
    }
    let (mut waiting, mut under_way) = (plan.chunks(), VecDeque::new());
    loop {
        while under_way.len() < UNDER_WAY
            && let Some(chunk) = waiting.next()
        {
            let (places, columns, bytes) = plan.places(&chunk);
            let host = shared.staging.take(shared.backend.as_ref(), bytes)?;
            let pending = shared.backend.download(queue.handle(), &places, host)?;
            under_way.push_back((chunk, columns, pending));
        }
        let Some((chunk, columns, pending)) = under_way.pop_front() else { return Ok(()) };
        pending.complete()?;
        let Some(host) = pending.take_memory() else { continue };
        for first in (0..chunk.len()).step_by(pack::BLOCK) {
            let start = chunk.start as usize + first;
            let end = start + pack::BLOCK.min(chunk.len() - first);
            if rows.len() < end {
                rows.resize(end, R::zeroed(plan.capacity));
            }
            let mut cursor = Scatter::new(host.bytes(), &columns, first);
            R::scatter(rows.get_mut(start..end).unwrap_or_default(), plan.capacity, &mut cursor);
        }
        shared.staging.give_back(host);
    }
}
