//! Kernels that run in groups, against the same written plainly: elements in an array, phases as loops.

use super::{Data, Machine, Outcome, Run, flat, layout, mix};
use crate::modules::{SHAPES, groups};
use imminent_ir::flatten::FlatKernel;
use imminent_ir::{Scalar, Shape};
use std::slice;

/// What a launch of `relax` is given.
struct Case {
    rows: u32,
    width: u32,
    reach: u32,
    limit: u32,
    pick: u32,
    slot: u32,
    forbidden: u64,
}

/// The rows of a group: for each lane its row, or nothing where the group is cut.
fn lanes(shape: Shape, group: u32, rows: u32, width: u32) -> Vec<Option<u32>> {
    match shape {
        Shape::Tile(w, h) => {
            let across = width.div_ceil(w);
            let (left, top) = (group % across * w, group / across * h);
            let row = |lane: u32| {
                let (x, y) = (left + lane % w, top + lane / w);
                (x < width && y < rows / width).then_some(y * width + x)
            };
            (0..w * h).map(row).collect()
        }
        shape => (0..shape.size()).map(|lane| Some(group * shape.size() + lane).filter(|row| *row < rows)).collect(),
    }
}

/// The least row of each site, by the site's line.
#[derive(Default)]
struct Faults {
    /// For each row its first fault.
    first: std::collections::BTreeMap<u32, u32>,
}

impl Faults {
    fn raise(&mut self, row: u32, line: u32) {
        self.first.entry(row).or_insert(line);
    }

    fn of(&self, line: u32) -> u32 {
        self.first.iter().find(|(_, at)| **at == line).map_or(u32::MAX, |(row, _)| *row)
    }
}

/// Inputs, and what must come out.
fn expected(flat: &FlatKernel, case: &Case) -> (Vec<Data>, Vec<Data>, u64, Faults) {
    let shape = flat.shape;
    let size = shape.size() as usize;
    let groups = shape.groups(case.rows, case.width);
    let layouts: Vec<_> = [0, 1, 2, 3].map(|binding| layout(flat, binding)).into();
    let mut stations = Data::table(&layouts[0], case.rows, 0);
    // One post too few for the last row.
    let mut posts = Data::table(&layouts[1], case.rows.saturating_sub(1), 0);
    let mut sums = Data::table(&layouts[2], groups, 0);
    let mut net = Data { rows: 1, stride: 1, capacity: 0, words: vec![0; layouts[3].fixed_words as usize] };
    for row in 0..case.rows {
        stations.set(&layouts[0], "value", row, (mix(u64::from(row)) % 1_000_000) << 20);
        if row + 1 < case.rows {
            posts.set(&layouts[1], "start", row, mix(u64::from(row) + 7_000_000) % 1000);
        }
    }
    for group in 0..groups {
        sums.set(&layouts[2], "first", group, mix(u64::from(group) + 9_000_000) % 5000);
    }
    for (name, bits) in [
        ("reach", u64::from(case.reach)),
        ("limit", u64::from(case.limit)),
        ("pick", u64::from(case.pick)),
        ("slot", u64::from(case.slot)),
        ("forbidden", case.forbidden),
    ] {
        net.set(&layouts[3], name, 0, bits);
    }
    let tally = Data::tally(Scalar::U64, 3, 40);
    let given = vec![stations.clone(), posts.clone(), sums.clone(), net, tally];
    let mut slots = [40_u64; 3];
    let mut contribute = |faults: &mut Faults, row: u32, slot: u32| match slots.get_mut(slot as usize) {
        Some(count) => *count += 1,
        None => faults.raise(row, groups::TALLY_LINE),
    };
    let mut faults = Faults::default();
    let mut result = 0_u64;
    for group in 0..groups {
        let rows = lanes(shape, group, case.rows, case.width);
        let active = || rows.iter().enumerate().filter_map(|(lane, row)| row.map(|row| (lane, row)));
        let first_row = rows[0].expect("the first lane of a group has a row");
        let start = sums.get(&layouts[2], "first", group);
        let mut elements = vec![(0_u64, 0_u32); size];
        for (lane, row) in active() {
            let post = if row + 1 < case.rows {
                posts.get(&layouts[1], "start", row)
            } else {
                faults.raise(row, groups::ROW_LINE);
                0
            };
            elements[lane] = (stations.get(&layouts[0], "value", row) + post, lane as u32);
        }
        let mut rounds = 0;
        loop {
            let before = elements.clone();
            let mut again = false;
            for (lane, row) in active() {
                let other = before.get(lane ^ case.reach as usize).copied().unwrap_or_else(|| {
                    faults.raise(row, groups::NEIGHBOUR_LINE);
                    (0, 0)
                });
                let best = before[lane].0.max(other.0.saturating_sub(start));
                elements[lane] = (best, other.1);
                let seen = stations.get(&layouts[0], "rounds", row);
                stations.set(&layouts[0], "rounds", row, seen + 1);
                again |= best != before[lane].0;
            }
            rounds += 1;
            contribute(&mut faults, first_row, case.slot);
            if !again || rounds >= case.limit {
                break;
            }
        }
        let above =
            active().filter(|(lane, _)| lane & 7 != 5 && elements[size - 1].0 < elements[*lane].0).count() as u64;
        let even = active().all(|(lane, _)| elements[lane].0 & 1 == 0);
        for (lane, row) in active() {
            stations.set(&layouts[0], "value", row, elements[lane].0);
            stations.set(&layouts[0], "seen", row, u64::from(elements[lane].1));
            if matches!(shape, Shape::Tile(..)) {
                stations.set(&layouts[0], "x", row, u64::from(row % case.width));
                stations.set(&layouts[0], "y", row, u64::from(row / case.width));
            }
            contribute(&mut faults, row, group & 1);
            if elements[lane].0 == case.forbidden {
                faults.raise(row, groups::ASSERT_LINE);
            }
        }
        let last = elements.get(case.pick as usize).copied().unwrap_or_else(|| {
            faults.raise(first_row, groups::ELEMENT_LINE);
            (0, 0)
        });
        if last.0 == case.forbidden {
            faults.raise(first_row, groups::GROUP_ASSERT_LINE);
        }
        for (name, bits) in [
            ("first", last.0),
            ("rounds", u64::from(rounds)),
            ("above", above),
            ("even", u64::from(even)),
            ("group", u64::from(group)),
            ("len", active().count() as u64),
            ("size", size as u64),
        ] {
            sums.set(&layouts[2], name, group, bits);
        }
        result = result.wrapping_add(last.0 + above);
    }
    let words = slots.iter().flat_map(|x| [*x as u32, (*x >> 32) as u32]).collect();
    let after = vec![stations, posts, sums, given[3].clone(), given[4].with(words)];
    (given, after, result, faults)
}

