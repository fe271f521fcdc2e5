//! Primitives in programs: recorded once, executed at every replay, with results on the device.

use crate::case::{Cases, equal, equal_slices};
use crate::context::Context;
use crate::kernels::primitives::parcels::Parcel;
use crate::kernels::primitives::timers::{Clock, Timer, TimerColumns as _, add as add_clock, fire};
use imminent_core::primitives::ScanOp;
use imminent_core::{Outcome, Program, Row, Stop, Table};

fn timers(count: u32) -> Vec<Timer> {
    (0..count).map(|row| Timer { period: row % 7 + 2, fired: 0, next: u64::from(row % 5) }).collect()
}

/// Simulates the model on the host: the events up to a time, and the number of distinct times.
fn simulated(mut timers: Vec<Timer>, until: u64) -> (Vec<Timer>, u64) {
    let mut times = 0;
    loop {
        let now = timers.iter().map(|timer| timer.next).min().unwrap_or(u64::MAX);
        times += 1;
        for timer in timers.iter_mut().filter(|timer| timer.next == now) {
            timer.fired += 1;
            timer.next += u64::from(timer.period);
        }
        if now >= until {
            return (timers, times);
        }
    }
}

pub(super) fn add(cases: &mut Cases) {
    cases.add(
        "the least time drives a loop: a later kernel reads it, and the loop ends by it",
        |context: &Context<'_>| {
            let given = timers(1000);
            let mut table = Table::from_rows(context.device, &given)?;
            let mut clock = Table::<Clock>::zeroed(context.device, 1)?;
            let mut program = Program::record(context.device, |program| {
                program.loop_until(1000, |step| {
                    let now = step.min_into(table.next(), &mut clock)?;
                    step.launch::<fire>((&mut table, &clock))?;
                    Ok(vec![now.at_least(60)])
                })
            })?;
            let (expected, times) = simulated(given, 60);
            equal("the outcome", &program.run()?, &Outcome { steps: times, stop: Stop::Condition(0) })?;
            equal_slices("the timers", &table.read()?, &expected)
        },
    );
    cases.add("selections, scans and sorts are done again at every replay", |context: &Context<'_>| {
        let mut table = Table::from_rows(context.device, &timers(3000))?;
        let mut running = Table::zeroed(context.device, 3000)?;
        let one = Table::from_rows(context.device, &[Clock { now: 1 }])?;
        let mut kept = None;
        let mut program = Program::record(context.device, |program| {
            let least = program.find_min_time(table.next())?;
            let imminents = program.find_imminents(table.next(), &least)?;
            program.inclusive_scan(table.next(), ScanOp::Sum, &mut running)?;
            let order = program.sort(table.next())?;
            let total = program.sum(&running)?;
            let late = program.count(table.next().above(&least)?)?;
            program.launch::<add_clock>((&mut table, &one))?;
            kept = Some((least, imminents, order, total, late));
            Ok(())
        })?;
        let Some((least, imminents, order, total, late)) = kept else { return Ok(()) };
        for replay in 0..3 {
            program.run()?;
            let times: Vec<u64> = timers(3000).iter().map(|timer| timer.next + replay).collect();
            equal("the least", &least.read()?, &replay)?;
            let due: Vec<u32> = (0..).zip(&times).filter(|(_, t)| **t == replay).map(|(row, _)| row).collect();
            equal("how many are late", &late.read()?, &(3000 - due.len() as u32))?;
            equal_slices("the imminents", &imminents.read()?, &due)?;
            let sums: Vec<u64> = times
                .iter()
                .scan(0, |sum, t| {
                    *sum += t;
                    Some(*sum)
                })
                .collect();
            equal_slices("running sums", &running.read()?, &sums)?;
            equal("their sum", &total.read()?, &sums.iter().sum())?;
            let mut by_time: Vec<u32> = (0..3000).collect();
            by_time.sort_by_key(|row| times[*row as usize]);
            equal_slices("the order", &order.read()?, &by_time)?;
        }
        Ok(())
    });
    cases.add("a selection's count ends a loop", |context: &Context<'_>| {
        let mut table = Table::from_rows(context.device, &timers(500))?;
        let one = Table::from_rows(context.device, &[Clock { now: 2 }])?;
        let mut program = Program::record(context.device, |program| {
            program.loop_until(100, |step| {
                step.launch::<add_clock>((&mut table, &one))?;
                let early = step.select(table.next().below(20)?)?;
                Ok(vec![early.count_scalar()?.equals(0)])
            })
        })?;
        // Every timer gains 2 per step, the earliest from 0.
        equal("the outcome", &program.run()?, &Outcome { steps: 10, stop: Stop::Condition(0) })
    });
    cases.add("a replay follows tables that have grown", |context: &Context<'_>| {
        let rows: Vec<Parcel> = (0..50).map(|n| Parcel { number: n, ..Parcel::zeroed(1) }).collect();
        let mut from = Table::from_rows(context.device, &rows)?;
        let mut to = Table::with_capacity(context.device, 50, 1)?;
        let backwards = Table::from_rows(context.device, &(0..50).rev().collect::<Vec<u32>>())?;
        let mut program = Program::record(context.device, |program| program.gather(&backwards, &from, &mut to))?;
        program.run()?;
        from.grow(4)?;
        to.grow(4)?;
        let grown: Vec<Parcel> = (0..50)
            .map(|n| Parcel { number: n + 7, stops: vec![u64::from(n); 4].into(), ..Parcel::zeroed(4) })
            .collect();
        from.write(&grown)?;
        program.run()?;
        let expected: Vec<Parcel> = grown.into_iter().rev().collect();
        equal_slices("rows gathered after growth", &to.read()?, &expected)
    });
}
