//! Messages between rows, against lists made on the host.

use crate::case::{Cases, Verdict, ensure, equal, error_of};
use crate::context::Context;
use crate::kernels::messages::messages::{self, Received, Sender, Sum};
use imminent_core::{Device, Error, MailTable, Program, Row, Selection, Table};
use rand_core::Rng;

/// Senders and numbers of the messages to each row, in order.
type Lists = Vec<Vec<(u32, u32)>>;

pub(super) fn add(cases: &mut Cases) {
    cases.add("messages arrive in the order of their senders", few_receivers_are_popular);
    cases.add("thousands of messages to one row arrive in order", one_receiver);
    cases.add("a program delivers messages in each step", in_a_program);
    cases.add("a program receives messages without a delivery", without_delivery);
    cases.add("a subset of the rows sends messages", of_a_subset);
    cases.add("a message without a receiver or without room is a fault", faults);
}

/// Draws receivers for the messages of each row, a quarter of them among few rows.
fn drawn(context: &Context<'_>, rows: u32, most: u32) -> Vec<Vec<u32>> {
    let mut rng = context.random(83);
    let mut below = |n: u32| rng.next_u32() % n;
    let row = |_| {
        let count = below(most + 1);
        (0..count).map(|_| if below(4) == 0 { below(rows.div_ceil(40)) } else { below(rows) }).collect()
    };
    (0..rows).map(row).collect()
}

fn expected(sent: &[Vec<u32>]) -> Lists {
    let mut lists = vec![Vec::new(); sent.len()];
    for (row, to) in (0..).zip(sent) {
        for (number, to) in (0..).zip(to) {
            lists[*to as usize].push((row, number));
        }
    }
    lists
}

fn senders(device: &Device, sent: &[Vec<u32>], room: u32) -> Result<Table<Sender>, Error> {
    let row = |to: &Vec<u32>| {
        let mut row = Sender::zeroed(room);
        row.count = to.len() as u32;
        (0..).zip(to).for_each(|(k, to)| row.to.set(k, *to));
        row
    };
    Table::from_rows(device, &sent.iter().map(row).collect::<Vec<_>>())
}

fn post(device: &Device, senders: &Table<Sender>, mail: &mut MailTable) -> Result<(), Error> {
    device.queue().launch::<messages::post>((senders, mail.outbox()))?;
    mail.deliver()
}

fn collect(device: &Device, mail: &MailTable, most: u32) -> Result<Lists, Error> {
    let mut received = Table::<Received>::with_capacity(device, mail.len(), most)?;
    device.queue().launch::<messages::collect>((&mut received, mail.inbox()))?;
    lists(&received)
}

fn lists(received: &Table<Received>) -> Result<Lists, Error> {
    let list = |row: &Received| (0..row.count).map(|k| (row.rows.get(k), row.numbers.get(k))).collect();
    Ok(received.read()?.iter().map(list).collect())
}

fn longest(lists: &Lists) -> u32 {
    lists.iter().map(Vec::len).max().unwrap_or(0) as u32
}

fn few_receivers_are_popular(context: &Context<'_>) -> Verdict {
    for rows in [1, 7, 300, context.scaled(3_000, 100_000) as u32] {
        let sent = drawn(context, rows, 5);
        let lists = expected(&sent);
        let senders = senders(context.device, &sent, 5)?;
        let mut mail = MailTable::new(context.device, rows as usize, 5)?;
        for delivery in 0..3 {
            post(context.device, &senders, &mut mail)?;
            let what = format!("delivery {delivery} to {rows} rows");
            equal(&what, &collect(context.device, &mail, longest(&lists))?, &lists)?;
        }
        mail.deliver()?;
        let none = collect(context.device, &mail, 1)?;
        ensure(none.iter().all(Vec::is_empty), || "messages arrive twice".to_owned())?;
    }
    Ok(())
}

fn one_receiver(context: &Context<'_>) -> Verdict {
    let sent = vec![vec![17, 17]; 1_500];
    let lists = expected(&sent);
    let senders = senders(context.device, &sent, 2)?;
    let mut mail = MailTable::new(context.device, sent.len(), 2)?;
    post(context.device, &senders, &mut mail)?;
    equal("the lists", &collect(context.device, &mail, longest(&lists))?, &lists)
}

