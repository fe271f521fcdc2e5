//! Access to the backend's own buffers, below the typed layer.
//!
//! After a fault the typed layer does not allow reading the tables that the launch wrote. The language still defines
//! their contents, so the suite reads them here.

use crate::case::{Stop, fail};
use crate::trees::read_columns;
use imminent_core::backend::{Allocation, Argument, Backend, Buffer, Launch, QueueHandle, Read, Span, Write};
use imminent_core::ir::{Scalar, Scalars};
use imminent_core::native::{ErasedTally, NativeTable};
use imminent_core::{Device, Error, Kernel, Params, Row, Tally};
use std::sync::Arc;

/// A separate queue on a backend.
pub(crate) struct Raw<'d> {
    backend: &'d dyn Backend,
    queue: QueueHandle,
}

/// A table below the typed layer.
pub(crate) struct RawTable {
    buffer: Buffer,
    rows: u32,
    capacity: u32,
}

impl RawTable {
    /// Returns the table as an argument.
    pub(crate) fn argument(&self, mutable: bool) -> Argument {
        Argument::Table { buffer: self.buffer.clone(), mutable }
    }
}

impl<'d> Raw<'d> {
    pub(crate) fn new(device: &'d Device) -> Result<Self, Error> {
        let backend = device.backend();
        Ok(Raw { backend, queue: backend.queue()? })
    }

    pub(crate) fn table<R: Row>(&self, rows: &[R], capacity: u32) -> Result<RawTable, Error> {
        let count = rows.len() as u32;
        let allocation =
            Allocation::Table { layout: R::layout(), rows: count, capacity, native: NativeTable::<R>::allocate };
        let table = RawTable { buffer: self.backend.allocate(&self.queue, &allocation)?, rows: count, capacity };
        let spans = spans::<R>(&table);
        let bytes: Vec<Vec<u8>> =
            spans.iter().map(|span| rows.iter().flat_map(|row| leaf_bytes(row, span)).collect()).collect();
        let writes: Vec<Write<'_>> = spans
            .iter()
            .zip(&bytes)
            .map(|(span, bytes)| Write { buffer: &table.buffer, span: span.clone(), bytes })
            .collect();
        self.backend.write(&self.queue, &writes)?;
        Ok(table)
    }

    /// Creates a tally of zeros.
    pub(crate) fn tally(&self, slots: u32) -> Result<Buffer, Error> {
        let native = |slots: u32| -> Box<dyn ErasedTally> { Box::new(Tally::new(&vec![0_u64; slots as usize])) };
        self.backend.allocate(&self.queue, &Allocation::Tally { scalar: Scalar::U64, slots, native })
    }

    /// Launches a kernel without a result, and waits. Returns the error of the launch, if it had one.
    pub(crate) fn launch<K: Kernel>(&self, rows: u32, args: Vec<Argument>) -> Result<Result<(), Error>, Error> {
        self.launch_for::<K>(rows, args, None)
    }

    /// Launches a kernel whose result of type `u64` is in the returned buffer.
    pub(crate) fn reduce<K: Kernel>(
        &self,
        rows: u32,
        args: Vec<Argument>,
    ) -> Result<(Result<(), Error>, Buffer), Error> {
        let result = Allocation::Result { scalars: Scalars::new(&[Scalar::U64]) };
        let result = self.backend.allocate(&self.queue, &result)?;
        Ok((self.launch_for::<K>(rows, args, Some(result.clone()))?, result))
    }

    fn launch_for<K: Kernel>(
        &self,
        rows: u32,
        args: Vec<Argument>,
        result: Option<Buffer>,
    ) -> Result<Result<(), Error>, Error> {
        let launch = Launch {
            module: self.backend.build(K::SOURCE.module)?,
            kernel: K::SOURCE.index,
            name: K::SOURCE.name,
            rows,
            width: 0,
            subset: None,
            args,
            result,
            operation: None,
        };
        Ok(self.backend.launch(&self.queue, &launch).and_then(|()| self.backend.finish(&self.queue)))
    }

    /// Returns the first `count` values of type `u64` of a tally or a result.
    pub(crate) fn words(&self, buffer: &Buffer, count: u32) -> Result<Vec<u64>, Error> {
        let span = Span::column(None, 0, Scalar::U64, 0..count);
        Ok(read_columns(self.backend, &self.queue, buffer, &[span], false)?.concat())
    }

    pub(crate) fn read<R: Row>(&self, table: &RawTable) -> Result<Vec<R>, Stop> {
        let spans = spans::<R>(table);
        let mut bytes: Vec<Vec<u8>> = spans.iter().map(|span| vec![0; span.bytes()]).collect();
        let mut reads: Vec<Read<'_>> = spans
            .iter()
            .zip(&mut bytes)
            .map(|(span, bytes)| Read { buffer: &table.buffer, span: span.clone(), bytes })
            .collect();
        if let Err(error) = self.backend.read(&self.queue, &mut reads) {
            return fail(format!("an error must be reported once, but reading after it gave another: {error}"));
        }
        let mut rows = vec![R::zeroed(table.capacity); table.rows as usize];
        for (span, bytes) in spans.iter().zip(&bytes) {
            for (row, chunk) in rows.iter_mut().zip(bytes.chunks_exact(span.scalar.words() as usize * 4)) {
                let bits = chunk.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
                match span.lane {
                    Some(lane) => row.set_lane_leaf(lane, span.word, bits),
                    None => row.set_leaf(span.word, bits),
                }
            }
        }
        Ok(rows)
    }
}

fn leaf_bytes<R: Row>(row: &R, span: &Span) -> Vec<u8> {
    let bits = span.lane.map_or_else(|| row.leaf(span.word), |lane| row.lane_leaf(lane, span.word));
    bits.to_le_bytes()[..span.scalar.words() as usize * 4].to_vec()
}

fn spans<R: Row>(table: &RawTable) -> Vec<Span> {
    let columns = &R::layout().columns;
    let lanes = columns.iter().filter(|column| column.lane);
    let fixed = columns.iter().filter(|column| !column.lane);
    let fixed = fixed.map(|column| (column, None));
    let lanes = lanes.flat_map(|column| (0..table.capacity).map(move |lane| (column, Some(lane))));
    fixed.chain(lanes).map(|(column, lane)| Span::column(lane, column.word, column.scalar, 0..table.rows)).collect()
}

/// Returns a parameter block as an argument.
pub(crate) fn block<P: Params + Send + Sync + 'static>(params: P) -> Argument {
    let mut words = vec![0; P::WORDS as usize];
    for column in &P::layout().columns {
        let bits = params.leaf(column.word);
        let places = words.iter_mut().skip(column.word as usize).take(column.scalar.words() as usize);
        places.zip([bits, bits >> 32]).for_each(|(word, bits)| *word = bits as u32);
    }
    Argument::Params { words: words.into(), native: Arc::new(params) }
}
