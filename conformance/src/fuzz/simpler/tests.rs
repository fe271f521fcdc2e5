#![allow(clippy::unwrap_used)]
use super::super::generate::{self, Abilities};
use super::super::given::Launched;
use super::super::oracle;
use super::*;
use imminent_core::ir::interpret::Stuck;
use imminent_core::ir::{BinaryOp, Builtin};
use proptest::collection::vec;
use proptest::prelude::*;

const ALL: Abilities = Abilities { f32: true, f64: true, wide_tally_min_max: true };

fn weight(module: &Module) -> usize {
    module.functions.iter().map(|function| Size::of(function).weight).sum()
}

/// Applies every edit after which a condition holds, until there is none.
fn simplest(mut module: Module, holds: impl Fn(&Module) -> bool) -> Module {
    loop {
        let before = weight(&module);
        for grain in Grain::ALL {
            for edit in edits(&module, grain) {
                module = apply(&module, edit).filter(|edited| holds(edited)).unwrap_or(module);
            }
        }
        if weight(&module) == before {
            return module;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_edited_kernel_is_simpler_and_means_something(
        numbers in vec(any::<u16>(), 0..900), size in 0_usize..4, data: u32, pick: prop::sample::Index,
    ) {
        let module = generate::module(&numbers, ALL);
        for grain in Grain::ALL {
            let edited: Vec<Module> = edits(&module, grain).into_iter().filter_map(|edit| apply(&module, edit)).collect();
            prop_assert!(edited.iter().all(|edited| weight(edited) < weight(&module)));
            if edited.is_empty() {
                continue;
            }
            let edited = pick.get(&edited).clone();
            let launched = Launched::new(edited, size, u64::from(data)).unwrap().unwrap();
            let ran = oracle::run(&launched);
            prop_assert!(matches!(ran, Ok(_) | Err(Stuck::Fuel)), "{ran:?}");
        }
    }
}

/// Counts expressions that a condition describes.
struct Counted<F>(F, usize);

impl<F: Fn(&Expr) -> bool> Visitor for Counted<F> {
    fn expr(&mut self, expr: &Expr) {
        self.1 += usize::from(self.0(expr));
    }
}

fn has(module: &Module, is_it: fn(&Expr) -> bool) -> bool {
    let mut counted = Counted(is_it, 0);
    for function in reached(module) {
        visit::walk(&module.functions[function].body, &mut counted);
    }
    counted.1 > 0
}

/// A fault that needs one operation is found in a kernel that has little else.
#[test]
fn little_more_than_the_operation_that_matters_is_left() {
    let random = super::super::random_modules(60, 5);
    let square_root = |expr: &Expr| matches!(expr.kind, ExprKind::Builtin(Builtin::Sqrt, _));
    let quotient = |expr: &Expr| matches!(expr.kind, ExprKind::Binary(BinaryOp::Div, ..));
    let mut tried = 0;
    for module in random {
        let is_bad = |module: &Module| has(module, square_root) && has(module, quotient);
        if is_bad(&module) {
            let small = simplest(module.clone(), is_bad);
            let sum = |module: &Module| -> usize {
                reached(module).into_iter().map(|at| Size::of(&module.functions[at]).weight).sum()
            };
            assert!(sum(&small) < 40, "{} of {}: {small:?}", sum(&small), sum(&module));
            tried += 1;
        }
    }
    assert!(tried > 0);
}
