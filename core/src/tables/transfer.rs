//! Transfers of whole tables: the host packs rows into columns and unpacks them in parallel with the transfers.

use super::pieces;
use crate::backend::{Span, StagedColumn};
use crate::data::Row;
use crate::data::pack::{self, Gather, Places, Position, Scatter};
use crate::device::Storage;
use crate::error::Result;
use crate::memory::{Mark, Room};
use imminent_ir::Layout;
use std::collections::VecDeque;
use std::num::NonZero;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of one transfer: enough for full speed, few enough to lie in a cache when they are packed.
const CHUNK: usize = 4 << 20;
/// Number of transfers of a thread in progress at a time.
const UNDER_WAY: usize = 3;
/// Number of chunks that justifies starting a thread.
const CHUNKS_OF_A_THREAD: usize = 2;
/// Largest number of threads that pack or unpack a table.
const MAX_THREADS: usize = 8;
/// Alignment of columns in host memory, in bytes: a cache line.
const LINE: usize = 64;

/// Division of a table into transfers.
struct Plan<'m> {
    memory: &'m Storage,
    layout: &'static Layout,
    room: Room,
    chunks: Vec<Range<u32>>,
}

/// Position of some rows: on the device, and in host memory.
struct Placed {
    places: Vec<StagedColumn>,
    /// Columns of the rows; includes lanes if all rows have the same number.
    columns: Places,
    /// Columns of the pool, for the places of the rows.
    pool: Places,
    bytes: usize,
}

impl<'m> Plan<'m> {
    fn new(memory: &'m Storage, layout: &'static Layout) -> Self {
        let (room, rows) = (memory.room(), memory.rows);
        let block = pack::BLOCK as u32;
        let chunks = match &room {
            Room::Even(capacity) => {
                let bytes = usize::try_from(layout.row_words(*capacity).saturating_mul(4)).unwrap_or(usize::MAX).max(1);
                let chunk = (CHUNK / bytes).next_multiple_of(pack::BLOCK).max(pack::BLOCK);
                let chunk = u32::try_from(chunk).unwrap_or(u32::MAX);
                (0..rows.div_ceil(chunk)).map(|i| i * chunk..(i + 1).saturating_mul(chunk).min(rows)).collect()
            }
            Room::Ragged(room) => {
                let (mut chunks, mut start, mut words) = (Vec::new(), 0, 0_u64);
                for block in (0..rows).step_by(pack::BLOCK).map(|first| first..first.saturating_add(block).min(rows)) {
                    let lanes = room.of(block.end - 1).end - room.of(block.start).start;
                    words += u64::from(layout.fixed_words) * block.len() as u64;
                    words += u64::from(layout.lane_words) * u64::from(lanes);
                    if words * 4 >= CHUNK as u64 || block.end == rows {
                        chunks.push(start..block.end);
                        (start, words) = (block.end, 0);
                    }
                }
                chunks
            }
        };
        Plan { memory, layout, room, chunks }
    }

    /// Returns the number of lanes that are separate columns.
    fn even(&self) -> u32 {
        if let Room::Even(capacity) = self.room { capacity } else { 0 }
    }

    fn place(&self, rows: &Range<u32>) -> Placed {
        let buffer = self.memory.buffer();
        let (mut places, mut at) = (Vec::new(), 0_usize);
        let mut put = |(lane, rows): (Option<u32>, &Range<u32>), positions: &mut Places| {
            for span in spans(self.layout, lane, rows) {
                let bytes = span.bytes();
                positions.extend(positions_in(self.layout, &span, at));
                places.push(StagedColumn { buffer: buffer.clone(), span, at });
                at += bytes.next_multiple_of(LINE);
            }
        };
        let (mut columns, mut pool) = (Places::new(), Places::new());
        put((None, rows), &mut columns);
        (0..self.even()).for_each(|lane| put((Some(lane), rows), &mut columns));
        if let Room::Ragged(room) = &self.room
            && !rows.is_empty()
        {
            let lanes = room.of(rows.start).start..room.of(rows.end - 1).end;
            if !lanes.is_empty() {
                put((Some(0), &lanes), &mut pool);
            }
        }
        Placed { places, columns, pool, bytes: at }
    }

