//! Operations of several queues on the same memory happen in the order in which they were enqueued.

use crate::case::{Cases, equal, equal_slices, refused};
use crate::kernels::memory::rows::{self, Small, SmallColumns as _};
use crate::kernels::programs::steps::{self, Counter};
use imminent_core::{Error, Table};

pub(super) fn add(cases: &mut Cases) {
    cases.add("a table that queues write by turns is as if one had written it", |context| {
        let queues = [context.queue(), context.device.new_queue()?, context.device.new_queue()?];
        let mut table = Table::<Small>::zeroed(context.device, 50_000)?;
        for turn in 0..60 {
            queues[turn % 3].launch::<rows::add_id>((&mut table,))?;
        }
        let expected: Vec<Small> = (0..50_000).map(|id| Small { value: id * 60 }).collect();
        equal_slices("the table", &table.read()?, &expected)
    });
    cases.add("a queue that reads waits for the queue that writes, and the other way about", |context| {
        let (writer, reader) = (context.device.new_queue()?, context.device.new_queue()?);
        let (mut from, mut to) = (Table::<Small>::zeroed(context.device, 100_000)?, Vec::new());
        for _ in 0..12 {
            writer.launch::<rows::add_id>((&mut from,))?;
            let mut copy = Table::<Small>::zeroed(context.device, 100_000)?;
            reader.launch::<rows::take>((&mut copy, &from))?;
            to.push(copy);
        }
        for (round, copy) in (1..).zip(to) {
            let expected: Vec<Small> = (0..100_000).map(|id| Small { value: id * round }).collect();
            equal_slices(&format!("the copy of round {round}"), &copy.read()?, &expected)?;
        }
        Ok(())
    });
    cases.add("new memory is zero on every queue", |context| {
        let queues = [context.device.new_queue()?, context.device.new_queue()?];
        for round in 0..40 {
            let mut table = Table::<Small>::zeroed(context.device, 30_000)?;
            queues[round % 2].launch::<rows::add_id>((&mut table,))?;
            let expected: Vec<Small> = (0..30_000).map(|value| Small { value }).collect();
            equal_slices(&format!("the table of round {round}"), &table.read()?, &expected)?;
        }
        Ok(())
    });
    cases.add(
        "writes, copies, clears, growth and results come in order, whatever queue the launches are on",
        |context| {
            let (queue, rows) = (context.device.new_queue()?, 10_000);
            let (mut a, mut b) =
                (Table::<Small>::zeroed(context.device, rows)?, Table::<Small>::zeroed(context.device, rows)?);
            for round in 0..10 {
                a.write(&vec![Small { value: round }; rows])?;
                queue.launch::<rows::add_id>((&mut a,))?;
                b.copy_from(&a)?;
                queue.launch::<rows::add_id>((&mut b,))?;
                a.clear()?;
                queue.launch::<rows::add_id>((&mut a,))?;
                let (first, second) = (a.value().read()?, b.value().read()?);
                equal_slices("the cleared table", &first, &(0..rows as u32).collect::<Vec<_>>())?;
                equal_slices(
                    "the copied table",
                    &second,
                    &(0..rows as u32).map(|id| round + 2 * id).collect::<Vec<_>>(),
                )?;
            }
            let mut counters = Table::from_rows(context.device, &vec![Counter { n: 5 }; 1000])?;
            let scalar = queue.launch::<steps::bump>((&mut counters,))?;
            equal("the result of a launch on another queue", &scalar.read()?, &6)
        },
    );
    cases.add("transfers and launches on three queues make a pipeline", |context| {
        let device = context.device;
        let (up, run, down) = (device.new_queue()?, device.new_queue()?, device.new_queue()?);
        let rows = 20_000;
        let mut tables = Vec::new();
        for _ in 0..3 {
            tables.push(Table::<Small>::zeroed(device, rows)?);
        }
        let mut results = Vec::new();
        for item in 0..12_u32 {
            let table = &mut tables[item as usize % 3];
            let mut staging = device.staging(rows)?;
            staging.fill(item * 100);
            drop(table.value().upload(&up, 0..rows, staging)?);
            run.launch::<rows::add_id>((table,))?;
            run.signal()?;
            results.push(table.value().download(&down, 0..rows, device.staging(rows)?)?);
        }
        for (item, result) in (0_u32..).zip(results) {
            let expected: Vec<u32> = (0..rows as u32).map(|id| item * 100 + id).collect();
            equal_slices(&format!("item {item}"), &result.wait()?, &expected)?;
        }
        Ok(())
    });
    cases.add("events order queues that share nothing, and tell the host when they are reached", |context| {
        let (first, second) = (context.device.new_queue()?, context.device.new_queue()?);
        let mut table = Table::<Small>::zeroed(context.device, 1000)?;
        first.launch::<rows::add_id>((&mut table,))?;
        let event = first.signal()?;
        second.wait_for(&event)?;
        second.wait_for(&second.signal()?)?;
        second.wait()?;
        equal("whether an event is reached that a queue has waited for", &event.is_done(), &true)?;
        event.wait();
        let there = context.reference.queue().signal()?;
        refused("waiting for an event of another device", second.wait_for(&there), "`Error::Invalid`", |error| {
            matches!(error, Error::Invalid { .. })
        })
    });
    cases.add("queues, events, tables and submissions may be dropped in any order", |context| {
        for round in 0..6 {
            let queue = context.device.new_queue()?;
            let mut table = Table::<Small>::zeroed(context.device, 10_000)?;
            queue.launch::<rows::add_id>((&mut table,))?;
            let (event, done) = (queue.signal()?, queue.flush()?);
            let download = table.value().download(&queue, 0..10_000, context.device.staging(10_000)?)?;
            match round {
                0 => drop((queue, table, event, done, download)),
                1 => drop((download, done, event, table, queue)),
                2 => drop((table, queue, download, event, done)),
                3 => {
                    drop((queue, table, event));
                    equal("row 9 of a download whose queue and table are gone", &download.wait()?[9], &9)?;
                    done.wait()?;
                }
                4 => {
                    drop((queue, done, event, download));
                    equal("row 7 of a table whose queue is gone", &table.read()?[7].value, &7)?;
                }
                _ => {
                    let other = context.device.new_queue()?;
                    other.wait_for(&event)?;
                    drop((queue, event, table, download, done));
                    other.wait()?;
                }
            }
        }
        Ok(())
    });
}
