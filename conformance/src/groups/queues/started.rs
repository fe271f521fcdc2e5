//! Programs that run while the host does other work.

use crate::case::{Cases, Verdict, ensure, equal, equal_slices};
use crate::context::Context;
use crate::kernels::programs::steps::{self, Counter};
use imminent_core::{Error, Program, Stop, Table};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Returns a program that adds one to every row until the first has reached a number.
fn counting(context: &Context<'_>, table: &mut Table<Counter>, until: u64) -> Result<Program, Error> {
    Program::record(context.device, |program| {
        program.loop_until(u64::MAX, |step| {
            let greatest = step.launch::<steps::bump>((table,))?;
            Ok(vec![greatest.at_least(until)])
        })
    })
}

fn counters(context: &Context<'_>) -> Result<Table<Counter>, Error> {
    Table::from_rows(context.device, &vec![Counter { n: 0 }; 3000])
}

fn all_are(table: &Table<Counter>, n: u64) -> Verdict {
    equal_slices("the counters", &table.read()?, &vec![Counter { n }; table.len()])
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("a started program runs while the host works on other tables", |context| {
        let steps = context.scaled(300, 3000) as u64;
        let queue = context.device.new_queue()?;
        let (mut batch, mut own) = (counters(context)?, counters(context)?);
        let running = counting(context, &mut batch, steps)?.start_on(&queue)?;
        for _ in 0..20 {
            context.queue().launch::<steps::bump>((&mut own,))?;
        }
        all_are(&own, 20)?;
        let outcome = running.wait()?;
        equal("steps of the started program", &(outcome.steps, outcome.stop), &(steps, Stop::Condition(0)))?;
        all_are(&batch, steps)
    });
    cases.add("what uses a started program's tables waits for it, on every queue", |context| {
        let (queue, other) = (context.device.new_queue()?, context.device.new_queue()?);
        let mut table = counters(context)?;
        let running = counting(context, &mut table, 200)?.start_on(&queue)?;
        other.launch::<steps::bump>((&mut table,))?;
        all_are(&table, 201)?;
        equal("steps", &running.wait()?.steps, &200)
    });
    cases.add("programs that were started on one queue run one after another", |context| {
        let mut table = counters(context)?;
        let mut first = counting(context, &mut table, 100)?;
        let mut second = counting(context, &mut table, 250)?;
        let (one, two) = (first.start()?, second.start()?);
        let again = first.start()?;
        context.queue().launch::<steps::bump>((&mut table,))?;
        equal("steps of the first", &one.wait()?.steps, &100)?;
        equal("steps of the second", &two.wait()?.steps, &150)?;
        equal("steps of the first again", &again.wait()?.steps, &1)?;
        all_are(&table, 252)
    });
    cases.add("a started program can be watched and stopped", |context| {
        let mut table = counters(context)?;
        let heard = Arc::new(AtomicU64::new(0));
        let told = heard.clone();
        let running = counting(context, &mut table, u64::MAX)?.start_with(&context.queue(), move |progress| {
            told.store(progress.steps, Ordering::Relaxed);
            ControlFlow::Break(())
        })?;
        let outcome = running.wait()?;
        equal("why it stopped", &outcome.stop, &Stop::Cancelled)?;
        ensure(heard.load(Ordering::Relaxed) > 0, || "its progress was not told".to_owned())?;
        all_are(&table, outcome.steps)
    });
    cases.add("a started program may be dropped, and so may its submission", |context| {
        let mut table = counters(context)?;
        drop(counting(context, &mut table, 150)?.start()?);
        all_are(&table, 150)
    });
}
