//! Conversion of a device's tables to the rows of the IR's interpreter, and back.

use imminent_core::Error;
use imminent_core::backend::{Backend, Buffer, QueueHandle, Ragged, Read, Span, Write};
use imminent_core::ir::interpret::{RowTree, Stuck};
use imminent_core::ir::{Layout, Module, Scalar, StructId};

/// A table of a device: its buffer, and the positions of its rows and lanes.
pub(crate) struct Stored<'d> {
    pub(crate) backend: &'d dyn Backend,
    pub(crate) queue: &'d QueueHandle,
    pub(crate) buffer: &'d Buffer,
    pub(crate) layout: &'d Layout,
    pub(crate) places: &'d Places,
}

/// Positions of the rows and lanes of a table.
#[derive(Clone, Debug)]
pub(crate) enum Places {
    /// All rows have equally many lanes.
    Even { rows: u32, capacity: u32 },
    /// Each row has its own number of lanes: a ragged table.
    Own(Ragged),
}

impl Places {
    pub(crate) fn rows(&self) -> u32 {
        match self {
            Places::Even { rows, .. } => *rows,
            Places::Own(room) => room.rows(),
        }
    }

    /// Returns the number of lanes of a row; the zeroed row after the last of a ragged table has none.
    fn lanes_of(&self, row: u32) -> u32 {
        match self {
            Places::Even { capacity, .. } => *capacity,
            Places::Own(room) => room.of(row).len() as u32,
        }
    }

    /// Returns every column; for a ragged table, lane 0 stands for the pool of all lanes.
    fn spans(&self, layout: &Layout) -> Vec<Span> {
        let (lanes, places) = match self {
            Places::Even { rows, capacity } => (*capacity, *rows),
            Places::Own(room) => (1, room.places()),
        };
        let of = |lane, rows, word, scalar| Span::column(lane, word, scalar, 0..rows);
        let fixed = layout.columns.iter().filter(|column| !column.lane);
        let fixed = fixed.map(|column| of(None, self.rows(), column.word, column.scalar));
        let repeated = layout.columns.iter().filter(|column| column.lane);
        let of_lanes =
            repeated.flat_map(|column| (0..lanes).map(move |lane| of(Some(lane), places, column.word, column.scalar)));
        fixed.chain(of_lanes).collect()
    }

    /// Finds the row and the lane at a position of a column.
    fn find(&self, span: &Span, at: u32) -> (u32, Option<u32>) {
        match (self, span.lane) {
            (Places::Own(room), Some(_)) => room.find(at).map_or((u32::MAX, None), |(row, lane)| (row, Some(lane))),
            (_, lane) => (at, lane),
        }
    }

    /// Returns the column's lane and the position in it of a row's lane.
    fn place(&self, row: u32, lane: Option<u32>) -> (Option<u32>, u32) {
        match (self, lane) {
            (Places::Own(room), Some(lane)) => (Some(0), room.of(row).start + lane),
            (_, lane) => (lane, row),
        }
    }
}

impl Stored<'_> {
    /// Writes every row.
    pub(crate) fn write(&self, rows: &[RowTree]) -> Result<(), Error> {
        let leaves: Vec<_> = rows.iter().map(RowTree::leaves).collect();
        let spans = self.places.spans(self.layout);
        let bytes: Vec<Vec<u8>> = spans
            .iter()
            .map(|span| {
                let of_place = |at: u32| {
                    let (row, lane) = self.places.find(span, at);
                    let from = leaves.get(row as usize).and_then(|(fixed, lanes)| match lane {
                        Some(lane) => lanes.get(lane as usize),
                        None => Some(fixed),
                    });
                    let found = from.and_then(|leaves| leaves.iter().find(|(word, _)| *word == span.word));
                    cut(span.scalar, found.map_or(0, |(_, bits)| *bits))
                };
                span.rows.clone().flat_map(of_place).collect()
            })
            .collect();
        write_bytes(self.backend, self.queue, self.buffer, &spans, &bytes, self.layout.packed)
    }

    /// Reads every row, as a struct of a module.
    pub(crate) fn read(&self, module: &Module, of: StructId) -> Result<Vec<RowTree>, Error> {
        let spans = self.places.spans(self.layout);
        let columns = read_columns(self.backend, self.queue, self.buffer, &spans, self.layout.packed)?;
        let tree = |row: u32| {
            let leaf = |lane: Option<u32>, word: u32| {
                let (lane, place) = self.places.place(row, lane);
                let at = spans.iter().position(|span| span.lane == lane && span.word == word);
                at.and_then(|at| columns[at].get(place as usize)).copied().unwrap_or(0)
            };
            RowTree::read(module, of, self.places.lanes_of(row), &leaf)
        };
        let stuck = |error: Stuck| Error::invalid("rows by their intermediate representation", error.to_string());
        (0..self.places.rows()).map(tree).collect::<Result<_, _>>().map_err(stuck)
    }
}

