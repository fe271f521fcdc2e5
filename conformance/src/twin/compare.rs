//! Comparison of the data of both devices, to find the first difference.

use super::flow::Words;
use super::order::{is_free, is_permuted};
use super::{Both, Divergence, Kind, Place, Twin};
use crate::trees::{read_bytes, write_bytes};
use imminent_core::backend::{QueueHandle, Span};
use imminent_core::ir::Scalar;
use imminent_core::{Error, Fault, Result};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

/// Returns `true` if two devices report the same fault, with the same operands if both report any.
fn is_same(left: &Fault, right: &Fault) -> bool {
    let both = left.operands.is_some() && right.operands.is_some();
    let [left, right] = [left, right].map(|fault| Fault { operands: fault.operands.filter(|_| both), ..fault.clone() });
    left == right
}

/// Returns every column of a buffer, with its name.
fn columns(kind: &Kind) -> Vec<(Span, String)> {
    match kind {
        Kind::Table { layout, rows, capacity } => {
            let (rows, capacity) = (*rows, *capacity);
            let span = |lane, word, scalar| Span::column(lane, word, scalar, 0..rows);
            let fixed = layout.columns.iter().filter(|column| !column.lane);
            let fixed = fixed.map(|column| (span(None, column.word, column.scalar), column.name.clone()));
            let lanes = layout.columns.iter().filter(|column| column.lane);
            let lanes = lanes.flat_map(|column| {
                (0..capacity).map(move |lane| {
                    (span(Some(lane), column.word, column.scalar), format!("{}, lane {lane}", column.name))
                })
            });
            fixed.chain(lanes).collect()
        }
        Kind::Ragged { layout, room } => {
            let (rows, places) = (room.rows(), room.places());
            let of_rows = layout
                .columns
                .iter()
                .filter(|column| !column.lane)
                .map(|column| (Span::column(None, column.word, column.scalar, 0..rows), column.name.clone()));
            let pool = layout.columns.iter().filter(|column| column.lane && places > 0).map(|column| {
                let span = Span::column(Some(0), column.word, column.scalar, 0..places);
                (span, format!("{}, by its place among the lanes of all rows", column.name))
            });
            of_rows.chain(pool).collect()
        }
        Kind::Tally { scalar, slots } => {
            vec![(Span::column(None, 0, *scalar, 0..*slots), String::new())]
        }
        Kind::Result { scalars } => {
            let span = |(word, scalar)| (Span::column(None, word, scalar, 0..1), format!("the scalar at word {word}"));
            scalars.iter().map(span).collect()
        }
    }
}

fn bits(chunk: &[u8]) -> u64 {
    chunk.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
}

/// Returns `true` if two scalars are equal; a NaN equals every other NaN.
fn same(scalar: Scalar, a: u64, b: u64) -> bool {
    let nan = |bits: u64| match scalar {
        Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
        Scalar::F64 => f64::from_bits(bits).is_nan(),
        _ => false,
    };
    a == b || (nan(a) && nan(b))
}

fn shown(scalar: Scalar, bits: u64) -> String {
    match scalar {
        Scalar::Bool => (bits != 0).to_string(),
        Scalar::I32 => (bits as i32).to_string(),
        Scalar::I64 => (bits as i64).to_string(),
        Scalar::F32 => format!("{:?} ({bits:#x})", f32::from_bits(bits as u32)),
        Scalar::F64 => format!("{:?} ({bits:#x})", f64::from_bits(bits)),
        Scalar::U32 | Scalar::U64 => bits.to_string(),
    }
}

/// Columns of a buffer, with their bytes on both devices.
struct Columns {
    spans: Vec<Span>,
    names: Vec<String>,
    left: Vec<Vec<u8>>,
    right: Vec<Vec<u8>>,
}

/// A column of free order that differs between both devices.
struct Reordered<'b> {
    both: &'b Both,
    span: Span,
    left: Vec<u8>,
    right: Vec<u8>,
}

/// A buffer that an operation has written.
pub(super) struct Operand<'b> {
    /// Position among the arguments.
    pub(super) argument: usize,
    /// Name of the argument, if it has one.
    pub(super) name: String,
    pub(super) both: &'b Both,
    /// Number of the first rows that are defined, if others are not.
    pub(super) defined: Option<u32>,
    /// Words whose order is free.
    pub(super) free: Words,
}

impl<'b> Operand<'b> {
    /// Returns the only argument of an operation.
    pub(super) fn only(both: &'b Both) -> Self {
        Operand { argument: 0, name: String::new(), both, defined: None, free: Words::new() }
    }

