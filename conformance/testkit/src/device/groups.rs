//! Kernels that run in groups, and launches over subsets.

use grouped::{Cell, Rules, Total};
use imminent_core::fault::FaultKind;
use imminent_core::{Determinism, Device, Error, Program, Selection, Table, TallyTable};

#[imminent_core::kernels]
pub mod grouped {
    #[derive(Row)]
    pub struct Cell {
        pub value: u32,
        pub rounds: u32,
    }

    #[derive(Row)]
    pub struct Total {
        pub sum: u64,
        pub rows: u32,
        pub largest: u32,
    }

    #[derive(Params)]
    pub struct Rules {
        pub limit: u32,
    }

    pub struct Bound {
        pub value: u32,
        pub at: [u32; 2],
    }

    fn larger(lane: &Lane<Bound>, other: u32) -> u32 {
        lane.own().value.max(lane.get(other).value)
    }

    /// Finds the greatest value of each group by spreading it from neighbour to neighbour.
    #[kernel(group = 64, reduce = sum)]
    pub fn spread(
        group: &mut Group<Bound>,
        cells: &mut Each<Cell>,
        total: &mut Total,
        rules: &Rules,
        counts: &Tally<u64>,
    ) -> u32 {
        group.phase(cells, |lane, cell| lane.set(Bound { value: cell.value, at: [lane.row(), 0] }));
        let len = group.len();
        let mut rounds = 0;
        let mut again = true;
        while again && rounds < rules.limit {
            again = group.any(cells, |lane, cell| {
                let me = lane.index();
                let before = lane.own();
                let mut best = before.value;
                if me > 0 {
                    best = best.max(lane.get(me - 1).value);
                }
                if me + 1 < len {
                    best = best.max(larger(lane, me + 1));
                }
                if best == before.value {
                    return false;
                }
                lane.set(Bound { value: best, ..before });
                cell.rounds = rounds + 1;
                true
            });
            rounds += 1;
        }
        group.phase(cells, |lane, cell| {
            cell.value = lane.own().value;
            counts.add(0, 1);
        });
        counts.add(1, 1);
        total.rows += group.count((), |lane, ()| lane.get(0).value == lane.own().value);
        total.largest = group.get(0).value;
        total.sum += u64::from(group.get(len - 1).at[0]);
        rounds
    }

    /// Sets each cell of a grid to the sum of its tile.
    #[kernel(tile = (3, 2), reduce = max)]
    pub fn tiles(group: &mut Group<u32>, cells: &mut Each<Cell>, into: &Rows<Cell>) -> u32 {
        group.phase(cells, |lane, cell| lane.set(cell.value));
        let mut sum = 0;
        for i in 0..group.size() {
            sum += group.get(i);
        }
        group.phase((cells,), |lane, (cell,)| {
            cell.value = sum;
            cell.rounds = lane.x() * 100 + lane.y() + into.len();
        });
        sum
    }

    /// Reads an element past the group in one row, and divides by zero in another.
    #[kernel(group = 4)]
    pub fn faulty(group: &mut Group<u32>, cells: &mut Each<Cell>) {
        group.phase(cells, |lane, cell| {
            if cell.value == 7 {
                lane.set(lane.get(4));
            }
        });
        group.phase(cells, |lane, cell| {
            if cell.value == 8 {
                cell.rounds = 1 / lane.own();
            }
        });
    }

    /// Faults between phases.
    #[kernel(group = 4)]
    pub fn uniform_fault(group: &mut Group<u32>, cells: &Each<Cell>) {
        let eight = group.any(cells, |_, cell| cell.value == 8);
        assert!(!eight);
    }

    #[kernel(group = 4, reduce = sum)]
    pub fn float_sum(group: &mut Group<f32>, cells: &Each<Cell>) -> f32 {
        group.phase(cells, |lane, cell| lane.set(cell.value as f32 * 0.1f32));
        let mut sum = 0.0;
        for i in 0..4 {
            sum += group.get(i);
        }
        sum
    }

