//! Texts that the C lowering generates for the modules built by hand.

use crate::modules::kernels::{Built, SEVERAL};
use crate::modules::{REDUCTIONS, all, reduces};
use imminent_ir::{Reductions, Scalar, flatten};
use imminent_lowering::c::{COptions, CSource, lower, lower_reduce};

/// Flattens and lowers a kernel that must be accepted.
pub fn lowered(built: &Built, options: &COptions) -> CSource {
    let flat = flatten(&built.module, &built.kernel).unwrap_or_else(|e| panic!("{e}"));
    lower(&flat, options).unwrap_or_else(|e| panic!("{e}"))
}

/// Returns every text: all kernels for which these options are intended, and all higher levels of reductions.
pub fn texts(options: &COptions) -> Vec<(String, CSource)> {
    let kernels = all().into_iter().filter(|(_, built)| !(options.subset && built.kernel.shape.is_grouped()));
    let mut out: Vec<(String, CSource)> = kernels.map(|(name, built)| (name, lowered(&built, options))).collect();
    for reduce in REDUCTIONS {
        for scalar in Scalar::ALL.into_iter().filter(|s| reduces(reduce, *s)) {
            out.push((
                format!("level_{reduce:?}_{scalar}"),
                lower_reduce(&Reductions::new(&[(reduce, scalar)]).unwrap(), options).unwrap(),
            ));
        }
    }
    let several = Reductions::new(&SEVERAL).unwrap();
    out.push(("level_of_several".to_owned(), lower_reduce(&several, options).unwrap()));
    out
}