    /// Packs the rows of a chunk, out of all rows, into columns.
    fn pack<R: Row>(&self, chunk: &Range<u32>, rows: &[R], placed: &Placed, host: &mut [u8]) {
        let own = rows.get(chunk.start as usize..chunk.end as usize).unwrap_or_default();
        let mut lanes = 0;
        for (number, block) in own.chunks(pack::BLOCK).enumerate() {
            let mut cursor = Gather::new(host, &placed.columns, number * pack::BLOCK);
            R::gather(block, self.even(), &mut cursor);
            if let Room::Ragged(room) = &self.room {
                let first = chunk.start + (number * pack::BLOCK) as u32;
                let capacities: Vec<u32> =
                    (first..first + block.len() as u32).map(|row| room.of(row).len() as u32).collect();
                R::gather_pool(block, &capacities, &mut Gather::new(host, &placed.pool, lanes));
                lanes += capacities.iter().map(|capacity| *capacity as usize).sum::<usize>();
            }
        }
    }

    /// Returns the number of lanes of a row.
    fn capacity(&self, row: u32) -> u32 {
        match &self.room {
            Room::Even(capacity) => *capacity,
            Room::Ragged(room) => room.of(row).len() as u32,
        }
    }

    /// Unpacks the columns of a chunk into its rows.
    fn unpack<R: Row>(&self, chunk: &Range<u32>, rows: &mut [R], placed: &Placed, host: &[u8]) {
        let mut lanes = 0;
        for (number, block) in rows.chunks_mut(pack::BLOCK).enumerate() {
            let first = number * pack::BLOCK;
            R::scatter(block, self.even(), &mut Scatter::new(host, &placed.columns, first));
            if let Room::Ragged(room) = &self.room {
                R::scatter_pool(block, &mut Scatter::new(host, &placed.pool, lanes));
                let start = chunk.start + first as u32;
                lanes += (room.of(start + block.len() as u32 - 1).end - room.of(start).start) as usize;
            }
        }
    }
}