fn check(flat: &FlatKernel, case: &Case, after: &[Data], result: u64, faults: &Faults, outcome: &Outcome, what: &str) {
    let what = format!("{what}: {:?}, {} rows, {} columns, limit {}", flat.shape, case.rows, case.width, case.limit);
    for (binding, expected) in after.iter().enumerate() {
        assert_eq!(outcome.data[binding], expected.words, "binding {binding} of {what}");
    }
    assert_eq!(outcome.result.as_deref(), Some(&[result as u32, (result >> 32) as u32][..]), "{what}");
    for (site, row) in flat.sites.iter().zip(&outcome.faults) {
        assert_eq!(*row, faults.of(site.site.line), "line {} of {what}", site.site.line);
    }
}

/// Grids and lines of rows for a shape: nothing, one row, whole groups, cut ones, many.
fn extents(shape: Shape) -> Vec<(u32, u32)> {
    match shape {
        Shape::Tile(w, h) => vec![(0, 0), (1, 1), (w * h, w), (7 * (2 * h + 1), 7), (2 * w * 3, 2 * w), (61 * 37, 61)],
        shape => [0, 1, shape.size(), shape.size() + 1, 3 * shape.size() - 1, 1500].map(|rows| (rows, 0)).into(),
    }
}

pub fn phases_see_what_the_one_before_left<M: Machine>(machine: &M) {
    for shape in SHAPES {
        let flat = flat(&groups::relax(shape));
        for (rows, width) in extents(shape) {
            // Within the group, and past its end for some lanes; a few rounds and as many as it takes.
            for (reach, limit) in [(1, 3), (shape.size().next_power_of_two() / 2, 40), (3, 1)] {
                let case = Case { rows, width, reach, limit, pick: shape.size() / 2, slot: 2, forbidden: u64::MAX };
                let (given, after, result, faults) = expected(&flat, &case);
                for options in machine.ways(&flat, &given) {
                    let run = Run { rows, width, ..Run::default() };
                    let outcome = machine.launch_as(&flat, &options, &run, &given);
                    check(&flat, &case, &after, result, &faults, &outcome, &format!("{options:?}"));
                }
            }
        }
    }
}

