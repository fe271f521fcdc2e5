//! Loops whose conditions read memory that no kernel touches: every scalar and comparison, against the host's.

use imminent_core::backend::{
    Allocation, Backend, Buffer, Comparison, LoopUntil, Node, QueueHandle, Read, Span, Test, Write,
};
use imminent_core::ir::{Column, Layout, Scalar};
use imminent_core::native::{ErasedTable, NativeTable};
use imminent_core::{Error, Outcome, Progress, Stop};
use std::ops::ControlFlow;

const COMPARISONS: [Comparison; 6] = [
    Comparison::Equal,
    Comparison::NotEqual,
    Comparison::Less,
    Comparison::LessOrEqual,
    Comparison::Greater,
    Comparison::GreaterOrEqual,
];

fn edge_values(scalar: Scalar) -> Vec<u64> {
    match scalar {
        Scalar::Bool => vec![0, 1],
        Scalar::U32 => vec![0, 1, 1 << 31, u64::from(u32::MAX)],
        Scalar::I32 => [0, 1, -1, i32::MIN, i32::MAX].iter().map(|v| u64::from(v.cast_unsigned())).collect(),
        Scalar::U64 => vec![0, 1, u64::from(u32::MAX), 1 << 32, 1 << 63, u64::MAX],
        Scalar::I64 => [0, 1, -1, 1 << 32, -1 << 32, i64::MIN, i64::MAX].map(i64::cast_unsigned).into(),
        Scalar::F32 => {
            [0.0, -0.0, 1.5, -1.5, f32::MIN_POSITIVE / 4.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -f32::NAN]
                .map(|v| u64::from(v.to_bits()))
                .into()
        }
        Scalar::F64 => [0.0, -0.0, 1.5, -1.5, f64::MIN_POSITIVE / 4.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]
            .map(f64::to_bits)
            .into(),
    }
}

fn layout(scalar: Scalar) -> &'static Layout {
    Box::leak(Box::new(Layout {
        name: scalar.name().to_owned(),
        fixed_words: scalar.words(),
        lane_words: 0,
        packed: false,
        columns: vec![Column { name: "value".to_owned(), scalar, word: 0, lane: false }],
    }))
}

fn native(rows: u32, capacity: u32) -> Box<dyn ErasedTable> {
    Box::new(NativeTable::<u32>::zeroed(rows, capacity))
}

struct Fixture<'d> {
    backend: &'d dyn Backend,
    queue: QueueHandle,
}

impl<'d> Fixture<'d> {
    fn new(backend: &'d dyn Backend) -> Fixture<'d> {
        Fixture { queue: backend.queue().unwrap(), backend }
    }

    fn table(&self, scalar: Scalar, values: &[u64]) -> Buffer {
        let rows = values.len() as u32;
        let buffer = self
            .backend
            .allocate(&self.queue, &Allocation::Table { layout: layout(scalar), rows, capacity: 0, native })
            .unwrap();
        let width = scalar.words() as usize * 4;
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes().into_iter().take(width)).collect();
        let span = Span::column(None, 0, scalar, 0..rows);
        self.backend.write(&self.queue, &[Write { buffer: &buffer, span, bytes: &bytes }]).unwrap();
        buffer
    }

    fn words(&self, buffer: &Buffer, rows: u32) -> Vec<u32> {
        let span = Span::column(None, 0, Scalar::U32, 0..rows);
        let mut bytes = vec![0; span.bytes()];
        self.backend.read(&self.queue, &mut [Read { buffer, span, bytes: &mut bytes }]).unwrap();
        bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
    }

    fn replay(&self, nodes: Vec<Node>) -> Outcome {
        let recording = self.backend.record(&self.queue, nodes).unwrap();
        self.backend.replay(&self.queue, &recording, &mut |_| ControlFlow::Continue(())).unwrap()
    }
}

fn test(buffer: &Buffer, row: u32, scalar: Scalar, comparison: Comparison, constant: u64) -> Test {
    Test { buffer: buffer.clone(), row, word: 0, scalar, comparison, constant }
}

