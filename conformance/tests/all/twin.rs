//! Two devices side by side: equal ones run to the end, and the first difference is found at its place.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::broken_backend::{Defect, open};
use imminent_conformance::{Place, Twin};
use imminent_core::{Device, MailTable, Program, Result, Selection, Stop, Table, TallyTable};
use imminent_cpu::{CpuBackend, Options};

#[imminent_core::kernels]
mod steps {
    #[derive(Row)]
    pub struct Cell {
        pub time: u64,
        pub counts: [u32; 3],
    }

    /// A packed row, whose weight begins at an odd word.
    #[derive(Row)]
    #[row(packed)]
    pub struct Parcel {
        pub number: u32,
        pub weight: u64,
    }

    /// Weighs a parcel.
    #[kernel]
    pub fn weigh(me: &mut Parcel, id: u32) {
        me.weight += u64::from(id) << 33;
    }

    /// Counts in the second element; returns the least time.
    #[kernel(reduce = min)]
    pub fn count(me: &mut Cell, id: u32) -> u64 {
        me.counts[1] += id;
        me.time += 7;
        me.time
    }
}

use steps::{Cell, Parcel, ParcelColumns as _};

fn cpu() -> Device {
    Device::open(CpuBackend::open(&Options { threads: Some(1), ..Options::default() }).unwrap()).unwrap()
}

fn cells(device: &Device, rows: usize) -> Table<Cell> {
    Table::from_rows(device, &vec![Cell { time: 3, counts: [0; 3] }; rows]).unwrap()
}

/// Runs a loop of launches, a selection and a copy, and reads the results.
fn run(device: &Device, rows: usize) -> Result<(Vec<u32>, u64)> {
    let mut table = cells(device, rows);
    let mut copy = cells(device, rows);
    let outcome = Program::record(device, |program| {
        program.loop_until(20, |step| {
            let least = step.launch::<steps::count>((&mut table,))?;
            step.copy(&table, &mut copy)?;
            Ok(vec![least.at_least(80)])
        })
    })?
    .run()?;
    assert_eq!((outcome.steps, outcome.stop), (11, Stop::Condition(0)));
    let mut selection = Selection::with_capacity(device, rows)?;
    device.queue().select_into(copy.column::<u32>(3).below(100)?, &mut selection)?;
    Ok((selection.read()?, copy.read()?.iter().map(|cell| cell.time).max().unwrap_or(0)))
}

#[test]
fn two_devices_that_agree_run_to_the_end() {
    let twin = Twin::new(&cpu(), &cpu());
    let found = run(&twin.open().unwrap(), 300).unwrap();
    assert_eq!(found, run(&cpu(), 300).unwrap());
    assert_eq!(found.1, 80);
    // 11 launches and copies, a selection, and the cleared tables.
    assert!(twin.divergence().is_none() && twin.compared() >= 23, "{twin:?}");
}

#[test]
fn packed_rows_of_a_host_and_of_a_device_that_stores_words_agree() {
    let twin = Twin::new(&cpu(), &crate::skeleton());
    let device = twin.open().unwrap();
    let mut parcels = Table::from_rows(&device, &[const { Parcel { number: 3, weight: 5 } }; 300]).unwrap();
    let weights = Table::<u64>::zeroed(&device, 300).unwrap();
    let queue = device.queue();
    queue.launch::<steps::weigh>((&mut parcels,)).unwrap();
    queue.copy_column(parcels.weight(), weights.column(0)).unwrap();
    queue.fill(parcels.number(), 7).unwrap();
    let expected: Vec<u64> = (0..300).map(|id| (id << 33) + 5).collect();
    assert_eq!(weights.read().unwrap(), expected);
    assert_eq!(parcels.weight().read().unwrap(), expected);
    assert!(parcels.read().unwrap().iter().all(|parcel| parcel.number == 7));
    assert!(twin.divergence().is_none() && twin.compared() >= 3, "{twin:?}");
}

#[test]
fn the_first_launch_row_and_column_that_differ_are_named() {
    let twin = Twin::new(&cpu(), &open(Defect::DropsTheLastRow));
    let error = run(&twin.open().unwrap(), 300).unwrap_err().to_string();
    let found = twin.divergence().expect("a difference");
    assert_eq!(found.what, "kernel `count`");
    let (name, table, column) = ("me".to_owned(), "Cell".to_owned(), "time".to_owned());
    let place = Place::Row { argument: 0, name, table, row: 299, column };
    assert_eq!((found.place.clone(), found.left.as_str(), found.right.as_str()), (place, "10", "3"), "{found}");
    assert!(error.contains("argument 0, `me`") && error.contains("row 299"), "{error}");
    assert!(error.contains("10 on cpu (") && error.contains("kernel `count`"), "{error}");
}

#[imminent_core::kernels]
mod letters {
    use imminent_core::mail::{Inbox, Outbox};

    #[derive(Row)]
    pub struct Person {
        pub heard: u64,
    }

    /// A person who notes what was written, and whether nobody wrote to the receiver before.
    #[derive(Row)]
    pub struct Writer {
        pub written: u32,
        pub before: u32,
        pub is_first: bool,
    }

    /// Writes to the first two persons, whose last writers are in `last`.
    #[kernel]
    #[unordered]
    pub fn note(me: &mut Writer, last: &Tally<u32>, id: u32) {
        me.written = id + 1;
        me.before = last.exchange(id % 2, id + 1);
        if me.before == 0 {
            me.is_first = true;
        }
    }

    /// Everybody writes to the first two persons.
    #[kernel]
    pub fn write(_me: &Person, outbox: &Outbox, id: u32) {
        outbox.send(id, 0, id % 2);
    }