/// Returns the spans by which a column is transferred: itself, or one for each row of a packed table.
fn pieces(span: &Span, packed: bool) -> Vec<Span> {
    if packed { span.by_rows().collect() } else { vec![span.clone()] }
}

/// Returns the bytes of each piece of a column of `bytes` bytes.
fn bytes_of_piece(span: &Span, bytes: usize, packed: bool) -> usize {
    if packed { span.words as usize * 4 } else { bytes.max(1) }
}

/// Reads the bytes of columns, those of packed rows piece by piece.
pub(crate) fn read_bytes(
    backend: &dyn Backend,
    queue: &QueueHandle,
    buffer: &Buffer,
    spans: &[Span],
    packed: bool,
) -> Result<Vec<Vec<u8>>, Error> {
    let mut bytes: Vec<Vec<u8>> = spans.iter().map(|span| vec![0; span.bytes()]).collect();
    let mut reads: Vec<Read<'_>> = Vec::new();
    for (span, bytes) in spans.iter().zip(&mut bytes) {
        let of_piece = bytes_of_piece(span, bytes.len(), packed);
        let chunks = bytes.chunks_mut(of_piece);
        reads.extend(pieces(span, packed).into_iter().zip(chunks).map(|(span, bytes)| Read { buffer, span, bytes }));
    }
    backend.read(queue, &mut reads)?;
    Ok(bytes)
}

/// Writes the bytes of columns, those of packed rows piece by piece.
pub(crate) fn write_bytes(
    backend: &dyn Backend,
    queue: &QueueHandle,
    buffer: &Buffer,
    spans: &[Span],
    bytes: &[Vec<u8>],
    packed: bool,
) -> Result<(), Error> {
    let mut writes: Vec<Write<'_>> = Vec::new();
    for (span, bytes) in spans.iter().zip(bytes) {
        let chunks = bytes.chunks(bytes_of_piece(span, bytes.len(), packed));
        let pieces = pieces(span, packed).into_iter().zip(chunks);
        writes.extend(pieces.map(|(span, bytes)| Write { buffer, span, bytes }));
    }
    backend.write(queue, &writes)
}

/// Reads columns as the bits of their scalars.
pub(crate) fn read_columns(
    backend: &dyn Backend,
    queue: &QueueHandle,
    buffer: &Buffer,
    spans: &[Span],
    packed: bool,
) -> Result<Vec<Vec<u64>>, Error> {
    let bytes = read_bytes(backend, queue, buffer, spans, packed)?;
    let number = |chunk: &[u8]| chunk.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
    let column =
        |(span, bytes): (&Span, &Vec<u8>)| bytes.chunks_exact(span.scalar.words() as usize * 4).map(number).collect();
    Ok(spans.iter().zip(&bytes).map(column).collect())
}

/// Returns the bytes of a scalar.
pub(crate) fn cut(scalar: Scalar, bits: u64) -> Vec<u8> {
    bits.to_le_bytes()[..scalar.words() as usize * 4].to_vec()
}