pub fn every_comparison_of_every_scalar_means_what_it_means_on_the_host(backend: &dyn Backend) {
    let fixture = Fixture::new(backend);
    for scalar in Scalar::ALL {
        let values = edge_values(scalar);
        let table = fixture.table(scalar, &values);
        for comparison in COMPARISONS {
            for (row, left) in (0..).zip(&values) {
                for right in &values {
                    let tests = vec![test(&table, row, scalar, comparison, *right)];
                    let outcome = fixture.replay(vec![Node::LoopUntil(LoopUntil::new(vec![], tests, 1))]);
                    let holds = comparison.holds(scalar, *left, *right);
                    let stop = if holds { Stop::Condition(0) } else { Stop::StepLimit };
                    assert_eq!(outcome, Outcome { steps: 1, stop }, "{left:x} {comparison:?} {right:x} as {scalar}");
                }
            }
        }
    }
}

pub fn the_first_of_several_conditions_is_reported(backend: &dyn Backend) {
    let fixture = Fixture::new(backend);
    let a = fixture.table(Scalar::U32, &[3, 4]);
    let b = fixture.table(Scalar::U64, &[1 << 40]);
    let tests = vec![
        test(&a, 0, Scalar::U32, Comparison::Equal, 4),
        test(&b, 0, Scalar::U64, Comparison::Less, 1 << 33),
        test(&a, 1, Scalar::U32, Comparison::Equal, 4),
        test(&b, 0, Scalar::U64, Comparison::Greater, 0),
    ];
    let outcome = fixture.replay(vec![Node::LoopUntil(LoopUntil::new(vec![], tests, 9))]);
    assert_eq!(outcome, Outcome { steps: 1, stop: Stop::Condition(2) });
}

pub fn the_step_limit_is_kept_exactly(backend: &dyn Backend) {
    let fixture = Fixture::new(backend);
    let table = fixture.table(Scalar::U32, &[3]);
    for max_steps in [0, 1, 2, 3, 4, 5, 7, 1000, 12345] {
        let tests = vec![test(&table, 0, Scalar::U32, Comparison::Equal, 4)];
        let outcome = fixture.replay(vec![Node::LoopUntil(LoopUntil::new(vec![], tests, max_steps))]);
        assert_eq!(outcome, Outcome { steps: max_steps, stop: Stop::StepLimit });
    }
}

pub fn steps_after_the_end_change_nothing(backend: &dyn Backend) {
    let fixture = Fixture::new(backend);
    for rows in [1, 255, 256, 257, 9_000] {
        let source = fixture.table(Scalar::U32, &vec![5; rows]);
        let middle = fixture.table(Scalar::U32, &vec![6; rows]);
        let target = fixture.table(Scalar::U32, &vec![7; rows]);
        // A second step would copy the 5 further.
        let body = vec![
            Node::Copy { from: middle.clone(), to: target.clone() },
            Node::Copy { from: source.clone(), to: middle.clone() },
            Node::Clear(source.clone()),
        ];
        let tests = vec![test(&target, rows as u32 - 1, Scalar::U32, Comparison::Equal, 6)];
        let outcome = fixture.replay(vec![Node::LoopUntil(LoopUntil::new(body, tests, 100))]);
        assert_eq!(outcome, Outcome { steps: 1, stop: Stop::Condition(0) });
        let n = rows as u32;
        assert_eq!(fixture.words(&target, n), vec![6; rows]);
        assert_eq!(fixture.words(&middle, n), vec![5; rows]);
        assert_eq!(fixture.words(&source, n), vec![0; rows]);
    }
}

pub fn nodes_outside_loops_and_repetitions_are_done_in_order(backend: &dyn Backend) {
    let fixture = Fixture::new(backend);
    let a = fixture.table(Scalar::U32, &[1; 63]);
    let b = fixture.table(Scalar::U32, &[2; 63]);
    let c = fixture.table(Scalar::U32, &[3; 63]);
    let copy = |from: &Buffer, to: &Buffer| Node::Copy { from: from.clone(), to: to.clone() };
    // Three rotations of (a, b, c) by a spare table, then once more.
    let spare = fixture.table(Scalar::U32, &[0; 63]);
    let rotate = vec![copy(&a, &spare), copy(&b, &a), copy(&c, &b), copy(&spare, &c)];
    let nodes = vec![Node::Repeat { times: 4, body: rotate }, Node::Clear(spare.clone())];
    assert_eq!(fixture.replay(nodes), Outcome { steps: 0, stop: Stop::End });
    let first = |buffer| fixture.words(buffer, 63)[0];
    assert_eq!((first(&a), first(&b), first(&c), first(&spare)), (2, 3, 1, 0));
}

