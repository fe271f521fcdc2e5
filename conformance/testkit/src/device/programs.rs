//! Programs, against plain loops of the native functions.

use super::RULE;
use super::machines::machines::{self, Line, Machine, Rule};
use imminent_core::{Device, Error, Outcome, Program, Row, Scalar, Stop, Table, TallyTable};
use std::ops::ControlFlow;

fn numbered(rows: usize) -> Vec<Machine> {
    (0..rows as u64).map(|i| Machine { clock: 3 * i + 1, step: 0, past: [0; 3], balance: 0 }).collect()
}

/// Performs one step of the native function and returns its result.
fn collatz(machines: &mut [Machine]) -> u64 {
    machines.iter_mut().map(machines::collatz).max().unwrap_or(0)
}

/// Returns a program that runs `collatz` until no row is above one.
fn collatz_program(device: &Device, table: &mut Table<Machine>, max_steps: u64) -> (Program, Scalar<u64>) {
    let mut result = None;
    let program = Program::record(device, |program| {
        program.loop_until(max_steps, |step| {
            let greatest = step.launch::<machines::collatz>((table,))?;
            let end = vec![greatest.at_most(1)];
            result = Some(greatest);
            Ok(end)
        })
    });
    (program.unwrap(), result.unwrap())
}

pub fn a_loop_takes_as_many_steps_as_a_plain_loop(device: &Device) {
    for rows in [0, 1, 2, 257, 1300] {
        let mut expected = numbered(rows);
        let mut table = Table::from_rows(device, &expected).unwrap();
        let (mut program, greatest) = collatz_program(device, &mut table, u64::MAX);
        let mut steps = 1;
        while collatz(&mut expected) > 1 {
            steps += 1;
        }
        let outcome = program.run().unwrap();
        assert_eq!(outcome, Outcome { steps, stop: Stop::Condition(0) }, "{rows}");
        assert_eq!(table.read().unwrap(), expected, "{rows}");
        assert!(greatest.read().unwrap() <= 1);
        // Again from the start, with the same recording.
        table.write(&numbered(rows)).unwrap();
        assert_eq!(program.run().unwrap(), outcome);
        assert_eq!(table.read().unwrap(), expected);
    }
}

pub fn compiling_a_program_does_not_run_it(device: &Device) {
    let mut expected = numbered(300);
    let mut table = Table::from_rows(device, &expected).unwrap();
    let (mut program, _) = collatz_program(device, &mut table, 7);
    program.compile().unwrap();
    assert_eq!(table.read().unwrap(), expected);
    program.compile().unwrap();
    let outcome = program.run().unwrap();
    (0..7).for_each(|_| {
        collatz(&mut expected);
    });
    assert_eq!(outcome, Outcome { steps: 7, stop: Stop::StepLimit });
    assert_eq!(table.read().unwrap(), expected);
}

pub fn the_step_limit_leaves_the_state_of_that_step(device: &Device) {
    for max_steps in [0, 1, 2, 3, 17, 100] {
        let mut expected = numbered(300);
        let mut table = Table::from_rows(device, &expected).unwrap();
        let (mut program, _) = collatz_program(device, &mut table, max_steps);
        let outcome = program.run().unwrap();
        for _ in 0..max_steps {
            collatz(&mut expected);
        }
        assert_eq!(outcome, Outcome { steps: max_steps, stop: Stop::StepLimit });
        assert_eq!(table.read().unwrap(), expected);
    }
}