pub fn faults_between_phases_are_those_of_the_first_row<M: Machine>(machine: &M) {
    for shape in SHAPES {
        let flat = flat(&groups::relax(shape));
        let (rows, width) = extents(shape)[5];
        let usual = Case { rows, width, reach: 1, limit: 4, pick: 0, slot: 2, forbidden: u64::MAX };
        let (_, after, ..) = expected(&flat, &usual);
        // What some row comes to, so that its assertion fails; and that of the first row of a group.
        let some = after[0].get(&layout(&flat, 0), "value", rows / 2);
        let first = after[2].get(&layout(&flat, 2), "first", 1);
        for case in [
            Case { forbidden: some, ..usual },
            Case { forbidden: first, ..usual },
            Case { pick: shape.size(), ..usual },
            Case { slot: 3, ..usual },
            Case { slot: 3, pick: u32::MAX, reach: 1 << 20, forbidden: 0, ..usual },
        ] {
            let (given, after, result, faults) = expected(&flat, &case);
            assert!(faults.first.len() > 1);
            for options in machine.ways(&flat, &given) {
                let outcome = machine.launch_as(&flat, &options, &Run { rows, width, ..Run::default() }, &given);
                check(&flat, &case, &after, result, &faults, &outcome, &format!("{options:?}"));
            }
        }
    }
}

pub fn halted_groups_do_nothing<M: Machine>(machine: &M) {
    let shape = Shape::Group(77);
    let flat = flat(&groups::relax(shape));
    let case = Case { rows: 300, width: 0, reach: 1, limit: 4, pick: 0, slot: 2, forbidden: u64::MAX };
    let (given, ..) = expected(&flat, &case);
    for options in machine.ways(&flat, &given) {
        let run = Run { rows: 300, halt: 1, ..Run::default() };
        let outcome = machine.launch_as(&flat, &options, &run, &given);
        for (before, after) in given.iter().zip(&outcome.data) {
            assert_eq!(before.words, *after);
        }
        assert!(outcome.faults.iter().all(|row| *row == u32::MAX));
    }
}

pub fn groups_without_elements_run_their_rows<M: Machine>(machine: &M) {
    for size in [1, 100, 256] {
        let flat = flat(&groups::apart(size));
        let layout = layout(&flat, 0);
        for rows in [0, 1, 99, 1000] {
            let mut given = Data::table(&layout, rows, 0);
            let mut after = given.clone();
            for row in 0..rows {
                given.set(&layout, "value", row, u64::from(row) * 3);
                after.set(&layout, "value", row, u64::from(row * 6 + row % size));
            }
            for options in machine.ways(&flat, slice::from_ref(&given)) {
                let outcome = machine.launch(&flat, &options, rows, slice::from_ref(&given));
                assert_eq!(outcome.data[0], after.words, "{size} {rows} {options:?}");
                assert_eq!(outcome.result, None);
            }
        }
    }
}

/// Elements of every type, and results of groups reduced as rows are: floats over the tree of the number of groups.
pub fn elements_of_every_type_are_shared<M: Machine>(machine: &M) {
    for scalar in Scalar::ALL {
        let flat = flat(&groups::reverse(scalar, Shape::Group(33)));
        let layout = layout(&flat, 0);
        for rows in [0, 1, 33, 34, 33 * 300 + 5] {
            let bits = |row: u32| match scalar {
                Scalar::Bool => mix(u64::from(row)) & 1,
                Scalar::F32 => u64::from(((row % 977) as f32 * 0.1).to_bits()),
                Scalar::F64 => (f64::from(row % 977) * 0.1).to_bits(),
                Scalar::U32 | Scalar::I32 => mix(u64::from(row)) & 0xffff_ffff,
                Scalar::U64 | Scalar::I64 => mix(u64::from(row)),
            };
            let mut given = Data::table(&layout, rows, 0);
            let mut after = given.clone();
            let mut firsts = Vec::new();
            for row in 0..rows {
                given.set(&layout, "x", row, bits(row));
                let first = row / 33 * 33;
                let last = (first + 32).min(rows - 1);
                after.set(&layout, "x", row, bits(first + last - row));
                if row == first {
                    firsts.push(bits(row));
                }
            }
            let reduce = flat.reduce.expect("it returns something");
            let expected = super::reductions::expected(reduce, scalar, &firsts);
            for options in machine.ways(&flat, slice::from_ref(&given)) {
                if scalar == Scalar::F64 && !machine.has_float64(&options) {
                    continue;
                }
                let outcome = machine.launch(&flat, &options, rows, slice::from_ref(&given));
                assert_eq!(outcome.data[0], after.words, "{scalar} {rows} {options:?}");
                assert_eq!(outcome.result.as_ref(), Some(&expected), "{scalar} {rows} {options:?}");
            }
        }
    }
}
