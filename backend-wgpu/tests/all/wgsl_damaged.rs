//! Damaged modules: if a module flattens, it lowers to valid WGSL.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::wgsl_support::damaged::damage;
use crate::wgsl_support::validate::{lowered, options};
use imminent_ir::{Expr, ExprKind, Scalar, Shape, Stmt, StmtKind, UnaryOp};
use imminent_lowering::wgsl::Int64;
use imminent_testkit::modules::build::bool_;
use imminent_testkit::modules::{calls, groups, histories, kernels, operations};

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
