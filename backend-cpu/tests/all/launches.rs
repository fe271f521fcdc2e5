//! Launches and programs on the host: refused arguments, poisoning after failures, and independence of the number of
//! threads.

#![allow(clippy::unwrap_used)]

use imminent_core::fault::FaultKind;
use imminent_core::{Data, Device, Error, Lanes, Program, Row, Stop, Table, TallyTable};
use imminent_cpu::{CpuBackend, Options};
use std::ops::ControlFlow;

#[imminent_core::kernels]
mod counters {
    #[derive(Row)]
    pub struct Counter {
        pub value: u64,
        pub divisor: u64,
        pub seen: Lanes<u32>,
    }

    #[derive(Row)]
    pub struct Total {
        pub value: u64,
    }

    #[derive(Params)]
    pub struct Step {
        pub by: u64,
        pub scale: f32,
    }

    #[kernel(reduce = min)]
    pub fn add(me: &mut Counter, step: &Step) -> u64 {
        me.value += step.by;
        me.value
    }

    #[kernel(reduce = sum)]
    pub fn scaled(me: &Counter, step: &Step) -> f32 {
        me.value as f32 * step.scale
    }

    #[kernel(reduce = argmin)]
    pub fn least(me: &Counter) -> u64 {
        me.value
    }

    #[kernel]
    pub fn divide(me: &mut Counter) {
        me.value = 1000 / me.divisor;
    }

    #[kernel]
    pub fn copy_from_next(me: &mut Counter, all: &Rows<Counter>, id: u32) {
        me.value = all.get(id + 1).value;
    }

    #[kernel]
    pub fn subtract_total(me: &mut Counter, total: &Rows<Total>) {
        me.value -= total.get(0).value;
    }

    #[kernel]
    pub fn remember(me: &mut Counter, fullest: &Tally<u32>, id: u32) {
        me.seen.set(me.value as u32, id);
        me.value += 1;
        fullest.max(0, me.value as u32);
    }
}

use counters::{Counter, Step, Total};

fn device(threads: usize) -> Device {
    Device::open(CpuBackend::open(&Options { threads: Some(threads), ..Options::default() }).unwrap()).unwrap()
}

fn counters(device: &Device, values: impl IntoIterator<Item = u64>) -> Table<Counter> {
    let rows: Vec<Counter> =
        values.into_iter().map(|value| Counter { value, divisor: 1, ..Counter::zeroed(0) }).collect();
    Table::from_rows(device, &rows).unwrap()
}

const STEP: Step = Step { by: 3, scale: 0.1 };

#[test]
fn a_launch_visits_every_row_and_reduces() {
    for rows in [0, 1, 255, 256, 257, 10_000] {
        let device = device(2);
        let mut table = counters(&device, (0..rows).rev());
        let least = device.queue().launch::<counters::add>((&mut table, &STEP)).unwrap();
        assert_eq!(least.read().unwrap(), if rows == 0 { u64::MAX } else { 3 });
        let values: Vec<u64> = table.read().unwrap().iter().map(|row| row.value).collect();
        assert!(values.into_iter().eq((3..rows + 3).rev()));
        let first = device.queue().launch::<counters::least>((&table,)).unwrap().read().unwrap();
        assert_eq!(first.row, (rows as u32).wrapping_sub(1));
    }
}

#[test]
fn float_sums_are_the_same_for_any_number_of_threads() {
    let sum = |threads| {
        let device = device(threads);
        let table = counters(&device, (0..100_003).map(|i| i * i % 1013));
        device.queue().launch::<counters::scaled>((&table, &STEP)).unwrap().read().unwrap().to_bits()
    };
    let alone = sum(1);
    assert!((2..=5).all(|threads| sum(threads) == alone));
}

#[test]
fn fewer_rows_can_be_visited_but_not_more() {
    let device = device(1);
    let mut table = counters(&device, [0, 0, 0]);
    device.queue().launch_rows::<counters::add>(2, (&mut table, &STEP)).unwrap();
    assert_eq!(table.column::<u64>(0).read().unwrap(), [3, 3, 0]);
    let error = device.queue().launch_rows::<counters::add>(4, (&mut table, &STEP)).unwrap_err();
    assert!(matches!(&error, Error::Launch { kernel, .. } if kernel == "add"), "{error}");
}

#[test]
fn a_fault_names_the_lowest_row_and_its_line_and_poisons() {
    let device = device(2);
    let mut table = counters(&device, (0..10_000).map(|_| 5));
    let mut rows = table.read().unwrap();
    for row in [9_999, 7_001, 300] {
        rows[row].divisor = 0;
    }
    table.write(&rows).unwrap();
    let untouched = counters(&device, [1]);
    device.queue().launch::<counters::divide>((&mut table,)).unwrap();
    let error = device.queue().wait().unwrap_err();
    let fault = error.fault().unwrap();
    assert_eq!((fault.row, fault.kind, fault.kernel.as_str()), (300, FaultKind::DivisionByZero, "divide"));
    let source = include_str!("launches.rs").lines().nth(fault.line as usize - 1).unwrap();
    assert!(source.contains("1000 / me.divisor") && fault.file.ends_with("launches.rs"), "{fault}");

    let poisoned = table.read().unwrap_err();
    assert!(matches!(&poisoned, Error::Poisoned { .. }) && poisoned.fault() == Some(fault), "{poisoned}");
    assert!(matches!(device.queue().launch::<counters::least>((&table,)), Err(Error::Poisoned { .. })));
    assert_eq!(untouched.read().unwrap()[0].value, 1);
    table.write(&rows).unwrap();
    assert_eq!(table.read().unwrap(), rows);
}

