//! Packed rows, whose words stay together: what other rows do, they do too.

use crate::case::{Cases, Verdict, equal, equal_slices, refused};
use crate::context::Context;
use crate::kernels::packed::rows::{self, Pair, Parcel, ParcelColumns as _, Single, Total};
use imminent_core::{Error, Lanes, Row, RowsBuf, Selection, Table, TallyTable};
use rand_core::Rng;

fn pair(rng: &mut impl Rng) -> Pair {
    Pair { low: rng.next_u32(), high: rng.next_u64() }
}

fn lanes<T: imminent_core::Data>(capacity: u32, make: impl FnMut(u32) -> T) -> Lanes<T> {
    (0..capacity).map(make).collect::<Vec<_>>().into()
}

/// Returns rows of random bits; row `i` has the capacity that `room` gives.
fn parcels(context: &Context<'_>, count: usize, room: impl Fn(u32) -> u32) -> Vec<Parcel> {
    let mut rng = context.random(211 + count as u64);
    let parcel = |row| Parcel {
        number: rng.next_u32() % 1000,
        weight: rng.next_u64() as i64,
        pairs: [pair(&mut rng), pair(&mut rng)],
        times: lanes(room(row), |_| rng.next_u64()),
        marks: lanes(room(row), |_| pair(&mut rng)),
        heavy: rng.next_u32() % 2 == 1,
        stops: lanes(room(row), |_| [rng.next_u32(), rng.next_u32()]),
        last: rng.next_u32(),
    };
    (0..count as u32).map(parcel).collect()
}

/// Returns a number of lanes that neither rises nor falls with the row.
fn uneven(row: u32) -> u32 {
    row.wrapping_mul(2_654_435_761) % 6
}

/// Creates a table, which has lanes even without rows.
fn table(context: &Context<'_>, rows: &[Parcel], capacity: u32) -> Result<Table<Parcel>, Error> {
    let mut table = Table::with_capacity(context.device, rows.len(), capacity)?;
    table.write(rows)?;
    Ok(table)
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("packed rows are read as they were written", |context| {
        for (count, capacity) in [(0, 3), (1, 0), (1, 5), (63, 2), (64, 1), (257, 3), (1000, 4), (10_000, 2)] {
            let written = parcels(context, count, |_| capacity);
            equal_slices(
                &format!("{count} rows of {capacity} lanes"),
                &table(context, &written, capacity)?.read()?,
                &written,
            )?;
            let written = parcels(context, count, uneven);
            let ragged = Table::from_ragged_rows(context.device, &written)?;
            equal_slices(&format!("{count} rows with room of their own"), &ragged.read()?, &written)?;
        }
        let singles: Vec<Single> = (0..300).map(|value| Single { value }).collect();
        equal_slices("rows of one word", &Table::from_rows(context.device, &singles)?.read()?, &singles)
    });
    cases.add("packed rows grow, are cleared, copied and taken over, and what is there stays", moving);
    cases.add("columns of packed rows are read and written by themselves", columns);
    cases.add("kernels change packed rows", kernels);
    cases.add("groups change packed rows, and a packed row of their own", groups);
}

/// Adds the case of the group `primitives`.
pub(in crate::groups) fn add_primitives(cases: &mut Cases) {
    cases.add("primitives take columns of packed rows", primitives);
}

fn moving(context: &Context<'_>) -> Verdict {
    let mut expected = parcels(context, 300, |_| 1);
    let mut grown = table(context, &expected, 1)?;
    for capacity in [2, 5] {
        grown.grow(capacity)?;
        expected.iter_mut().for_each(|row| row.set_capacity(capacity));
        equal_slices(&format!("rows grown to {capacity} lanes"), &grown.read()?, &expected)?;
    }
    let mut copy = Table::with_capacity(context.device, 300, 5)?;
    copy.copy_from(&grown)?;
    grown.clear()?;
    equal_slices("a copy", &copy.read()?, &expected)?;
    equal_slices("cleared rows", &grown.read()?, &vec![Parcel::zeroed(5); 300])?;
    let mut expected = parcels(context, 300, uneven);
    let mut ragged = Table::from_ragged_rows(context.device, &expected)?;
    let wanted: Vec<u32> = (0..300).map(|row| uneven(row + 1)).collect();
    ragged.grow_rows(&wanted)?;
    for (row, wanted) in expected.iter_mut().zip(&wanted) {
        row.set_capacity(row.capacity().max(*wanted));
    }
    equal_slices("rows with room of their own, grown", &ragged.read()?, &expected)
}

fn columns(context: &Context<'_>) -> Verdict {
    let mut expected = parcels(context, 500, |_| 3);
    let mut parcels = table(context, &expected, 3)?;
    let new: Vec<i64> = (0..20).map(|i| i64::MIN + i).collect();
    parcels.weight().write_rows(480, &new)?;
    expected[480..].iter_mut().zip(&new).for_each(|(row, weight)| row.weight = *weight);
    equal_slices("the rows", &parcels.read()?, &expected)?;
    let weights: Vec<i64> = expected.iter().map(|row| row.weight).collect();
    equal_slices("column `weight`", &parcels.weight().read()?, &weights)?;
    equal_slices("a part of it", &parcels.weight().read_rows(479..483)?, &weights[479..483])?;
    let highs: Vec<u64> = expected.iter().map(|row| row.marks.get(2).high).collect();
    let word = 2 + 1;
    equal_slices("a column of lane 2", &parcels.lane_column::<u64>(2, word).read()?, &highs)?;
    if !context.capabilities().native_rows {
        let staging = context.device.staging::<i64>(500)?;
        let upload = parcels.weight().upload(&context.queue(), 0..500, staging);
        refused("a transfer of a column", upload, "`Error::Invalid`", |error| matches!(error, Error::Invalid { .. }))?;
    }
    parcels.write(&expected)?;
    Ok(())
}