pub fn a_cancelled_loop_leaves_the_state_of_the_step_it_reports(device: &Device) {
    let mut expected = numbered(300);
    let mut table = Table::from_rows(device, &expected).unwrap();
    let mut program = Program::record(device, |program| {
        program.loop_until(u64::MAX, |step| {
            step.launch::<machines::tick>((&mut table, &RULE))?;
            let odd = step.launch::<machines::odd>((&table,))?;
            Ok(vec![odd.above(300)])
        })
    })
    .unwrap();
    let mut heard = 0;
    let outcome = program
        .run_with(|_| {
            heard += 1;
            if heard == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
    assert_eq!(outcome.stop, Stop::Cancelled);
    assert!(outcome.steps >= 3);
    for _ in 0..outcome.steps {
        expected.iter_mut().zip(0..).for_each(|(me, row)| machines::tick(me, &RULE, row));
    }
    assert!(table.read().unwrap() == expected, "the state is not that after {} steps", outcome.steps);
}

pub fn conditions_reach_beyond_32_bits(device: &Device) {
    let mut expected = vec![Machine { clock: 1, step: 0, past: [0; 3], balance: 0 }; 3];
    let mut table = Table::from_rows(device, &expected).unwrap();
    let counts = TallyTable::new(device, &[0u32; 13]).unwrap();
    let sums = TallyTable::new(device, &[0u64]).unwrap();
    let bound = 5u64 << 40;
    let rule = Rule { factor: 3, shift: 60, limit: 13 };
    let mut program = Program::record(device, |program| {
        program.loop_until(1000, |step| {
            step.launch::<machines::tick>((&mut table, &rule))?;
            step.launch::<machines::census>((&table, &counts, &sums, &rule))?;
            let balance = step.launch::<machines::greatest>((&table,))?;
            Ok(vec![balance.below(i64::MIN / 2), sums.at_least(0, bound)])
        })
    })
    .unwrap();
    let outcome = program.run().unwrap();
    let (mut steps, mut sum) = (0, 0u64);
    while sum < bound {
        expected.iter_mut().zip(0..).for_each(|(me, row)| machines::tick(me, &rule, row));
        sum += expected.iter().map(|m| m.clock).sum::<u64>();
        steps += 1;
    }
    assert_eq!(outcome, Outcome { steps, stop: Stop::Condition(1) });
    assert_eq!(table.read().unwrap(), expected);
    assert_eq!(sums.read().unwrap(), [sum]);
}

pub fn copies_and_repetitions_are_part_of_a_step(device: &Device) {
    let rows = 1500;
    let mut expected = numbered(rows);
    let mut table = Table::from_rows(device, &expected).unwrap();
    let mut before = Table::<Machine>::zeroed(device, rows).unwrap();
    let mut program = Program::record(device, |program| {
        program.launch::<machines::tick>((&mut table, &RULE))?;
        program.loop_until(9, |step| {
            step.copy(&table, &mut before)?;
            step.repeat(3, |inner| {
                inner.launch::<machines::look>((&mut table, &before))?;
                Ok(())
            })?;
            let odd = step.launch::<machines::odd>((&table,))?;
            Ok(vec![odd.above(10_000)])
        })?;
        program.repeat(2, |inner| {
            inner.launch::<machines::tick>((&mut table, &RULE))?;
            Ok(())
        })
    })
    .unwrap();
    assert_eq!(program.run().unwrap(), Outcome { steps: 9, stop: Stop::StepLimit });
    let tick =
        |machines: &mut [Machine]| machines.iter_mut().zip(0..).for_each(|(me, row)| machines::tick(me, &RULE, row));
    tick(&mut expected);
    for _ in 0..9 {
        let before = expected.clone();
        for _ in 0..3 {
            (0..rows).for_each(|row| expected[row].clock ^= before[(row + 1) % rows].clock << 1);
        }
    }
    tick(&mut expected);
    tick(&mut expected);
    assert_eq!(table.read().unwrap(), expected);
}

fn failing(device: &Device, table: &mut Table<Machine>, limit: u32) -> Program {
    Program::record(device, |program| {
        program.loop_until(1000, |step| {
            let steps = step.launch::<machines::fails_at_step>((table, &Rule { limit, ..RULE }))?;
            Ok(vec![steps.above(400)])
        })
    })
    .unwrap()
}

pub fn a_fault_ends_a_loop_and_poisons_what_it_writes(device: &Device) {
    let mut table = Table::from_rows(device, &numbered(300)).unwrap();
    let mut program = failing(device, &mut table, 60);
    for _ in 0..2 {
        let error = program.run().unwrap_err();
        let fault = error.fault().unwrap();
        assert_eq!((fault.kernel.as_str(), fault.row), ("fails_at_step", 0));
        assert!(matches!(table.read(), Err(Error::Poisoned { .. })));
        assert!(matches!(program.run(), Err(Error::Poisoned { .. })));
        device.queue().wait().unwrap();
        table.write(&numbered(300)).unwrap();
    }
    // Without the fault the same tables continue to the end.
    let outcome = failing(device, &mut table, 500).run().unwrap();
    assert_eq!(outcome, Outcome { steps: 401, stop: Stop::Condition(0) });
}

pub fn a_program_that_failed_can_be_run_again(device: &Device) {
    let mut ahead = numbered(300);
    let mut table = Table::from_rows(device, &ahead).unwrap();
    let mut program = Program::record(device, |program| {
        program.loop_until(1000, |step| {
            step.launch::<machines::fails_at_step>((&mut table, &Rule { limit: 60, ..RULE }))?;
            let odd = step.launch::<machines::any_above>((&table, &Rule { limit: 57, ..RULE }))?;
            Ok(vec![odd.equals(true)])
        })
    })
    .unwrap();
    table.write(&numbered(300)).unwrap();
    let outcome = Outcome { steps: 58, stop: Stop::Condition(0) };
    assert_eq!(program.run().unwrap(), outcome);
    ahead[200].step = 59;
    table.write(&ahead).unwrap();
    assert_eq!(program.run().unwrap_err().fault().unwrap().row, 200);
    // No trace of the fault is left once the data is valid again.
    table.write(&numbered(300)).unwrap();
    assert_eq!(program.run().unwrap(), outcome);
    assert_eq!(table.read().unwrap()[0].step, 58);
}

pub fn a_fault_in_a_repetition_is_that_of_the_earliest_launch(device: &Device) {
    let mut table = Table::from_rows(device, &numbered(300)).unwrap();
    let mut ahead = numbered(300);
    ahead[7].step = 1;
    let mut other = Table::from_rows(device, &ahead).unwrap();
    // In the fourth repetition row 7 of the second launch fails; in the fifth, row 0 of the first one would.
    let mut program = Program::record(device, |program| {
        program.repeat(50, |inner| {
            inner.launch::<machines::fails_at_step>((&mut table, &Rule { limit: 5, ..RULE }))?;
            inner.launch::<machines::fails_at_step>((&mut other, &Rule { limit: 5, ..RULE }))?;
            Ok(())
        })
    })
    .unwrap();
    let error = program.run().unwrap_err();
    assert_eq!(error.fault().unwrap().row, 7, "{error}");
    assert!(matches!(other.read(), Err(Error::Poisoned { .. })));
    assert!(matches!(table.read(), Err(Error::Poisoned { .. })));
}

pub fn a_fault_before_a_program_is_not_the_programs(device: &Device) {
    let mut table = Table::from_rows(device, &numbered(300)).unwrap();
    let mut other = Table::from_rows(device, &numbered(300)).unwrap();
    device.queue().launch::<machines::fails_late>((&mut other, &Rule { limit: 40, ..RULE })).unwrap();
    let error = failing(device, &mut table, 500).run().unwrap_err();
    assert_eq!(error.fault().unwrap().row, 40, "{error}");
}

pub fn a_program_goes_on_with_a_table_that_has_grown(device: &Device) {
    let mut table = Table::from_rows(device, &vec![Line::zeroed(2); 70]).unwrap();
    let rule = Rule { factor: 1 << 33, ..RULE };
    let mut total = None;
    let mut program = Program::record(device, |program| {
        program.loop_until(2, |step| {
            step.launch::<machines::queue_up>((&mut table, &rule))?;
            let waiting = step.launch::<machines::waiting>((&table,))?;
            total = Some(waiting.clone());
            Ok(vec![waiting.equals(1)])
        })
    })
    .unwrap();
    let total = total.unwrap();
    for capacity in [2, 3, 9] {
        table.grow(capacity).unwrap();
        assert_eq!(program.run().unwrap(), Outcome { steps: 2, stop: Stop::StepLimit });
        let expected = (0..70u64).flat_map(|r| (0..u64::from(capacity)).map(move |l| (r << 33) + l + r)).sum::<u64>();
        assert_eq!(total.read().unwrap(), expected);
    }
}