fn in_a_program(context: &Context<'_>) -> Verdict {
    let sent = drawn(context, 400, 3);
    let lists_expected = expected(&sent);
    let senders = senders(context.device, &sent, 3)?;
    let mut received = Table::<Received>::with_capacity(context.device, 400, longest(&lists_expected))?;
    let mut mail = MailTable::new(context.device, 400, 3)?;
    let mut program = Program::record(context.device, |builder| {
        builder.repeat(5, |step| {
            step.launch::<messages::collect>((&mut received, mail.inbox()))?;
            step.launch::<messages::post>((&senders, mail.outbox()))?;
            mail.record_delivery(step)
        })
    })?;
    program.run()?;
    equal("the lists of the last step", &lists(&received)?, &lists_expected)?;
    equal("the last delivery", &collect(context.device, &mail, longest(&lists_expected))?, &lists_expected)
}

fn without_delivery(context: &Context<'_>) -> Verdict {
    let sent = drawn(context, 400, 3);
    let lists = expected(&sent);
    let senders = senders(context.device, &sent, 3)?;
    let mut sums = Table::<Sum>::zeroed(context.device, 400)?;
    let mut mail = MailTable::new(context.device, 400, 3)?;
    let mut receivers = Selection::with_capacity(context.device, 400)?;
    let mut program = Program::record(context.device, |builder| {
        builder.repeat(4, |step| {
            step.launch::<messages::post>((&senders, mail.outbox()))?;
            step.launch::<messages::add_up>((&mut sums, mail.undelivered())).map(drop)
        })?;
        // Those who have a message are enough.
        builder.launch::<messages::post>((&senders, mail.outbox()))?;
        builder.select_into(mail.addressed()?, &mut receivers)?;
        builder.launch_over::<messages::add_up>(&receivers, (&mut sums, mail.undelivered())).map(drop)
    })?;
    program.run()?;
    let addressed = (0..).zip(&lists).filter(|(_, list)| !list.is_empty()).map(|(row, _)| row).collect();
    equal("the receivers of the last step", &receivers.read()?, &addressed)?;
    let sum = |list: &Vec<(u32, u32)>| {
        let of_all = list.iter().map(|(row, number)| 7 * row + number).sum::<u32>();
        (5 * list.len() as u32, of_all.wrapping_mul(5))
    };
    let found: Vec<_> = sums.read()?.iter().map(|sum| (sum.count, sum.sum)).collect();
    equal("counts and sums of five steps", &found, &lists.iter().map(sum).collect())?;
    mail.deliver()?;
    let none = collect(context.device, &mail, 1)?;
    ensure(none.iter().all(Vec::is_empty), || "messages arrive twice".to_owned())
}

fn of_a_subset(context: &Context<'_>) -> Verdict {
    let mut sent = drawn(context, 500, 4);
    let senders = senders(context.device, &sent, 4)?;
    let chosen: Vec<u32> = (0..500).rev().filter(|row| row % 3 == 1).collect();
    (0..).zip(&mut sent).filter(|(row, _)| row % 3 != 1).for_each(|(_, to)| to.clear());
    let lists = expected(&sent);
    let selection = Selection::from_rows(context.device, 500, &chosen)?;
    let mut mail = MailTable::new(context.device, 500, 4)?;
    context.queue().launch_over::<messages::post>(&selection, (&senders, mail.outbox()))?;
    mail.deliver()?;
    equal("the lists", &collect(context.device, &mail, longest(&lists))?, &lists)
}

fn faults(context: &Context<'_>) -> Verdict {
    for (to, text) in [(vec![5], "the receiver exists"), (vec![0, 1], "there is room for the message")] {
        let senders = senders(context.device, &[to, vec![]], 2)?;
        let mail = MailTable::new(context.device, 2, 1)?;
        context.queue().launch::<messages::post>((&senders, mail.outbox()))?;
        let error = error_of("the launch", context.queue().wait())?;
        ensure(error.to_string().contains(text), || format!("the error says: {error}"))?;
    }
    let many = MailTable::new(context.device, 1 << 20, 1 << 12).map(drop);
    let error = error_of("four thousand million messages", many)?;
    ensure(matches!(error, Error::Limit { .. }), || format!("the error is {error}"))
}
