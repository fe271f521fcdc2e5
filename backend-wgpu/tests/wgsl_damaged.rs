//! Whatever a module holds: if it flattens, it lowers, and what it lowers to is valid WGSL.

#![allow(clippy::unwrap_used, clippy::panic)]

mod wgsl_support;

use imminent_ir::{Expr, ExprKind, Module, Scalar, Shape, Stmt, StmtKind, UnaryOp, flatten};
use imminent_testkit::modules::build::bool_;
use imminent_testkit::modules::kernels;
use imminent_testkit::modules::operations;
use imminent_testkit::modules::{calls, groups, histories};
use imminent_wgpu::wgsl::{Int64, WgslError, WgslOptions, WgslSource, lower};
use wgsl_support::validate::{lowered, options, tint, validate};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

/// Flips a few bytes of an encoded module many times, and looks at what still flattens.
fn damage(module: &Module, rounds: usize, seed: u64) -> usize {
    damage_and(module, rounds, seed, |_, _| {})
}

fn damage_and(module: &Module, rounds: usize, seed: u64, mut look: impl FnMut(Int64, &WgslSource)) -> usize {
    let good = module.encode().unwrap();
    let mut random = Random(seed);
    let mut lowered = 0;
    for round in 0..rounds {
        let mut bytes = good.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] = if random.below(2) == 0 { random.below(12) as u8 } else { bytes[at] ^ (1 << random.below(8)) };
        }
        let Ok(module) = Module::decode(&bytes) else { continue };
        for kernel in &module.kernels {
            let Ok(flat) = flatten(&module, kernel) else { continue };
            let int64 = if round % 2 == 0 { Int64::Emulated } else { Int64::Native };
            let options = WgslOptions { int64_atomics: int64 == Int64::Native, ..options(int64) };
            match lower(&flat, &options) {
                Ok(source) => {
                    validate(&source);
                    look(int64, &source);
                    lowered += 1;
                }
                Err(WgslError::Unsupported { .. } | WgslError::WideTally { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
    lowered
}

#[test]
fn damaged_facilities_lower_to_valid_text_or_not_at_all() {
    assert!(damage(&kernels::serve().module, 6000, 1) > 200);
    assert!(damage(&groups::relax(Shape::Tile(3, 5)).module, 6000, 7) > 200);
}

#[test]
fn damaged_calls_lower_to_valid_text_or_not_at_all() {
    assert!(damage(&calls::calls().module, 6000, 2) > 200);
    assert!(damage(&histories::relay().module, 6000, 8) > 200);
}

#[test]
fn damaged_loops_and_indices_lower_to_valid_text_or_not_at_all() {
    assert!(damage(&kernels::loops(Scalar::U64).module, 3000, 3) > 100);
    assert!(damage(&kernels::indices(Scalar::I64).module, 3000, 4) > 100);
}

#[test]
fn damaged_operations_lower_to_valid_text_or_not_at_all() {
    for scalar in [Scalar::I32, Scalar::I64, Scalar::F32] {
        assert!(damage(&operations::kernel(scalar, &operations::operations(scalar)).module, 800, 5) > 20);
    }
}

#[test]
#[cfg_attr(not(has_tint), ignore = "the `tint` compiler is not on the PATH")]
fn tint_accepts_what_damaged_modules_lower_to() {
    let look = |int64, source: &WgslSource| {
        if int64 == Int64::Emulated {
            tint("damaged", source);
        }
    };
    let rounds = 400;
    assert!(damage_and(&kernels::serve().module, rounds, 11, look) > 10);
    assert!(damage_and(&calls::calls().module, rounds, 12, look) > 10);
    assert!(damage_and(&kernels::loops(Scalar::I32).module, rounds, 13, look) > 10);
    for scalar in [Scalar::U32, Scalar::I32, Scalar::I64, Scalar::F32] {
        damage_and(&operations::kernel(scalar, &operations::operations(scalar)).module, 100, 14, look);
    }
}

#[test]
fn expressions_and_blocks_as_deep_as_flattening_allows_are_lowered() {
    let mut built = kernels::reduction(imminent_ir::Reduce::Any, Scalar::Bool);
    let mut deep = bool_(true);
    for _ in 0..180 {
        deep = Expr { ty: Scalar::Bool.into(), kind: ExprKind::Unary(UnaryOp::Not, Box::new(deep)) };
    }
    built.module.functions[0].body.insert(0, Stmt { line: 7, kind: StmtKind::If(deep, vec![], vec![]) });
    lowered(&built.module, &built.kernel, &options(Int64::Emulated));

    let mut built = kernels::reduction(imminent_ir::Reduce::Any, Scalar::Bool);
    let mut block = vec![];
    for _ in 0..100 {
        block = vec![Stmt { line: 8, kind: StmtKind::If(bool_(true), block, vec![]) }];
    }
    built.module.functions[0].body.splice(0..0, block);
    lowered(&built.module, &built.kernel, &options(Int64::Emulated));
}