    /// Notes the senders in the order of the list, which must not be observed.
    #[kernel]
    pub fn read(me: &mut Person, inbox: &Inbox, id: u32) {
        let mut message = inbox.first(id);
        while message != 0 {
            me.heard = me.heard * 3 + u64::from(inbox.sender(message));
            message = inbox.next(message);
        }
    }
}

/// Sends messages, and reads them before or after the delivery.
fn correspond(device: &Device, is_delivered: bool) -> Result<Vec<u64>> {
    let mut persons = Table::from_rows(device, &[const { letters::Person { heard: 0 } }; 9])?;
    let mut mail = MailTable::new(device, 9, 1)?;
    device.queue().launch::<letters::write>((&persons, mail.outbox()))?;
    if is_delivered {
        mail.deliver()?;
    }
    let inbox = if is_delivered { mail.inbox() } else { mail.undelivered() };
    device.queue().launch::<letters::read>((&mut persons, inbox))?;
    Ok(persons.read()?.iter().map(|person| person.heard).collect())
}

/// Rows may exchange words in any order, on the same device and on another one.
#[test]
fn an_order_of_rows_that_is_free_is_no_difference() {
    let backwards = open(Defect::RunsBackwards);
    assert_ne!(correspond(&backwards, false).unwrap(), correspond(&cpu(), false).unwrap());
    for is_delivered in [false, true] {
        let twin = Twin::new(&cpu(), &backwards);
        let found = correspond(&twin.open().unwrap(), is_delivered).unwrap();
        assert!(twin.divergence().is_none() && twin.compared() >= 2, "{twin:?}");
        assert_eq!(found, correspond(&cpu(), is_delivered).unwrap());
    }
    // Senders 0, 2, 4, 6, 8 and 1, 3, 5, 7 as digits.
    let heard = |senders: &[u64]| senders.iter().fold(0, |heard, sender| heard * 3 + sender);
    assert_eq!(correspond(&cpu(), true).unwrap()[..3], [heard(&[0, 2, 4, 6, 8]), heard(&[1, 3, 5, 7]), 0]);
}

/// The order of an exchange is free for the words that are stored by its outcome, and for no others of the same launch.
#[test]
fn an_order_is_free_for_exchanged_words_alone() {
    let noted = |defect: Defect| {
        let twin = Twin::new(&cpu(), &open(defect));
        let device = twin.open().unwrap();
        let (mut writers, last) =
            (Table::zeroed(&device, 9).unwrap(), TallyTable::<u32>::new(&device, &[0; 2]).unwrap());
        device.queue().launch::<letters::note>((&mut writers, &last))?;
        let rows: Vec<letters::Writer> = writers.read()?;
        // Writers 1, 3, 5, 7, 9 and 2, 4, 6, 8, each after the one before.
        assert!(rows.iter().zip(1..).all(|(row, id)| row.written == id && row.before == id.max(2) - 2));
        assert!(rows.iter().zip(1..).all(|(row, id)| row.is_first == (id < 3)) && last.read()? == [9, 8]);
        assert!(twin.divergence().is_none(), "{twin:?}");
        Ok(())
    };
    let found = |outcome: Result<()>| outcome.map_err(|error| error.to_string());
    assert_eq!(found(noted(Defect::RunsBackwards)), Ok(()));
    let swapped = found(noted(Defect::SwapsRows)).unwrap_err();
    assert!(swapped.contains("row 0, column `written`: 1 on cpu") && swapped.contains(", 2 on cpu"), "{swapped}");
}

/// A message that is lost is a difference, whatever the order.
#[test]
fn a_message_that_is_lost_is_named() {
    let twin = Twin::new(&cpu(), &open(Defect::DropsTheLastRow));
    let device = twin.open().unwrap();
    let (persons, mail) =
        (Table::<letters::Person>::zeroed(&device, 300).unwrap(), MailTable::new(&device, 300, 1).unwrap());
    device.queue().launch::<letters::write>((&persons, mail.outbox())).and_then(|_| device.queue().wait()).unwrap_err();
    let found = twin.divergence().expect("a difference");
    assert_eq!((found.left.as_str(), found.right.as_str()), ("300", "298"), "{found}");
    assert!(found.to_string().contains("`outbox.heads` (a tally), slot 1"), "{found}");
}

#[test]
fn a_copy_that_did_not_take_place_is_named() {
    let twin = Twin::new(&cpu(), &open(Defect::DropsCopies));
    run(&twin.open().unwrap(), 10).unwrap_err();
    let found = twin.divergence().expect("a difference");
    assert_eq!((found.what.as_str(), found.left.as_str(), found.right.as_str()), ("a copy", "10", "3"), "{found}");
}

#[test]
fn a_launch_that_fails_on_one_device_is_named() {
    #[imminent_core::kernels]
    mod faulty {
        #[derive(Row)]
        pub struct Cell {
            pub value: u32,
        }

        #[kernel]
        pub fn divide(me: &mut Cell, id: u32) {
            me.value = 10 / id;
        }
    }
    let twin = Twin::new(&cpu(), &open(Defect::WrongFaultRow));
    let device = twin.open().unwrap();
    let mut table = Table::from_rows(&device, &[const { faulty::Cell { value: 1 } }; 4]).unwrap();
    let failed = device.queue().launch::<faulty::divide>((&mut table,)).and_then(|_| device.queue().wait());
    assert!(failed.is_err());
    let found = twin.divergence().expect("a difference");
    assert_eq!(found.place, Place::Error);
    assert!(found.left.contains("row 0") && found.right.contains("row 1"), "{found}");
}
