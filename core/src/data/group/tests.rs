//! Groups called from tests, as users do.

use super::{Each, Extent, Group};
use crate::fault::{FaultKind, catch};
use imminent_ir::Shape;

#[test]
fn a_phase_sees_what_the_previous_one_left() {
    let mut rows = [5_u32, 6, 7, 8];
    let mut group = Group::<u32>::new(Extent::group(4, 0, 4));
    let mut each = Each::of(&mut rows, group.extent());
    group.phase(&each, |lane, row| {
        lane.set(*row);
        assert_eq!((lane.own(), lane.get(lane.index())), (*row, 0));
    });
    group.phase(&mut each, |lane, row| *row = lane.get(3 - lane.index()));
    assert_eq!(group.get(0), 5);
    assert_eq!(rows, [8, 7, 6, 5]);
}

#[test]
fn a_cut_group_runs_the_rows_that_there_are() {
    let rows: Vec<u32> = (0..10).collect();
    let mut all = rows.clone();
    let mut group = Group::<u32>::new(Extent::group(4, 2, 10));
    let each = Each::of(&mut all, group.extent());
    let mut seen = Vec::new();
    let count = group.count(&each, |lane, row| {
        seen.push((lane.index(), lane.row(), *row));
        lane.set(1);
        true
    });
    assert_eq!((count, group.len(), group.size(), group.index()), (2, 2, 4, 2));
    assert_eq!(seen, [(0, 8, 8), (1, 9, 9)]);
    assert_eq!((group.get(1), group.get(2)), (1, 0));
}

#[test]
fn tiles_cover_a_grid_once_and_know_their_place() {
    let (width, height) = (5, 7);
    let mut rows = vec![0_u32; 35];
    let shape = Shape::Tile(2, 3);
    for index in 0..shape.groups(35, width) {
        let mut group = Group::<u32>::new(Extent::tile(2, 3, index, width, height));
        let mut each = Each::of(&mut rows, group.extent());
        group.phase(&mut each, |lane, row| {
            assert_eq!(lane.row(), lane.y() * width + lane.x());
            assert_eq!(lane.index(), (lane.y() % 3) * 2 + lane.x() % 2);
            *row += 1 + lane.row();
        });
    }
    assert_eq!(rows, (1..36).collect::<Vec<u32>>());
}

#[test]
fn votes_count_the_rows_that_there_are() {
    let mut rows = [1_u32, 2, 3];
    let mut group = Group::<bool>::new(Extent::group(256, 0, 3));
    let each = Each::of(&mut rows, group.extent());
    assert!(group.any(&each, |_, row| *row == 3) && !group.any(&each, |_, row| *row == 0));
    assert!(group.all(&each, |_, row| *row > 0) && !group.all(&each, |_, row| *row > 1));
    assert_eq!(group.count(&each, |_, row| *row > 1), 2);
    assert!(!group.any((), |lane, ()| lane.get(0)));
}

#[test]
fn several_tables_are_named_together() {
    let (mut a, mut b) = ([1_u32, 2], [10_u64, 20]);
    let mut group = Group::<u64>::new(Extent::group(2, 0, 2));
    let mut first = Each::of(&mut a, group.extent());
    let second = Each::of(&mut b, group.extent());
    group.phase((&mut first, &second), |lane, (a, b)| {
        *a += *b as u32;
        lane.set(*b);
    });
    group.phase((&mut first,), |lane, (a,)| *a += lane.get(1) as u32);
    assert_eq!(a, [31, 42]);
}

#[test]
fn of_the_faults_of_all_phases_the_lowest_row_wins_and_then_the_first() {
    let mut group = Group::<u32>::new(Extent::group(4, 1, 7));
    let ((), fault) = catch(|| {
        group.phase((), |lane, ()| {
            if lane.index() == 1 {
                lane.set(lane.get(4));
            }
        });
        group.phase((), |lane, ()| {
            if lane.index() < 2 {
                lane.set(lane.get(4 + lane.index()));
            }
        });
        let _ = group.get(9);
    });
    let fault = fault.unwrap();
    assert_eq!((fault.row, fault.kind), (4, FaultKind::ScratchOutOfRange));
    assert_eq!(fault.at.line, line!() - 7);
}

#[test]
fn a_group_used_again_starts_with_zeroes() {
    let mut group = Group::<u32>::new(Extent::group(2, 0, 4));
    group.phase((), |lane, ()| lane.set(7));
    group.enter(Extent::group(2, 1, 4));
    assert_eq!((group.get(0), group.get(1), group.index()), (0, 0, 1));
}
