//! The kernel that lends its lowering to a reduction's higher levels.

use imminent_ir::flatten::{Facts, FlatKernel, Spot};
use imminent_ir::{Reductions, Scalar};

/// A kernel that binds nothing, named for the results that it combines.
pub(crate) fn level(results: &Reductions) -> FlatKernel {
    let of = |one: imminent_ir::Reduction| format!("_{}_{}", format!("{:?}", one.reduce).to_lowercase(), one.scalar);
    let name = format!("reduce{}", results.iter().map(of).collect::<String>());
    let spot = Spot { file: "a reduction".to_owned(), line: 1 };
    let scalar = |test: fn(Scalar) -> bool| results.iter().any(|one| test(one.scalar)).then(|| spot.clone());
    let float64 = scalar(|scalar| scalar == Scalar::F64);
    let int64 = scalar(|scalar| matches!(scalar, Scalar::U64 | Scalar::I64));
    FlatKernel { facts: Facts { float64, int64, ..Facts::default() }, ..FlatKernel::empty(name) }
}
