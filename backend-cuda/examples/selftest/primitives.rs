//! Figures of primitives: calls queued back to back, and calls waited for one by one, beside a plain copy of the
//! column. `docs/measure/cub` prints the corresponding figures of CUB.

use crate::cases::common::backend;
use imminent_core::Tally;
use imminent_core::backend::{
    Allocation, Backend, Buffer, Comparison, Filter, Operand, Primitive, QueueHandle, Reduction, ScanOp, Span, View,
    Write,
};
use imminent_core::ir::Scalar;
use imminent_cuda::CudaBackend;
use std::time::{Duration, Instant};

/// Number of runs, of which the median counts.
const RUNS: usize = 9;
/// Number of calls that are waited for one by one, of which the median counts.
const SINGLES: usize = 101;
/// Least duration of a run: calls are queued until it is reached.
const RUN: Duration = Duration::from_millis(20);

struct Bench {
    backend: CudaBackend,
    queue: QueueHandle,
}

/// A column, and the speed of copying it.
struct Subject {
    column: View,
    copy: Buffer,
    /// Bytes read and written per second.
    copy_rate: f64,
}

fn view(buffer: &Buffer, scalar: Scalar, rows: u32) -> View {
    View { buffer: buffer.clone(), span: Span::column(None, 0, scalar, 0..rows) }
}

impl Bench {
    fn tally(&self, scalar: Scalar, slots: u32) -> Buffer {
        // The native form is for devices of the host.
        let allocation =
            Allocation::Tally { scalar, slots, native: |slots| Box::new(Tally::new(&vec![0u64; slots as usize])) };
        self.backend.allocate(&self.queue, &allocation).unwrap()
    }

    /// Returns the seconds of a call: one of many that are queued one after another, and one that is waited for.
    fn seconds(&self, mut call: impl FnMut()) -> (f64, f64) {
        let mut time = |calls: u32| {
            self.backend.finish(&self.queue).unwrap();
            let clock = Instant::now();
            (0..calls).for_each(|_| call());
            self.backend.finish(&self.queue).unwrap();
            clock.elapsed()
        };
        time(2);
        let mut calls = 1;
        while time(calls) < RUN && calls < 1 << 16 {
            calls *= 2;
        }
        let queued = median((0..RUNS).map(|_| time(calls).as_secs_f64() / f64::from(calls)).collect());
        (queued, median((0..SINGLES).map(|_| time(1).as_secs_f64()).collect()))
    }

    fn subject(&self, scalar: Scalar, rows: u32) -> Subject {
        let (from, copy) = (self.tally(scalar, rows), self.tally(scalar, rows));
        let column = view(&from, scalar, rows);
        let data = words(scalar, rows);
        let write = Write { buffer: &from, span: column.span.clone(), bytes: bytemuck::cast_slice(&data) };
        self.backend.write(&self.queue, &[write]).unwrap();
        let (seconds, _) = self.seconds(|| self.backend.copy(&self.queue, &from, &copy).unwrap());
        Subject { column, copy, copy_rate: 2.0 * data.len() as f64 * 4.0 / seconds }
    }

    /// Times a primitive that must move `bytes` bytes.
    fn line(&self, what: &str, subject: &Subject, bytes: u64, primitive: &Primitive) {
        let (seconds, single) = self.seconds(|| self.backend.primitive(&self.queue, primitive).unwrap());
        let rate = bytes as f64 / seconds;
        println!(
            "{{\"library\":\"imminent\",\"what\":\"{what}\",\"scalar\":\"{}\",\"rows\":{},\"us\":{:.3},\"single_us\":{:.3},\
             \"gbps\":{:.2},\"share_of_copy\":{:.3}}}",
            subject.column.scalar(),
            subject.column.rows(),
            seconds * 1e6,
            single * 1e6,
            rate / 1e9,
            rate / subject.copy_rate
        );
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Returns pseudo-random words; for an `f32` column, numbers between 1 and 2, whose sums are finite.
fn words(scalar: Scalar, rows: u32) -> Vec<u32> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let random = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 32) as u32
    });
    let number = |word: u32| if scalar == Scalar::F32 { 0x3f80_0000 | (word >> 9) } else { word };
    random.map(number).take(rows as usize * scalar.words() as usize).collect()
}

/// Measures every primitive at 2^10 to 2^28 rows.
pub(crate) fn primitives() {
    let backend = backend("");
    let bench = Bench { queue: backend.queue().unwrap(), backend };
    for rows in (10..=28).step_by(2).map(|log| 1_u32 << log) {
        for scalar in [Scalar::U32, Scalar::U64, Scalar::F32] {
            let subject = bench.subject(scalar, rows);
            reductions_and_scans(&bench, &subject);
            if scalar == Scalar::U32 {
                selections_and_sorts(&bench, &subject);
            }
        }
    }
}

fn reductions_and_scans(bench: &Bench, subject: &Subject) {
    let (column, scalar) = (&subject.column, subject.column.scalar());
    let bytes = column.span.bytes() as u64;
    let into = view(&bench.tally(Scalar::U64, 1), Scalar::U64, 1);
    let found = view(&bench.tally(Scalar::U32, 1), Scalar::U32, 1);
    let mut reductions =
        vec![("min", Reduction::Min), ("sum", Reduction::SumUnordered), ("arg_min", Reduction::ArgMin)];
    if scalar == Scalar::F32 {
        reductions.push(("reproducible sum", Reduction::Sum));
    }
    for (what, op) in reductions {
        let row = op.with_row().then(|| found.clone());
        let reduce = Primitive::Reduce { op, column: column.clone(), into: into.clone(), row };
        bench.line(what, subject, bytes, &reduce);
    }
    if scalar.words() == 1 {
        let into = view(&subject.copy, scalar, column.rows());
        let scan = Primitive::Scan { op: ScanOp::Sum, exclusive: false, column: column.clone(), into };
        bench.line("scan", subject, 2 * bytes, &scan);
    }
}

fn selections_and_sorts(bench: &Bench, subject: &Subject) {
    let (column, rows) = (&subject.column, subject.column.rows());
    let bytes = column.span.bytes() as u64;
    let list = view(&bench.tally(Scalar::U32, rows), Scalar::U32, rows);
    let count = view(&bench.tally(Scalar::U32, 1), Scalar::U32, 1);
    for (what, per_cent) in [("select 1%", 1), ("select 50%", 50)] {
        let limit = Operand::Constant(u64::from(u32::MAX) * per_cent / 100);
        let filter = Filter { column: column.clone(), comparison: Comparison::Less, value: limit };
        let select = Primitive::Select { filter, rows: list.clone(), count: count.clone() };
        bench.line(what, subject, bytes + bytes * per_cent / 100, &select);
    }
    if rows <= 1 << 26 {
        let numbers = bench.tally(Scalar::U32, rows);
        let sort = Primitive::Sort {
            keys: column.clone(),
            values: Some(view(&numbers, Scalar::U32, rows)),
            sorted_keys: Some(view(&subject.copy, Scalar::U32, rows)),
            sorted_values: list,
        };
        // Keys are read once to count their digits; each of four passes reads and writes keys and payloads.
        bench.line("sort pairs", subject, 17 * bytes, &sort);
    }
}