#[test]
fn a_row_past_the_end_is_zero_and_a_fault() {
    let device = device(1);
    let mut table = counters(&device, [1, 2]);
    let all = counters(&device, [7, 8, 9]);
    device.queue().launch::<counters::copy_from_next>((&mut table, &all)).unwrap();
    assert_eq!(table.column::<u64>(0).read().unwrap(), [8, 9]);
    let all = counters(&device, [7, 8]);
    device.queue().launch::<counters::copy_from_next>((&mut table, &all)).unwrap();
    let error = device.queue().wait().unwrap_err();
    assert_eq!(error.fault().map(|fault| (fault.row, fault.kind)), Some((1, FaultKind::RowOutOfRange)));
}

#[test]
fn a_result_can_feed_the_next_launch() {
    let device = device(2);
    let mut table = counters(&device, [10, 20, 30]);
    let mut total = Table::<Total>::zeroed(&device, 1).unwrap();
    let mut program = Program::record(&device, |program| {
        program.repeat(3, |step| {
            step.launch_into::<counters::add, _>((&mut table, &STEP), &mut total)?;
            step.launch::<counters::subtract_total>((&mut table, &total))?;
            Ok(())
        })
    })
    .unwrap();
    program.run().unwrap();
    assert_eq!(table.column::<u64>(0).read().unwrap(), [0, 10, 20]);
    assert_eq!(total.read().unwrap()[0].value, 3);

    let mut two = Table::<Total>::zeroed(&device, 2).unwrap();
    assert!(device.queue().launch_into::<counters::add, _>((&mut table, &STEP), &mut two).is_err());
    let mut other = Table::<u32>::zeroed(&device, 1).unwrap();
    assert!(device.queue().launch_into::<counters::add, _>((&mut table, &STEP), &mut other).is_err());
}

#[test]
fn a_loop_ends_at_the_first_condition_that_holds() {
    let device = device(1);
    let mut table = counters(&device, [0]);
    let mut program = Program::record(&device, |program| {
        program.loop_until(100, |step| {
            let value = step.launch::<counters::add>((&mut table, &STEP))?;
            Ok(vec![value.at_least(1000), value.above(20), value.at_least(21)])
        })
    })
    .unwrap();
    let outcome = program.run().unwrap();
    assert_eq!((outcome.steps, outcome.stop), (7, Stop::Condition(1)));
    // A replay continues from the present contents of the tables.
    assert_eq!(program.run().unwrap().steps, 1);
    assert_eq!(table.column::<u64>(0).read().unwrap(), [24]);
}

#[test]
fn a_loop_can_be_limited_and_cancelled() {
    let device = device(1);
    let mut table = counters(&device, [0]);
    let mut record = |limit| {
        Program::record(&device, |program| {
            program.loop_until(limit, |step| {
                let value = step.launch::<counters::add>((&mut table, &STEP))?;
                Ok(vec![value.equals(u64::MAX - 1)])
            })
        })
        .unwrap()
    };
    assert_eq!(record(0).run().unwrap().stop, Stop::StepLimit);
    assert_eq!(record(5).run().unwrap().steps, 5);
    let mut endless = record(u64::MAX);
    let outcome = endless.run_with(|_| ControlFlow::Break(())).unwrap();
    assert_eq!(outcome.stop, Stop::Cancelled);
    drop(endless);
    assert_eq!(table.column::<u64>(0).read().unwrap(), [3 * (5 + outcome.steps)]);
}

#[test]
fn a_loop_without_a_condition_is_refused() {
    let nothing = Program::record(&device(1), |program| program.loop_until(9, |_| Ok(vec![])));
    assert!(nothing.is_err());
}

#[test]
fn a_program_follows_a_table_that_grows() {
    let device = device(1);
    let row = Counter { value: 0, divisor: 1, seen: Lanes::zeroed(2) };
    let mut table = Table::from_rows(&device, &[row]).unwrap();
    let fullest = TallyTable::new(&device, &[0]).unwrap();
    let mut program =
        Program::record(&device, |program| program.launch::<counters::remember>((&mut table, &fullest)).map(drop))
            .unwrap();
    program.run().unwrap();
    program.run().unwrap();
    table.grow(3).unwrap();
    program.run().unwrap();
    assert_eq!(table.read().unwrap()[0].seen.as_slice(), [0, 0, 0]);
    assert_eq!(fullest.read().unwrap(), [3]);
    let error = program.run().unwrap_err();
    assert_eq!(error.fault().map(|fault| fault.kind), Some(FaultKind::LaneOutOfRange));
}

#[test]
fn own_rows_must_be_equally_long_and_on_one_device() {
    let (here, there) = (device(1), device(1));
    let mut table = counters(&there, [1]);
    let error = here.queue().launch::<counters::add>((&mut table, &STEP)).unwrap_err();
    assert!(error.to_string().contains("another device"), "{error}");
}

#[test]
fn values_have_words() {
    assert_eq!(<[u64; 3] as Data>::WORDS, 6);
    assert_eq!(<Step as Data>::WORDS, 3);
    assert_eq!(Counter::layout().fixed_words, 4);
    assert_eq!(Counter::layout().lane_words, 1);
}