pub fn a_loop_inside_a_repetition_runs_every_time(backend: &dyn Backend) {
    let fixture = Fixture::new(backend);
    let a = fixture.table(Scalar::U32, &[1]);
    let tests = vec![test(&a, 0, Scalar::U32, Comparison::Equal, 9)];
    let inner = Node::LoopUntil(LoopUntil::new(vec![], tests, 7));
    let nodes = vec![Node::Repeat { times: 3, body: vec![Node::Repeat { times: 2, body: vec![inner] }] }];
    assert_eq!(fixture.replay(nodes), Outcome { steps: 7, stop: Stop::StepLimit });
    let nodes =
        vec![Node::Repeat { times: 0, body: vec![Node::Clear(a.clone())] }, Node::Repeat { times: 5, body: vec![] }];
    assert_eq!(fixture.replay(nodes), Outcome { steps: 0, stop: Stop::End });
    assert_eq!(fixture.words(&a, 1), [1]);
}

pub fn a_loop_without_an_end_can_be_cancelled(backend: &dyn Backend) {
    let fixture = Fixture::new(backend);
    let a = fixture.table(Scalar::U32, &[1]);
    let tests = vec![test(&a, 0, Scalar::U32, Comparison::Equal, 9)];
    let nodes = vec![Node::LoopUntil(LoopUntil::new(vec![], tests, u64::MAX)), Node::Clear(a.clone())];
    let recording = fixture.backend.record(&fixture.queue, nodes).unwrap();
    let mut heard = Vec::new();
    let mut progress = |Progress { steps }| {
        heard.push(steps);
        if heard.len() == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let outcome = fixture.backend.replay(&fixture.queue, &recording, &mut progress).unwrap();
    assert_eq!(outcome.stop, Stop::Cancelled);
    assert!(heard.windows(2).all(|pair| pair[0] < pair[1]), "{heard:?}");
    assert!(outcome.steps >= heard[4], "{outcome:?} {heard:?}");
    // Work after a cancelled loop is not done.
    assert_eq!(fixture.words(&a, 1), [1]);
}

pub fn a_program_can_be_replayed_but_not_twice_at_once(backend: &dyn Backend) {
    let fixture = Fixture::new(backend);
    let a = fixture.table(Scalar::U32, &[1]);
    let tests = vec![test(&a, 0, Scalar::U32, Comparison::Equal, 9)];
    let nodes = vec![Node::LoopUntil(LoopUntil::new(vec![], tests, 40))];
    let recording = fixture.backend.record(&fixture.queue, nodes).unwrap();
    let mut inner = None;
    for _ in 0..2 {
        let mut progress = |_| {
            let mut quiet = |_| ControlFlow::Continue(());
            inner = Some(fixture.backend.replay(&fixture.queue, &recording, &mut quiet));
            ControlFlow::Continue(())
        };
        let outcome = fixture.backend.replay(&fixture.queue, &recording, &mut progress).unwrap();
        assert_eq!(outcome, Outcome { steps: 40, stop: Stop::StepLimit });
    }
    assert!(matches!(inner, Some(Err(Error::Invalid { .. }))), "{inner:?}");
}

pub fn memory_can_be_read_while_a_program_makes_progress(backend: &dyn Backend) {
    let fixture = Fixture::new(backend);
    let a = fixture.table(Scalar::U32, &[1]);
    let tests = vec![test(&a, 0, Scalar::U32, Comparison::Equal, 9)];
    let nodes = vec![Node::LoopUntil(LoopUntil::new(vec![], tests, 40))];
    let recording = fixture.backend.record(&fixture.queue, nodes).unwrap();
    let mut seen = 0;
    let mut progress = |_| {
        seen = fixture.words(&a, 1)[0];
        ControlFlow::Continue(())
    };
    fixture.backend.replay(&fixture.queue, &recording, &mut progress).unwrap();
    assert_eq!(seen, 1);
}

pub fn a_condition_on_a_row_that_does_not_exist_is_a_typed_error(backend: &dyn Backend) {
    let fixture = Fixture::new(backend);
    let a = fixture.table(Scalar::U32, &[1]);
    let tests = vec![test(&a, 1, Scalar::U32, Comparison::Equal, 9)];
    let nodes = vec![Node::LoopUntil(LoopUntil::new(vec![], tests, 7))];
    assert!(matches!(fixture.backend.record(&fixture.queue, nodes), Err(Error::Invalid { .. })));
}