    /// Returns the first difference between the columns of both devices, either of a fixed order or of a free one.
    fn difference(&self, columns: &Columns, of_free: bool) -> Option<Difference> {
        let mut first: Option<(u32, usize, u64, u64)> = None;
        let Columns { spans, names, left, right } = columns;
        for (column, (span, (a, b))) in spans.iter().zip(left.iter().zip(right)).enumerate() {
            if a == b || is_free(&self.free, span) != of_free {
                continue;
            }
            let width = span.scalar.words() as usize * 4;
            let pairs = a.chunks_exact(width).zip(b.chunks_exact(width)).map(|(a, b)| (bits(a), bits(b)));
            let limit = self.defined.unwrap_or(u32::MAX) as usize;
            let differs = (0_u32..).zip(pairs).take(limit).find(|(_, (a, b))| !same(span.scalar, *a, *b));
            if let Some((row, (a, b))) = differs
                && first.is_none_or(|(least, ..)| row < least)
            {
                first = Some((row, column, a, b));
            }
        }
        let (row, column, a, b) = first?;
        let (argument, name) = (self.argument, self.name.clone());
        let place = match &self.both.kind {
            Kind::Table { layout, .. } | Kind::Ragged { layout, .. } => {
                let column = names.get(column).cloned().unwrap_or_default();
                Place::Row { argument, name, table: layout.name.clone(), row, column }
            }
            Kind::Tally { .. } => Place::Slot { argument, name, slot: row },
            Kind::Result { .. } => Place::Result,
        };
        let scalar = spans.get(column).map_or(Scalar::U64, |span| span.scalar);
        Some(Difference { place, left: shown(scalar, a), right: shown(scalar, b) })
    }
}

/// Values of both devices at a place.
struct Difference {
    place: Place,
    left: String,
    right: String,
}

impl Twin {
    /// Records a difference, unless one was found before; returns the error that ends the run.
    pub(super) fn differs(&self, what: &str, place: Place, left: String, right: String) -> Error {
        let after = self.state.equal.load(Ordering::Relaxed);
        let devices = [&self.state.left, &self.state.right].map(|device| {
            let info = device.info();
            format!("{} ({})", info.backend, info.name)
        });
        let divergence = Divergence { what: what.to_owned(), after, place, left, right, devices };
        let text = divergence.to_string();
        let mut found = self.state.divergence.lock().unwrap_or_else(PoisonError::into_inner);
        found.get_or_insert(divergence);
        Error::invalid("two devices beside each other", text)
    }

    /// Compares buffers of both devices. The right device takes over the left one's order where it is free.
    pub(super) fn compare(
        &self,
        queues: &(QueueHandle, QueueHandle),
        what: &str,
        operands: &[Operand<'_>],
    ) -> Result<()> {
        if !self.state.on.load(Ordering::Relaxed) {
            return Ok(());
        }
        let (left, right) = (self.state.left.backend(), self.state.right.backend());
        let differs = |found: Difference| Err(self.differs(what, found.place, found.left, found.right));
        let (mut first, mut reordered) = (None, vec![]);
        for operand in operands {
            let (both, packed) = (operand.both, operand.both.is_packed());
            let (spans, names): (Vec<Span>, Vec<String>) = columns(&both.kind).into_iter().unzip();
            let left = read_bytes(left, &queues.0, &both.left, &spans, packed)?;
            let right = read_bytes(right, &queues.1, &both.right, &spans, packed)?;
            let columns = Columns { spans, names, left, right };
            if let Some(found) = operand.difference(&columns, false) {
                return differs(found);
            }
            first = first.or_else(|| operand.difference(&columns, true));
            let Columns { spans, left, right, .. } = columns;
            let of_both = spans.into_iter().zip(left.into_iter().zip(right));
            let free = of_both.filter(|(span, (left, right))| is_free(&operand.free, span) && left != right);
            reordered.extend(free.map(|(span, (left, right))| Reordered { both, span, left, right }));
        }
        if let Some(found) = first {
            if !is_permuted(reordered.iter().map(|column| (&column.span, &*column.left, &*column.right))) {
                return differs(found);
            }
            self.take_over(&queues.1, &reordered)?;
        }
        self.state.equal.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Writes the left device's columns to the right one.
    fn take_over(&self, queue: &QueueHandle, reordered: &[Reordered<'_>]) -> Result<()> {
        for Reordered { both, span, left, .. } in reordered {
            let (spans, bytes) = (std::slice::from_ref(span), std::slice::from_ref(left));
            write_bytes(self.state.right.backend(), queue, &both.right, spans, bytes, both.is_packed())?;
        }
        Ok(())
    }

    /// Compares the ends of the same work on both devices; returns their error if they agree on it.
    pub(super) fn agree(&self, what: &str, left: Result<()>, right: Result<()>) -> Result<()> {
        let told = |outcome: &Result<()>| match outcome {
            Ok(()) => "success".to_owned(),
            Err(error) => error.to_string(),
        };
        match (&left, &right) {
            (Ok(()), Ok(())) => Ok(()),
            (Err(Error::Fault(a)), Err(Error::Fault(b))) if is_same(a, b) => left,
            _ if !self.state.on.load(Ordering::Relaxed) => left,
            // Other errors name their backend, so their texts differ.
            (Err(a), Err(b)) if std::mem::discriminant(a) == std::mem::discriminant(b) && a.fault().is_none() => left,
            _ => Err(self.differs(what, Place::Error, told(&left), told(&right))),
        }
    }

    /// Returns a scalar of the left device.
    pub(super) fn scalar(&self, queue: &QueueHandle, both: &Both, span: Span) -> Result<u64> {
        let read = read_bytes(self.state.left.backend(), queue, &both.left, &[span], false)?;
        Ok(read.first().map_or(0, |bytes| bits(bytes)))
    }
}