    /// Performs one round of `spread`, with the rows themselves as elements. Returns `true` if anything changed.
    #[kernel(group = 64, reduce = any)]
    pub fn settle(group: &mut Group<u32>, cells: &mut Each<Cell>) -> bool {
        group.phase(cells, |lane, cell| lane.set(cell.value));
        let len = group.len();
        group.any(cells, |lane, cell| {
            let after = if lane.index() + 1 < len { lane.get(lane.index() + 1) } else { 0 };
            let changes = after > cell.value;
            if changes {
                cell.value = after;
            }
            changes
        })
    }

    #[kernel(reduce = sum)]
    pub fn double(me: &mut Cell, id: u32) -> u32 {
        me.value *= 2;
        me.rounds = id;
        me.value
    }

    #[kernel(reduce = argmin)]
    pub fn least(me: &Cell) -> u32 {
        me.value
    }

    #[kernel]
    pub fn divide(me: &mut Cell, all: &Rows<Total>, id: u32) {
        me.value = id / (all.len() - me.rounds);
    }
}
fn cells(count: u32) -> Vec<Cell> {
    (0..count).map(|i| Cell { value: (i * 7919) % 1013, rounds: 0 }).collect()
}

pub fn groups_relax_to_what_a_plain_loop_gives(device: &Device) {
    for count in [1, 63, 64, 65, 9_000] {
        let rows = cells(count);
        let groups = count.div_ceil(64);
        let mut table = Table::from_rows(device, &rows).unwrap();
        let mut totals = Table::<Total>::zeroed(device, groups as usize).unwrap();
        let counts = TallyTable::<u64>::new(device, &[0; 2]).unwrap();
        let rounds = device
            .queue()
            .launch::<grouped::spread>((&mut table, &mut totals, &Rules { limit: 1000 }, &counts))
            .unwrap();
        let (found, totals) = (table.read().unwrap(), totals.read().unwrap());
        let mut all_rounds = 0;
        for (number, group) in rows.chunks(64).enumerate() {
            let best = group.iter().map(|cell| cell.value).max().unwrap();
            let of = |i: usize| &found[number * 64 + i];
            assert!((0..group.len()).all(|i| of(i).value == best), "group {number} of {count}");
            let far = (0..group.len()).map(|i| of(i).rounds).max().unwrap();
            all_rounds += far + 1;
            let expected =
                Total { sum: (number * 64 + group.len() - 1) as u64, rows: group.len() as u32, largest: best };
            assert_eq!(totals[number], expected, "group {number} of {count}");
        }
        assert_eq!(rounds.read().unwrap(), all_rounds);
        assert_eq!(counts.read().unwrap(), [u64::from(count), u64::from(groups)]);
    }
}

pub fn tiles_cover_a_grid_with_its_edges(device: &Device) {
    for (width, height) in [(1, 1), (3, 2), (7, 5), (3, 3000), (101, 89)] {
        let mut table = Table::<Cell>::grid(device, width, height).unwrap();
        assert_eq!(table.grid_width(), Some(width as u32));
        let rows = cells((width * height) as u32);
        table.write(&rows).unwrap();
        let other = Table::<Cell>::zeroed(device, 5).unwrap();
        let greatest = device.queue().launch::<grouped::tiles>((&mut table, &other)).unwrap();
        let found = table.read().unwrap();
        let mut most = 0;
        for (row, cell) in found.iter().enumerate() {
            let (x, y) = (row % width, row / width);
            let (left, top) = (x / 3 * 3, y / 2 * 2);
            let inside = (top..(top + 2).min(height)).flat_map(|y| (left..(left + 3).min(width)).map(move |x| (x, y)));
            let sum: u32 = inside.map(|(x, y)| rows[y * width + x].value).sum();
            most = most.max(sum);
            assert_eq!((cell.value, cell.rounds), (sum, (x * 100 + y + 5) as u32), "{width} by {height}: {x}, {y}");
        }
        assert_eq!(greatest.read().unwrap(), most);
    }
}

