//! Modules of the IR, most of them built by hand: the same kernels have the same meaning in every lowering.

pub mod build;
pub mod calls;
pub mod groups;
pub mod histories;
pub mod kernels;
pub mod odd;
pub mod operations;
pub mod totals;

use imminent_ir::{Reduce, Scalar, Shape, TallyOp, flatten};
use kernels::Built;
pub use operations::INTEGERS;

pub const REDUCTIONS: [Reduce; 6] = [Reduce::Min, Reduce::Max, Reduce::Sum, Reduce::ArgMin, Reduce::Count, Reduce::Any];
pub const TALLY_OPS: [TallyOp; 5] = [TallyOp::Add, TallyOp::Min, TallyOp::Max, TallyOp::Or, TallyOp::And];

/// Shapes of groups: the smallest, one warp, an odd size, the largest, and tiles.
pub const SHAPES: [Shape; 6] =
    [Shape::Group(1), Shape::Group(32), Shape::Group(77), Shape::Group(256), Shape::Tile(8, 4), Shape::Tile(3, 5)];

/// Returns every kernel of the tests, with a name.
pub fn all() -> Vec<(String, Built)> {
    let mut out = vec![
        ("serve".to_owned(), kernels::serve()),
        ("calls".to_owned(), calls::calls()),
        ("odd".to_owned(), odd::odd()),
        ("totals".to_owned(), totals::count_up(33)),
        ("relay".to_owned(), histories::relay()),
        ("several".to_owned(), kernels::several()),
    ];
    for shape in SHAPES {
        out.push((format!("relax_{shape:?}"), groups::relax(shape)));
    }
    out.push(("apart".to_owned(), groups::apart(100)));
    out.push(("under_condition".to_owned(), groups::under_condition()));
    out.push(("exchange".to_owned(), groups::exchange()));
    for scalar in Scalar::ALL {
        out.push((format!("reverse_{scalar}"), groups::reverse(scalar, Shape::Group(33))));
    }
    for scalar in INTEGERS {
        out.push((format!("loops_{scalar}"), kernels::loops(scalar)));
        out.push((format!("indices_{scalar}"), kernels::indices(scalar)));
        for op in TALLY_OPS {
            out.push((format!("tally_{scalar}_{}", op.name()), kernels::tally(scalar, op)));
        }
    }
    for scalar in Scalar::ALL {
        let operations = operations::operations(scalar);
        out.push((format!("operations_{scalar}"), operations::kernel(scalar, &operations)));
        for reduce in REDUCTIONS.into_iter().filter(|r| reduces(*r, scalar)) {
            out.push((format!("{reduce:?}_{scalar}"), kernels::reduction(reduce, scalar)));
        }
    }
    out
}

/// Returns `true` if values of a type can be reduced by `reduce`.
pub fn reduces(reduce: Reduce, scalar: Scalar) -> bool {
    matches!(reduce, Reduce::Count | Reduce::Any) == (scalar == Scalar::Bool)
}

/// Changes a few bytes of an encoded module many times, and passes every kernel that can still be flattened to `look`.
pub fn damage(module: &imminent_ir::Module, rounds: usize, seed: u64, mut look: impl FnMut(&flatten::FlatKernel)) {
    let good = module.encode().unwrap();
    let mut state = seed;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    for _ in 0..rounds {
        let mut bytes = good.clone();
        for _ in 0..=below(3) {
            let at = below(bytes.len());
            bytes[at] = if below(2) == 0 { below(12) as u8 } else { bytes[at] ^ (1 << below(8)) };
        }
        let Ok(module) = imminent_ir::Module::decode(&bytes) else { continue };
        for kernel in &module.kernels {
            if let Ok(flat) = flatten(&module, kernel) {
                look(&flat);
            }
        }
    }
}
