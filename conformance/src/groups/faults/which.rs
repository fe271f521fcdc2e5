//! Choice of the reported fault among many.

use super::expected::{BLANK, GOOD, check, fault_of};
use crate::case::{Cases, Stop, Verdict, equal};
use crate::context::Context;
use crate::kernels::faults::faulty::{self, Given, Seen};
use imminent_core::fault::FaultKind;
use imminent_core::{Error, Fault, Kernel, Table};

fn launched<K>(context: &Context<'_>, rows: &[Given]) -> Result<(), Error>
where
    K: for<'a> Kernel<Args<'a> = (&'a Table<Given>, &'a mut Table<Seen>), Output = ()>,
{
    let table = Table::from_rows(context.device, rows)?;
    let mut seen = Table::<Seen>::zeroed(context.device, rows.len())?;
    context.queue().launch::<K>((&table, &mut seen))?;
    context.queue().wait()
}

fn fault_of_launch<K>(context: &Context<'_>, rows: &[Given]) -> Result<Fault, Stop>
where
    K: for<'a> Kernel<Args<'a> = (&'a Table<Given>, &'a mut Table<Seen>), Output = ()>,
{
    fault_of(&format!("kernel `{}`", K::SOURCE.name), launched::<K>(context, rows))
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("the lowest row wins, however many fault", |context| {
        for (rows, first) in
            [(1_usize, 0_usize), (257, 256), (1000, 0), (1000, 300), (100_003, 65_537), (100_003, 100_002)]
        {
            let given: Vec<Given> = (0..rows).map(|row| Given { b: u32::from(row < first), ..GOOD }).collect();
            let fault = fault_of_launch::<faulty::division>(context, &given)?;
            check(&fault, "division", first as u32, FaultKind::DivisionByZero, "division")?;
        }
        Ok(())
    });
    cases.add("the first fault of a row is reported, later ones are silent", |context| {
        let mut given = vec![GOOD; 500];
        // All three sites of the kernel fault in row 99, only the last two in row 200, only the second in row 300.
        given[99] = Given { a: 9, b: 0, ..GOOD };
        given[200] = Given { a: 3, b: 0, ..GOOD };
        given[300] = Given { a: 1, b: 0, ..GOOD };
        let fault = fault_of_launch::<faulty::second_is_silent>(context, &given)?;
        check(&fault, "second_is_silent", 99, FaultKind::IndexOutOfRange, "first of two")
    });
    cases.add("the lowest row wins whichever site it faults at", |context| {
        for first in [10_usize, 11, 256, 257] {
            let given: Vec<Given> =
                (0..1000).map(|row| if row < first { GOOD } else { Given { a: 9, b: 0, ..GOOD } }).collect();
            let fault = fault_of_launch::<faulty::by_turns>(context, &given)?;
            let (kind, marker) = match first % 2 {
                0 => (FaultKind::DivisionByZero, "even rows"),
                _ => (FaultKind::IndexOutOfRange, "odd rows"),
            };
            check(&fault, "by_turns", first as u32, kind, marker)?;
        }
        Ok(())
    });
    cases.add("of two launches the first is reported, whatever their rows", first_launch);
    cases.add("rows outside the launch do not fault", |context| {
        let mut given = vec![GOOD; 1000];
        given[600].b = 0;
        let table = Table::from_rows(context.device, &given)?;
        let mut seen = Table::<Seen>::zeroed(context.device, 1000)?;
        context.queue().launch_rows::<faulty::division>(600, (&table, &mut seen))?;
        context.queue().wait()?;
        equal("the last row of the launch", &seen.read()?[599].after, &1)?;
        let launched = context.queue().launch_rows::<faulty::division>(601, (&table, &mut seen));
        let fault = fault_of("a launch that includes the row", launched.and_then(|_| context.queue().wait()))?;
        check(&fault, "division", 600, FaultKind::DivisionByZero, "division")
    });
    cases.add("no row, no fault", |context| {
        launched::<faulty::division>(context, &[])?;
        launched::<faulty::array_read>(context, &[])?;
        launched::<faulty::division>(context, &[GOOD; 300]).map_err(Stop::from)
    });
    cases.add("a kernel that returns faults too", |context| {
        let mut given = vec![GOOD; 700];
        given[513].b = 0;
        let table = Table::from_rows(context.device, &given)?;
        let launched = context.queue().launch::<faulty::reduced>((&table,));
        let fault = fault_of("kernel `reduced`", launched.and_then(|sum| sum.read()))?;
        check(&fault, "reduced", 513, FaultKind::DivisionByZero, "reduced")
    });
    cases.add("a fault says in words what happened and where", |context| {
        let fault = fault_of_launch::<faulty::division>(context, &[Given { b: 0, ..GOOD }])?;
        let text = fault.to_string();
        for part in ["division", "row 0", "by zero", "faults.rs", &fault.line.to_string()] {
            crate::case::ensure(text.contains(part), || format!("`{part}` is missing in the error's text: {text}"))?;
        }
        Ok(())
    });
}

fn first_launch(context: &Context<'_>) -> Verdict {
    let mut late = vec![GOOD; 400];
    late[399].a = 4;
    let mut early = vec![GOOD; 400];
    early[0].b = 0;
    let (late, early) = (Table::from_rows(context.device, &late)?, Table::from_rows(context.device, &early)?);
    let mut seen =
        [Table::from_rows(context.device, &vec![BLANK; 400])?, Table::from_rows(context.device, &vec![BLANK; 400])?];
    let [one, other] = &mut seen;
    let queue = context.queue();
    let both = queue
        .launch::<faulty::assertion>((&late, one))
        .and_then(|_| queue.launch::<faulty::division>((&early, other)))
        .and_then(|_| queue.wait());
    check(&fault_of("two launches", both)?, "assertion", 399, FaultKind::Assertion, "assertion")?;
    queue.wait()?;
    Ok(())
}
