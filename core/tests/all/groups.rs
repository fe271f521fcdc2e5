//! Kernels that run in groups, called as plain functions, and their IR.
#![allow(clippy::unwrap_used)]

use imminent_core::fault::{FaultKind, catch};
use imminent_core::{Each, Extent, Group};

#[imminent_core::kernels]
mod chain {
    #[derive(Row)]
    pub struct Station {
        pub bound: u64,
        pub seen: u32,
    }

    #[derive(Row)]
    pub struct Total {
        pub rounds: u32,
    }

    #[derive(Params)]
    pub struct Net {
        pub limit: u32,
    }

    /// The greatest bound of each group, spread from neighbour to neighbour.
    #[kernel(group = 256, reduce = any)]
    pub fn relax(group: &mut Group<u64>, stations: &mut Each<Station>, total: &mut Total, net: &Net) -> bool {
        group.phase(stations, |lane, station| lane.set(station.bound));
        let last = group.len() - 1;
        let mut rounds = 0;
        while rounds < net.limit
            && group.any((), |lane, ()| {
                let right = lane.get(last.min(lane.index() + 1));
                if right <= lane.own() {
                    return false;
                }
                lane.set(right);
                true
            })
        {
            rounds += 1;
        }
        group.phase(stations, |lane, station| station.bound = lane.own());
        total.rounds = rounds;
        rounds > 0
    }

    #[kernel(tile = (2, 2))]
    pub fn corners(group: &mut Group<u32>, stations: &mut Each<Station>) {
        group.phase(stations, |lane, station| {
            station.seen = 10 * lane.x() + lane.y();
            lane.set(station.seen / (lane.row() - 4));
        });
        assert!(group.get(3) == group.get(group.len() + 1), "the last element is not asked for in a cut tile");
    }
}
use chain::{Net, Station, Total};

fn stations(bounds: &[u64]) -> Vec<Station> {
    bounds.iter().map(|bound| Station { bound: *bound, seen: 0 }).collect()
}

#[test]
fn a_kernel_is_called_as_a_function_for_one_group() {
    let mut rows = stations(&[1, 2, 9, 4]);
    let mut total = Total { rounds: 7 };
    let mut group = Group::new(Extent::group(256, 0, rows.len() as u32));
    let mut each = Each::of(&mut rows, group.extent());
    assert!(chain::relax(&mut group, &mut each, &mut total, &Net { limit: 9 }));
    assert_eq!((rows, total.rounds), (stations(&[9, 9, 9, 4]), 2));
}

#[test]
fn the_second_group_of_a_table_has_the_rows_after_the_first() {
    let mut rows = stations(&vec![0; 300]);
    rows[299].bound = 5;
    let mut total = Total { rounds: 0 };
    let mut group = Group::new(Extent::group(256, 1, 300));
    let mut each = Each::of(&mut rows, group.extent());
    chain::relax(&mut group, &mut each, &mut total, &Net { limit: 10 });
    assert_eq!(rows.iter().map(|row| row.bound).sum::<u64>(), 11 * 5);
    assert_eq!((rows[288].bound, rows[289].bound, total.rounds), (0, 5, 10));
}

#[test]
fn a_fault_of_a_phase_names_the_row_and_execution_goes_on() {
    let mut rows = stations(&[0; 9]);
    let mut group = Group::new(Extent::tile(2, 2, 2, 3, 3));
    let mut each = Each::of(&mut rows, group.extent());
    let ((), fault) = catch(|| chain::corners(&mut group, &mut each));
    assert_eq!((group.len(), group.index()), (2, 2));
    assert_eq!(fault, None);
    let mut group = Group::new(Extent::tile(2, 2, 0, 3, 3));
    let mut each = Each::of(&mut rows, group.extent());
    let ((), fault) = catch(|| chain::corners(&mut group, &mut each));
    let fault = fault.unwrap();
    // The element past the group, asked for between phases, is the first row's: lower than the division in row 4.
    assert_eq!((fault.row, fault.kind), (0, FaultKind::ScratchOutOfRange));
    let seen: Vec<u32> = rows.iter().map(|row| row.seen).collect();
    assert_eq!(seen, [0, 10, 0, 1, 11, 0, 2, 12, 0]);
}

#[test]
fn a_group_with_fewer_rows_than_its_extent_runs_those_that_there_are() {
    let mut rows = stations(&[3, 4]);
    let mut total = Total { rounds: 0 };
    let mut group = Group::new(Extent::group(256, 0, 5));
    let mut each = Each::of(&mut rows, group.extent());
    chain::relax(&mut group, &mut each, &mut total, &Net { limit: 1 });
    assert_eq!(rows, stations(&[4, 4]));
}

#[test]
fn the_closure_of_a_phase_is_a_function_of_the_module() {
    let module = chain::source().ir().unwrap();
    let names: Vec<&str> = module.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["relax", "corners", "relax::phase1", "relax::phase2", "relax::phase3", "corners::phase1"]);
    let mut functions = [module.functions[0].clone(), module.functions[3].clone()];
    // Origins hold a hash of the source as the compiler prints it.
    functions.iter_mut().for_each(|function| function.origin.clear());
    insta::assert_json_snapshot!(functions);
}
