use super::generate::{Abilities, module};
use super::given::{ArgumentData, Launched, Room};
use super::*;
use imminent_core::ir::{Module, Stmt, StmtKind, flatten};
use proptest::prelude::*;
use std::collections::BTreeSet;

const ALL: Abilities = Abilities { f32: true, f64: true, wide_tally_min_max: true };

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_numbers_stand_for_a_kernel_that_means_something(
        numbers in vec(any::<u16>(), 0..900), size in 0_usize..40, data: u32,
    ) {
        let module = module(&numbers, ALL);
        let flat = flatten(&module, &module.kernels[0]);
        prop_assert!(flat.is_ok(), "{}", flat.unwrap_err());
        let launched = Launched::new(module, size, u64::from(data)).unwrap().unwrap();
        let ran = oracle::run(&launched);
        prop_assert!(matches!(ran, Ok(_) | Err(Stuck::Fuel)), "{ran:?}");
    }
}

#[test]
fn no_numbers_stand_for_the_simplest_kernel() {
    let simplest = module(&[], ALL);
    let kernel = &simplest.functions[simplest.kernels[0].function.index()];
    assert!(kernel.body.is_empty() && simplest.sites.is_empty(), "{kernel:?}");
}

fn kinds(module: &Module) -> BTreeSet<String> {
    fn of(block: &[Stmt], kinds: &mut BTreeSet<String>) {
        for stmt in block {
            let text = format!("{:?}", stmt.kind);
            let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric()).collect::<String>();
            kinds.insert(name(&text));
            match &stmt.kind {
                StmtKind::If(_, a, b) => [a, b].into_iter().for_each(|block| of(block, kinds)),
                StmtKind::Loop(a) | StmtKind::While(_, a) | StmtKind::For { body: a, .. } => of(a, kinds),
                _ => {}
            }
        }
    }
    let mut kinds = BTreeSet::new();
    module.functions.iter().for_each(|function| of(&function.body, &mut kinds));
    kinds
}

/// Every kind of statement is generated, and most kernels run to their end.
#[test]
fn kernels_are_of_every_kind() {
    let mut runner = TestRunner::deterministic();
    let (mut found, mut ended) = (BTreeSet::new(), 0);
    for _ in 0..400 {
        let numbers = vec(any::<u16>(), 0..NUMBERS).new_tree(&mut runner).unwrap().current();
        let module = module(&numbers, ALL);
        found.extend(kinds(&module));
        let launched = Launched::new(module, 3, 5).unwrap().unwrap();
        ended += u32::from(oracle::run(&launched).is_ok());
    }
    let all = "Assert Assign Break BindRow Call Continue Divide For If LaneGet LaneSet Let Load Loop Phase Remainder Return \
               ScratchGet ScratchOwn ScratchSet Store Tally While";
    for kind in all.split_whitespace() {
        assert!(found.contains(kind), "{kind} is never made: {found:?}");
    }
    assert!(ended > 360, "{ended}");
}

/// Tables with lanes are even or ragged, and some rows of ragged ones have none.
#[test]
fn rows_have_room_of_their_own_in_some_tables() {
    let mut runner = TestRunner::deterministic();
    let (mut even, mut own) = (0, vec![]);
    for seed in 0..300 {
        let numbers = vec(any::<u16>(), 0..NUMBERS).new_tree(&mut runner).unwrap().current();
        let launched = Launched::new(module(&numbers, ALL), 3, seed).unwrap().unwrap();
        for given in &launched.given {
            match given {
                ArgumentData::Table { room: Room::Own(capacities), rows, .. } => {
                    assert_eq!(capacities.len(), rows.len());
                    own.extend(capacities);
                }
                ArgumentData::Table { room: Room::Even(capacity), .. } => even += u32::from(*capacity > 0),
                _ => {}
            }
        }
    }
    assert!(even > 50 && own.contains(&0) && own.iter().any(|capacity| *capacity > 8), "{even} {own:?}");
}

#[test]
fn the_host_refuses_a_kernel_that_was_kept() {
    let host = imminent_cpu::CpuBackend::open(&imminent_cpu::Options::default()).unwrap();
    let host = Device::open(host).unwrap();
    let kept = Regression { module: module(&[], ALL), size: 3, data: 1 };
    let error = kept.again(&host).unwrap_err().to_string();
    assert!(error.contains("native functions") && error.contains("--backend"), "{error}");
}