pub fn float_sums_over_groups_follow_the_tree_of_their_number(device: &Device) {
    // Devices that round in their own way take part, too: how near they come is checked below.
    let device = &device.allowing(Determinism::LOOSEST);
    let rows = cells(9_003);
    let table = Table::from_rows(device, &rows).unwrap();
    let sum = device.queue().launch::<grouped::float_sum>((&table,)).unwrap().read().unwrap();
    let groups: Vec<f32> = rows
        .chunks(4)
        .map(|group| (0..4).fold(0.0, |sum, i| sum + group.get(i).map_or(0.0, |cell| cell.value as f32 * 0.1)))
        .collect();
    let expected = imminent_core::reduce::reduce_levels(groups, |a, b| a + b).unwrap();
    if device.capabilities().f32.as_ref().is_some_and(|probe| probe.defects().is_empty()) {
        assert_eq!(sum.to_bits(), expected.to_bits(), "{sum} {expected}");
    } else {
        assert!((sum - expected).abs() <= expected * 1e-5, "{sum} {expected}");
    }
}

pub fn the_lowest_row_of_all_phases_reports_its_fault(device: &Device) {
    let mut rows = cells(9_000);
    rows.iter_mut().for_each(|cell| cell.value = 0);
    (rows[5_002].value, rows[5_001].value, rows[7_500].value) = (7, 8, 7);
    let mut table = Table::from_rows(device, &rows).unwrap();
    device.queue().launch::<grouped::faulty>((&mut table,)).unwrap();
    let Err(Error::Fault(fault)) = table.read() else { panic!("no fault") };
    assert_eq!((fault.row, fault.kind), (5_001, FaultKind::DivisionByZero));
    let table = Table::from_rows(device, &rows).unwrap();
    device.queue().launch::<grouped::uniform_fault>((&table,)).unwrap();
    let Err(Error::Fault(fault)) = device.queue().wait() else { panic!("no fault") };
    assert_eq!((fault.row, fault.kind), (5_000, FaultKind::Assertion));
}

pub fn a_launch_of_fewer_rows_cuts_its_last_group(device: &Device) {
    let rows = cells(200);
    let mut table = Table::from_rows(device, &rows).unwrap();
    let mut totals = Table::<Total>::zeroed(device, 4).unwrap();
    let counts = TallyTable::<u64>::new(device, &[0; 2]).unwrap();
    let args = (&mut table, &mut totals, &Rules { limit: 1000 }, &counts);
    device.queue().launch_rows::<grouped::spread>(70, args).unwrap();
    let (found, totals) = (table.read().unwrap(), totals.read().unwrap());
    assert_eq!(found[70..], rows[70..]);
    assert_eq!((totals[1].rows, totals[2].rows), (6, 0));
    assert_eq!(counts.read().unwrap(), [70, 2]);
    device
        .queue()
        .launch_rows::<grouped::spread>(0, (&mut table, &mut totals_of(device), &Rules { limit: 1 }, &counts))
        .unwrap();
    assert_eq!(table.read().unwrap(), found);
}

fn totals_of(device: &Device) -> Table<Total> {
    Table::zeroed(device, 4).unwrap()
}

pub fn what_does_not_fit_is_refused(device: &Device) {
    let misfit = |result: Result<(), Error>, what: &str| {
        let error = result.unwrap_err();
        assert!(matches!(error, Error::Launch { .. }) && error.to_string().contains(what), "{what}: {error}");
    };
    let mut table = Table::<Cell>::zeroed(device, 100).unwrap();
    let mut totals = Table::<Total>::zeroed(device, 3).unwrap();
    let counts = TallyTable::<u64>::new(device, &[0; 2]).unwrap();
    let rules = Rules { limit: 1 };
    let launch = |table: &mut Table<Cell>, totals: &mut Table<Total>| {
        device.queue().launch::<grouped::spread>((table, totals, &rules, &counts)).map(drop)
    };
    misfit(launch(&mut table, &mut totals), "must have 2 rows");
    let other = Table::<Cell>::zeroed(device, 5).unwrap();
    misfit(device.queue().launch::<grouped::tiles>((&mut table, &other)).map(drop), "Table::grid");
    let mut grid = Table::<Cell>::grid(device, 10, 10).unwrap();
    misfit(device.queue().launch_rows::<grouped::tiles>(10, (&mut grid, &other)).map(drop), "whole grid");
    let selection = Selection::from_rows(device, 100, &[1, 2]).unwrap();
    misfit(device.queue().launch_over::<grouped::faulty>(&selection, (&mut table,)).map(drop), "in groups");
    let mut short = Table::<Cell>::zeroed(device, 99).unwrap();
    misfit(device.queue().launch_over::<grouped::double>(&selection, (&mut short,)).map(drop), "99");
}

