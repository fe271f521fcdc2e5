//! Faults in phases and between them.

use crate::case::{Cases, Stop, Verdict, ensure, equal, equal_slices, error_of, fail};
use crate::context::Context;
use crate::kernels::groups::faults::faulty::{self, Input};
use crate::kernels::groups::faults::{FILE, SOURCE};
use imminent_core::fault::FaultKind;
use imminent_core::{Device, Error, Fault, Kernel, Table};

fn launched<K>(device: &Device, values: &[u32]) -> Result<Vec<u32>, Error>
where
    K: for<'a> Kernel<Args<'a> = (&'a mut Table<Input>,), Output = ()>,
{
    let rows: Vec<Input> = values.iter().map(|a| Input { a: *a, after: 0 }).collect();
    let mut table = Table::from_rows(device, &rows)?;
    device.queue().launch::<K>((&mut table,))?;
    Ok(table.read()?.iter().map(|row| row.after).collect())
}

/// Returns the fault of a launch, which must equal that of the reference.
fn fault_of<K>(context: &Context<'_>, values: &[u32]) -> Result<Fault, Stop>
where
    K: for<'a> Kernel<Args<'a> = (&'a mut Table<Input>,), Output = ()>,
{
    let on = |device| match error_of(K::SOURCE.name, launched::<K>(device, values))? {
        Error::Fault(fault) => Ok(fault),
        other => fail(format!("kernel `{}`: expected `Error::Fault`, found: {other}", K::SOURCE.name)),
    };
    let fault = on(context.device)?;
    equal("the fault on the device, beside that on the CPU", &fault, &context.reported(on(context.reference)?))?;
    Ok(fault)
}

fn check(fault: &Fault, row: u32, kind: FaultKind, marker: &str) -> Verdict {
    let wanted = format!("// marker: {marker}");
    let Some((line, _)) = (1..).zip(SOURCE.lines()).find(|(_, line)| line.ends_with(&wanted)) else {
        return fail(format!("the suite itself is wrong: no line of its source has the marker `{marker}`"));
    };
    let found = (fault.row, fault.kind, fault.file.as_str(), fault.line);
    ensure(found == (row, kind, FILE, line), || {
        format!("expected a fault in row {row}: {kind}, at {FILE}:{line}; found: {fault}")
    })
}

/// Creates rows of one value, with others in some places.
fn rows(count: usize, value: u32, others: &[(usize, u32)]) -> Vec<u32> {
    let mut values = vec![value; count];
    for (row, other) in others {
        values[*row] = *other;
    }
    values
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("an element past the group's size is a fault of its row", |context| {
        for (count, row) in [(64_usize, 0_usize), (100, 99), (1000, 700)] {
            let fault = fault_of::<faulty::element>(context, &rows(count, 63, &[(row, 64), (count - 1, 64)]))?;
            check(&fault, row as u32, FaultKind::ScratchOutOfRange, "element")?;
        }
        // The elements of missing rows are zero, and do not fault.
        let mut expected = vec![8; 70];
        expected[..64].fill(8);
        expected[64..].fill(1);
        let found = launched::<faulty::element>(context.device, &rows(70, 63, &[]))?;
        equal_slices("what the rows found", &found, &expected)
    });
    cases.add(
        "an element past the group's size, asked for between phases, is a fault of the group's first row",
        |context| {
            for (count, row, first) in [(64_usize, 63_usize, 0_u32), (1000, 70, 64), (1000, 999, 960)] {
                let fault = fault_of::<faulty::element_between>(context, &rows(count, 0, &[(row, 64)]))?;
                check(&fault, first, FaultKind::ScratchOutOfRange, "element between")?;
            }
            equal_slices("no fault", &launched::<faulty::element_between>(context.device, &[1; 100])?, &[4; 100])
        },
    );
    cases.add("of all phases the lowest row reports its fault, and of one row the first phase", |context| {
        let two = |others| fault_of::<faulty::two_phases>(context, &rows(500, 0, others));
        check(&two(&[(130, 1), (129, 2)])?, 129, FaultKind::DivisionByZero, "second phase")?;
        check(&two(&[(129, 1), (130, 2)])?, 129, FaultKind::ScratchOutOfRange, "first phase")?;
        check(&two(&[(300, 1), (200, 3), (201, 2)])?, 200, FaultKind::ScratchOutOfRange, "first phase")?;
        check(&two(&[(499, 2)])?, 499, FaultKind::DivisionByZero, "second phase")
    });
    cases.add("a failed assertion between phases is a fault of the group's first row", |context| {
        let fault = fault_of::<faulty::between>(context, &rows(300, 1, &[(200, 64), (299, 99)]))?;
        check(&fault, 192, FaultKind::Assertion, "between")?;
        equal_slices("no fault", &launched::<faulty::between>(context.device, &[63; 100])?, &[1; 100])
    });
}