/// Packs the rows of a chunk into columns in host memory. The code below is compiled once, not for each type of rows.
type Pack<'p> = &'p (dyn Fn(&Plan<'_>, &Range<u32>, &Placed, &mut [u8]) + Sync);

/// Writes all rows of a table after earlier work on the device's queue. Large tables are packed by several threads.
pub(super) fn write<R: Row>(memory: &Storage, rows: &[R]) -> Result<()> {
    write_packed(memory, R::layout(), &|plan, chunk, placed, host| plan.pack(chunk, rows, placed, host))
}

fn write_packed(memory: &Storage, layout: &'static Layout, pack: Pack<'_>) -> Result<()> {
    let queue = memory.device().queue();
    let turn = queue.state().begin_filling([(&**memory, true)].into_iter())?;
    let (plan, number) = (Plan::new(memory, layout), turn.number());
    let next = AtomicUsize::new(0);
    let chunks = || plan.chunks.get(next.fetch_add(1, Ordering::Relaxed)).cloned();
    by_threads(plan.chunks.len(), || write_chunks(&plan, pack, number, chunks))
}

/// Runs `work` on this thread, and on others if there are many chunks.
fn by_threads(chunks: usize, work: impl Fn() -> Result<()> + Sync) -> Result<()> {
    std::thread::scope(|scope| {
        // Threads that the system refuses leave the chunks to others.
        let start = |_| std::thread::Builder::new().spawn_scoped(scope, &work).ok();
        let others: Vec<_> = (1..threads(chunks)).map_while(start).collect();
        let own = work();
        let joined = others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        joined.fold(own, Result::and)
    })
}

/// Returns the number of threads for `chunks` chunks: few, since they share the memory's bandwidth.
fn threads(chunks: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    (chunks / CHUNKS_OF_A_THREAD).min(cores).clamp(1, MAX_THREADS)
}

/// Packs and uploads chunk after chunk.
fn write_chunks(
    plan: &Plan<'_>,
    pack: Pack<'_>,
    number: u64,
    mut chunks: impl FnMut() -> Option<Range<u32>>,
) -> Result<()> {
    let (queue, shared) = (plan.memory.device().queue(), plan.memory.device().shared());
    let mut under_way: VecDeque<Arc<Mark>> = VecDeque::new();
    while let Some(chunk) = chunks() {
        if under_way.len() >= UNDER_WAY
            && let Some(oldest) = under_way.pop_front()
        {
            oldest.pending.wait();
            queue.state().abandon(oldest);
        }
        let placed = plan.place(&chunk);
        let mut host = shared.staging.take(shared.backend.as_ref(), placed.bytes)?;
        pack(plan, &chunk, &placed, host.bytes_mut());
        let pending = shared.backend.upload(queue.handle(), host, &placed.places)?;
        under_way.push_back(queue.state().note(number, pending));
    }
    // The device reads the host memory after this call; it is kept until then.
    under_way.into_iter().for_each(|mark| queue.state().abandon(mark));
    Ok(())
}

/// Reads all rows of a table into `rows`, after earlier work on the device's queue. The contents of `rows` are
/// replaced, and its memory is reused.
pub(super) fn read<R: Row>(memory: &Storage, rows: &mut Vec<R>) -> Result<()> {
    let (queue, shared) = (memory.device().queue(), memory.device().shared());
    queue.state().undeferred(memory.check())?;
    let turn = queue.state().begin([(&**memory, false)].into_iter())?;
    let mut read = || if memory.rows == 0 { shared.backend.finish(queue.handle()) } else { read_chunks(memory, rows) };
    queue.state().using(|| memory.check(), || queue.state().settle_waited(turn.number(), read()))?;
    rows.truncate(memory.rows as usize);
    Ok(())
}

fn read_chunks<R: Row>(memory: &Storage, rows: &mut Vec<R>) -> Result<()> {
    let plan = Plan::new(memory, R::layout());
    let capacity = |row| plan.capacity(row);
    pieces::fill(rows, &plan.chunks, &capacity, |pieces| {
        read_packed(&plan, &|number, placed, host| {
            if let (Some(chunk), Some(piece)) = (plan.chunks.get(number), pieces.take(number)) {
                plan.unpack(chunk, piece, placed, host);
            }
        })
    })
}

/// Unpacks the columns of a chunk, given by its number, from host memory into rows.
type Unpack<'u> = &'u (dyn Fn(usize, &Placed, &[u8]) + Sync);

/// Downloads all chunks, and passes each to `unpack`. Large tables are unpacked by several threads.
fn read_packed(plan: &Plan<'_>, unpack: Unpack<'_>) -> Result<()> {
    let next = AtomicUsize::new(0);
    let chunks = || {
        let number = next.fetch_add(1, Ordering::Relaxed);
        plan.chunks.get(number).map(|chunk| (number, chunk))
    };
    by_threads(plan.chunks.len(), || read_some(plan, unpack, chunks))
}

/// Downloads chunk after chunk, some in advance.
fn read_some<'c>(
    plan: &Plan<'_>,
    unpack: Unpack<'_>,
    mut chunks: impl FnMut() -> Option<(usize, &'c Range<u32>)>,
) -> Result<()> {
    let (queue, shared) = (plan.memory.device().queue(), plan.memory.device().shared());
    let mut under_way = VecDeque::new();
    loop {
        while under_way.len() < UNDER_WAY
            && let Some((number, chunk)) = chunks()
        {
            let placed = plan.place(chunk);
            let host = shared.staging.take(shared.backend.as_ref(), placed.bytes)?;
            let pending = shared.backend.download(queue.handle(), &placed.places, host)?;
            under_way.push_back((number, placed, pending));
        }
        let Some((number, placed, pending)) = under_way.pop_front() else { return Ok(()) };
        pending.complete()?;
        let Some(host) = pending.take_memory() else { continue };
        unpack(number, &placed, host.bytes());
        shared.staging.give_back(host);
    }
}

/// Returns the spans of the fixed words of some rows, or of one of their lanes: the columns, or packed rows as a whole.
fn spans(layout: &Layout, lane: Option<u32>, rows: &Range<u32>) -> Vec<Span> {
    if layout.packed {
        let words = if lane.is_some() { layout.lane_words } else { layout.fixed_words };
        return if words == 0 { Vec::new() } else { vec![Span::packed(lane, words, rows.clone())] };
    }
    let columns = layout.columns.iter().filter(|column| column.lane == lane.is_some());
    columns.map(|column| Span::column(lane, column.word, column.scalar, rows.clone())).collect()
}

/// Returns the positions of the columns that a span holds, which lies at byte `at`.
fn positions_in(layout: &Layout, span: &Span, at: usize) -> Places {
    if !layout.packed {
        return vec![Position { start: at, step: None }];
    }
    let step = Some(span.words as usize * 4);
    let columns = layout.columns.iter().filter(|column| column.lane == span.lane.is_some());
    columns.map(|column| Position { start: at + column.word as usize * 4, step }).collect()
}