pub fn a_launch_over_a_subset_runs_its_rows_and_no_others(device: &Device) {
    let rows = cells(9_000);
    let list: Vec<u32> = (0..9_000).rev().filter(|row| row % 3 == 1).collect();
    let selection = Selection::from_rows(device, 9_000, &list).unwrap();
    let mut table = Table::from_rows(device, &rows).unwrap();
    let sum = device.queue().launch_over::<grouped::double>(&selection, (&mut table,)).unwrap();
    let mut expected = rows.clone();
    for row in &list {
        let cell = &mut expected[*row as usize];
        (cell.value, cell.rounds) = (cell.value * 2, *row);
    }
    assert_eq!(table.read().unwrap(), expected);
    assert_eq!(sum.read().unwrap(), list.iter().map(|row| expected[*row as usize].value).sum::<u32>());
    let least = device.queue().launch_over::<grouped::least>(&selection, (&table,)).unwrap().read().unwrap();
    let found = list.iter().map(|row| (expected[*row as usize].value, *row)).min().unwrap();
    assert_eq!((least.value, least.row), found);
}

pub fn a_fault_of_a_subset_names_the_row_of_the_table(device: &Device) {
    let mut rows = cells(9_000);
    (rows[77].rounds, rows[78].rounds, rows[5].rounds) = (1, 1, 1);
    let mut table = Table::from_rows(device, &rows).unwrap();
    let one = Table::<Total>::zeroed(device, 1).unwrap();
    let list: Vec<u32> = (60..9_000).rev().collect();
    let selection = Selection::from_rows(device, 9_000, &list).unwrap();
    device.queue().launch_over::<grouped::divide>(&selection, (&mut table, &one)).unwrap();
    let Err(Error::Fault(fault)) = table.read() else { panic!("no fault") };
    assert_eq!((fault.row, fault.kind), (77, FaultKind::DivisionByZero));
}

pub fn an_empty_subset_gives_the_identity(device: &Device) {
    let selection = Selection::with_capacity(device, 3).unwrap();
    let mut table = Table::from_rows(device, &cells(3)).unwrap();
    let mut scalars = None;
    let mut program = Program::record(device, |program| {
        let sum = program.launch_over::<grouped::double>(&selection, (&mut table,))?;
        scalars = Some((sum, program.launch_over::<grouped::least>(&selection, (&table,))?));
        Ok(())
    })
    .unwrap();
    program.run().unwrap();
    let (sum, least) = scalars.unwrap();
    let least = least.read().unwrap();
    assert_eq!((sum.read().unwrap(), least.value, least.row), (0, u32::MAX, u32::MAX));
    assert_eq!(table.read().unwrap(), cells(3));
}

pub fn a_selection_from_the_host_lists_rows_of_the_table_once(device: &Device) {
    for (rows, what) in [(&[1_u32, 2, 1][..], "row 1 is listed twice"), (&[0, 3], "row 3 is listed")] {
        let error = Selection::from_rows(device, 3, rows).unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }) && error.to_string().contains(what), "{error}");
    }
    assert_eq!(Selection::from_rows(device, 3, &[2, 0]).unwrap().read().unwrap(), [2, 0]);
}

pub fn groups_take_part_in_loops_on_the_device(device: &Device) {
    let rows = cells(1000);
    let mut table = Table::from_rows(device, &rows).unwrap();
    let mut program = Program::record(device, |program| {
        program.loop_until(1000, |step| Ok(vec![step.launch::<grouped::settle>((&mut table,))?.equals(false)]))
    })
    .unwrap();
    let outcome = program.run().unwrap();
    let mut expected = rows;
    for group in expected.chunks_mut(64) {
        let mut most = 0;
        for cell in group.iter_mut().rev() {
            most = most.max(cell.value);
            cell.value = most;
        }
    }
    assert_eq!(table.read().unwrap(), expected);
    // The step after the end of the loop changes nothing, and is not counted.
    assert!(outcome.steps > 1 && outcome.steps <= 64, "{outcome:?}");
    assert_eq!(program.run().unwrap().steps, 1);
}
