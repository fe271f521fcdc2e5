//! Loops of programs in WHILE nodes, and in one launch.

use super::common::{device, has_while_nodes};
use imminent_core::{Device, Outcome, Program, Stop, Table};
use imminent_cuda::{CudaBackend, Options};
use imminent_testkit::device::machines::machines::{self, Machine, Rule};
use std::ops::ControlFlow;
use std::time::Duration;

const RULE: Rule = Rule { factor: 0x9e37_79b9_7f4a_7c15, shift: 23, limit: 0 };

pub(crate) fn a_driver_without_while_nodes_is_a_typed_error() {
    let options: Options = "loops=conditional".parse().unwrap();
    match CudaBackend::open(0, &options) {
        Ok(_) => assert!(has_while_nodes()),
        Err(error) => {
            let text = error.to_string();
            assert!(
                text.contains("loops=conditional") && text.contains("12.3") && text.contains("loops=graph"),
                "{text}"
            );
        }
    }
}

/// Numbers of steps that end at the last body, at the last chunk, at both and at neither.
pub(crate) fn steps_are_counted_right_over_bodies_and_chunks() {
    for options in [if has_while_nodes() { "loops=conditional" } else { "" }, "loops=resident"] {
        steps_are_counted_right(&device(options));
    }
}

fn steps_are_counted_right(device: &Device) {
    let start: Vec<Machine> =
        (0..40_u64).map(|i| Machine { clock: 3 * i + 1, step: 0, past: [0; 3], balance: 0 }).collect();
    for steps in [1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 700, 1024] {
        let (mut expected, mut spare) = (start.clone(), start.clone());
        let mut table = Table::from_rows(device, &start).unwrap();
        let mut other = Table::from_rows(device, &start).unwrap();
        // Two launches with a swap: two steps are written out, and a body has several of them.
        let mut program = Program::record(device, |program| {
            program.loop_until(steps, |step| {
                step.launch::<machines::tick>((&mut table, &RULE))?;
                step.launch::<machines::look>((&mut other, &table))?;
                let odd = step.launch::<machines::odd>((&table,))?;
                step.swap(&mut table, &mut other)?;
                Ok(vec![odd.above(100)])
            })
        })
        .unwrap();
        for _ in 0..steps {
            expected.iter_mut().zip(0..).for_each(|(me, row)| machines::tick(me, &RULE, row));
            for row in 0..spare.len() {
                spare[row].clock ^= expected[(row + 1) % expected.len()].clock << 1;
            }
            std::mem::swap(&mut expected, &mut spare);
        }
        assert_eq!(program.run().unwrap(), Outcome { steps, stop: Stop::StepLimit });
        assert!(table.read().unwrap() == expected && other.read().unwrap() == spare, "{steps} steps");
    }
}

/// The loop begins as graphs and goes on as one launch, which is then in the cache; the next run begins with it.
pub(crate) fn a_loop_that_runs_for_long_goes_on_in_one_launch() {
    const STEPS: u64 = 20_000;
    let folder = tempfile::tempdir().unwrap();
    let kept = || files(folder.path());
    let device = device(&format!("cache={}", folder.path().display()));
    let start: Vec<Machine> =
        (0..40_u64).map(|i| Machine { clock: 3 * i + 1, step: 0, past: [0; 3], balance: 0 }).collect();
    let mut expected = start.clone();
    for _ in 0..STEPS {
        expected.iter_mut().zip(0..).for_each(|(me, row)| machines::tick(me, &RULE, row));
    }
    for is_first in [true, false] {
        let mut table = Table::from_rows(&device, &start).unwrap();
        let mut program = Program::record(&device, |program| {
            program.loop_until(STEPS, |step| {
                step.launch::<machines::tick>((&mut table, &RULE))?;
                Ok(vec![step.launch::<machines::odd>((&table,))?.above(100)])
            })
        })
        .unwrap();
        program.compile().unwrap();
        let (before, mut waits) = (kept(), is_first);
        let outcome = program.run_with(|_| {
            if std::mem::take(&mut waits) {
                std::thread::sleep(Duration::from_millis(1_100));
            }
            ControlFlow::Continue(())
        });
        assert_eq!(outcome.unwrap(), Outcome { steps: STEPS, stop: Stop::StepLimit });
        assert!(table.read().unwrap() == expected, "in the first run: {is_first}");
        assert_eq!(kept() - before, usize::from(is_first), "kernels compiled while the loop ran");
    }
}

/// Returns the number of files in a folder and those within.
fn files(folder: &std::path::Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { files(&path) } else { 1 }).sum()
}
