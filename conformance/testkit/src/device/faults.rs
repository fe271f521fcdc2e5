//! Choice of the reported fault, and its poisoning.

use super::machines::machines::{self, Rule};
use super::{RULE, machines_of};
use imminent_core::fault::{FaultKind, Operands};
use imminent_core::{Device, Error, Fault, Faults, Program, Table, TallyTable};

pub(super) fn fault_of(device: &Device) -> Fault {
    let error = device.queue().wait().unwrap_err();
    error.fault().unwrap_or_else(|| panic!("{error}")).clone()
}

pub fn a_slot_past_the_end_of_a_tally_is_a_fault(device: &Device) {
    let table = Table::from_rows(device, &machines_of(100)).unwrap();
    let counts = TallyTable::new(device, &[0u32; 5]).unwrap();
    let sums = TallyTable::new(device, &[0u64]).unwrap();
    device.queue().launch::<machines::census>((&table, &counts, &sums, &RULE)).unwrap();
    let error = device.queue().wait().unwrap_err();
    let row = machines_of(100).iter().position(|m| m.clock % 13 >= 5).unwrap();
    assert_eq!(error.fault().unwrap().row as usize, row, "{error}");
    assert!(matches!(counts.read(), Err(Error::Poisoned { .. })));
}

pub fn the_lowest_row_of_the_earliest_launch_is_reported_and_data_is_poisoned(device: &Device) {
    let values = machines_of(200);
    let mut first = Table::from_rows(device, &values).unwrap();
    let mut second = Table::from_rows(device, &values).unwrap();
    let untouched = Table::from_rows(device, &values).unwrap();
    let rule = |limit, shift| Rule { limit, shift, ..RULE };
    // Rows from 77 on fail; then, in another launch, rows from 5 on.
    device.queue().launch::<machines::fails_late>((&mut first, &rule(77, 0))).unwrap();
    device.queue().launch::<machines::fails_late>((&mut second, &rule(5, 0))).unwrap();
    let fault = fault_of(device);
    assert_eq!((fault.kernel.as_str(), fault.row), ("fails_late", 77));
    assert_eq!(fault.kind, FaultKind::Assertion);
    let source = include_str!("machines.rs");
    let line = source.lines().position(|line| line.contains("assert!(row < rule.limit,")).unwrap() + 1;
    assert_eq!(fault.line as usize, line);
    assert!(fault.file.ends_with("machines.rs"), "{}", fault.file);
    for poisoned in [first.read(), second.read()] {
        assert!(matches!(poisoned, Err(Error::Poisoned { .. })));
    }
    assert_eq!(untouched.read().unwrap(), values);
    // The queue continues, and reports its next fault separately.
    device.queue().wait().unwrap();
    second.write(&values).unwrap();
    device.queue().launch::<machines::fails_late>((&mut second, &rule(200, 0))).unwrap();
    device.queue().wait().unwrap();
    device.queue().launch::<machines::faulty>((&mut second, &rule(50, 20))).unwrap();
    let fault = fault_of(device);
    // Row 20 indexes past the end before row 49 divides by zero.
    assert_eq!((fault.row, fault.kind), (20, FaultKind::IndexOutOfRange));
}

pub fn a_fault_quotes_the_expression_and_its_values_on_request(device: &Device) {
    let mut table = Table::from_rows(device, &machines_of(60)).unwrap();
    let rule = |limit, shift| Rule { limit, shift, ..RULE };
    let told = device.capabilities().faults == Faults::Operands;
    device.queue().launch::<machines::faulty>((&mut table, &rule(50, 20))).unwrap();
    let fault = fault_of(device);
    let length = machines_of(1)[0].past.len() as u64;
    assert_eq!(fault.text, "`me.past[(row + 3) as usize]`");
    assert_eq!(fault.operands, told.then_some(Operands::Index { index: 23, length }));
    let place = format!(", at {}:{}:{}: `me.past[(row + 3) as usize]`", fault.file, fault.line, fault.column);
    assert!(fault.to_string().contains(&place), "{fault}");
    assert_eq!(fault.to_string().contains(&format!("index 23, length {length}")), told, "{fault}");
    assert_eq!(fault.to_string().ends_with("option `faults=operands` or the cpu backend)"), !told, "{fault}");
    table.write(&machines_of(60)).unwrap();
    device.queue().launch::<machines::faulty>((&mut table, &rule(50, 60))).unwrap();
    let fault = fault_of(device);
    assert_eq!((fault.row, fault.text.as_str()), (49, "`100 / (row + 1 - rule.limit)`"));
    assert_eq!(fault.operands, told.then_some(Operands::Dividend(100)));
    table.write(&machines_of(60)).unwrap();
    device.queue().launch::<machines::fails_late>((&mut table, &rule(7, 0))).unwrap();
    let fault = fault_of(device);
    assert_eq!((fault.text.as_str(), fault.operands), ("the row is below the limit: `row < rule.limit`", None));
}

pub fn a_fault_in_a_program_has_its_values_on_request(device: &Device) {
    let mut table = Table::from_rows(device, &machines_of(600)).unwrap();
    let rule = Rule { limit: 300, shift: 300, ..RULE };
    let index_past = Rule { limit: 500, shift: 410, ..RULE };
    // Row 299 divides by zero in the first launch; otherwise row 410 would index past the end in the second.
    let mut program = Program::record(device, |program| {
        program.repeat(3, |inner| {
            inner.launch::<machines::faulty>((&mut table, &rule))?;
            inner.launch::<machines::faulty>((&mut table, &index_past))?;
            Ok(())
        })
    })
    .unwrap();
    let told = device.capabilities().faults == Faults::Operands;
    // Data that the device keeps of a fault is cleared before the next.
    for _ in 0..2 {
        let error = program.run().unwrap_err();
        let fault = error.fault().unwrap();
        assert_eq!((fault.row, fault.kind), (299, FaultKind::DivisionByZero), "{error}");
        assert_eq!(fault.operands, told.then_some(Operands::Dividend(100)));
        table.write(&machines_of(600)).unwrap();
    }
    // Many rows of a launch have faults at several sites: the operands are the lowest row's.
    device.queue().launch::<machines::faulty>((&mut table, &Rule { limit: 20, shift: 11, ..RULE })).unwrap();
    let fault = fault_of(device);
    assert_eq!((fault.row, fault.kind), (11, FaultKind::IndexOutOfRange));
    let length = machines_of(1)[0].past.len() as u64;
    assert_eq!(fault.operands, told.then_some(Operands::Index { index: 14, length }));
}