fn primitives(context: &Context<'_>) -> Verdict {
    let (queue, mut expected) = (context.queue(), parcels(context, 700, |_| 2));
    let mut parcels = table(context, &expected, 2)?;
    let numbers: Vec<u32> = expected.iter().map(|row| row.number).collect();
    let weights: Vec<i64> = expected.iter().map(|row| row.weight).collect();
    let sum = weights.iter().fold(0_i64, |sum, weight| sum.wrapping_add(*weight));
    equal("a sum", &queue.sum(parcels.weight())?.read()?, &sum)?;
    equal("the least", &Some(queue.min(parcels.number())?.read()?), &numbers.iter().copied().min())?;
    let heavy = expected.iter().filter(|row| row.heavy).count() as u32;
    equal("heavy rows", &queue.count(parcels.heavy())?.read()?, &heavy)?;
    let above: Vec<u32> = (0..700).filter(|row| numbers[*row as usize] > 500).collect();
    equal_slices("rows above 500", &queue.select(parcels.number().above(500)?)?.read()?, &above)?;
    let mut order: Vec<u32> = (0..700).collect();
    order.sort_by_key(|row| weights[*row as usize]);
    equal_slices("rows by weight", &queue.sort(parcels.weight())?.read()?, &order)?;
    let mut slots = TallyTable::new(context.device, &[0_u32; 10])?;
    queue.histogram(parcels.number(), 0, 100, &mut slots)?;
    let slot = |slot: u32| numbers.iter().filter(|number| **number / 100 == slot).count() as u32;
    equal_slices("a histogram", &slots.read()?, &(0..10).map(slot).collect::<Vec<_>>())?;
    queue.fill(parcels.last(), 77)?;
    queue.copy_column(&Table::from_rows(context.device, &numbers)?, parcels.lane_column::<u32>(1, 2))?;
    for row in &mut expected {
        row.last = 77;
        let mark = Pair { low: row.number, ..row.marks.get(1) };
        row.marks.set(1, mark);
    }
    equal_slices("rows with two new columns", &parcels.read()?, &expected)?;
    let mut gathered = Table::with_capacity(context.device, 700, 2)?;
    queue.gather(&Table::from_rows(context.device, &order)?, &parcels, &mut gathered)?;
    let sorted: Vec<Parcel> = order.iter().map(|row| expected[*row as usize].clone()).collect();
    equal_slices("gathered rows", &gathered.read()?, &sorted)?;
    queue.scatter(&Table::from_rows(context.device, &order)?, &gathered, &mut parcels)?;
    equal_slices("rows scattered back", &parcels.read()?, &expected)
}

fn kernels(context: &Context<'_>) -> Verdict {
    for (count, capacity) in [(1, 1), (65, 0), (300, 3), (1000, 2)] {
        let given = parcels(context, count, |_| capacity);
        let (mut even, before) = (table(context, &given, capacity)?, table(context, &given, capacity)?);
        let found = context.queue().launch::<rows::turn_all>((&mut even, &before))?.read()?;
        let before = RowsBuf::from(given.clone());
        let mut expected = given.clone();
        let turned = (0..).zip(&mut expected).map(|(id, row)| rows::turn_all(row, &before, id));
        let sum = turned.fold(0_i64, i64::wrapping_add);
        equal_slices(&format!("{count} rows of {capacity} lanes"), &even.read()?, &expected)?;
        equal("the weight of all", &found, &sum)?;
    }
    // A list of rows of one word, beside rows with room of their own.
    let given = parcels(context, 300, uneven);
    let mut singles = Table::<Single>::zeroed(context.device, 300)?;
    let parcels = Table::from_ragged_rows(context.device, &given)?;
    let list = Selection::from_rows(context.device, 300, &[7, 3, 299])?;
    context.queue().launch_over::<rows::add>(&list, (&mut singles, &parcels))?;
    let value = |row: u32| if [7, 3, 299].contains(&row) { given[row as usize].last } else { 0 };
    let expected: Vec<Single> = (0..300).map(|row| Single { value: value(row) }).collect();
    equal_slices("rows of one word", &singles.read()?, &expected)
}

fn groups(context: &Context<'_>) -> Verdict {
    let mut expected = parcels(context, 100, |_| 1);
    let mut totals: Vec<Total> = (0..4).map(|group| Total { rows: 0, weight: i64::MAX - group }).collect();
    let (mut rows, mut of_groups) = (table(context, &expected, 1)?, Table::from_rows(context.device, &totals)?);
    context.queue().launch::<rows::share>((&mut rows, &mut of_groups))?;
    for (rows, total) in expected.chunks_mut(32).zip(&mut totals) {
        total.weight = rows.iter().fold(total.weight, |sum, row| sum.wrapping_add(row.weight));
        total.rows = rows.len() as u32;
        rows.iter_mut().for_each(|row| row.weight = row.weight.wrapping_add(total.weight));
    }
    equal_slices("rows of the invocations", &rows.read()?, &expected)?;
    equal_slices("rows of the groups", &of_groups.read()?, &totals)
}
