//! Reductions of what the rows of a launch return.

use crate::LoweringError;
use imminent_ir::flatten::{Facts, FlatKernel, Spot};
use imminent_ir::launch::ReduceLayout;
use imminent_ir::{Reduce, Scalar, Type};

/// Reduction that combines results.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reduction {
    pub(crate) reduce: Reduce,
    /// Type of the combined value.
    pub(crate) scalar: Scalar,
}

impl Reduction {
    /// The reduction of returned values of this type.
    pub(crate) fn new(reduce: Reduce, scalar: Scalar) -> Result<Reduction, LoweringError> {
        let counts = matches!(reduce, Reduce::Count | Reduce::Any);
        if counts != (scalar == Scalar::Bool) {
            return Err(LoweringError::Reduction { reduce: format!("{reduce:?}").to_lowercase(), scalar });
        }
        Ok(Reduction { reduce, scalar: if counts { Scalar::U32 } else { scalar } })
    }

    /// The reduction of a kernel whose body returns this type, if it has one.
    pub(crate) fn of(flat: &FlatKernel, result: &Type) -> Result<Option<Reduction>, LoweringError> {
        match (flat.reduce, result) {
            (Some(reduce), Type::Scalar(scalar)) => Reduction::new(reduce, *scalar).map(Some),
            _ => Ok(None),
        }
    }

    /// The reduction of a higher level, with a kernel of its name that binds nothing, which lends its lowering to it.
    /// `scalar` is the type of the returned value, or that of its results.
    pub(crate) fn level(reduce: Reduce, scalar: Scalar) -> Result<(Reduction, FlatKernel), LoweringError> {
        let counts = matches!(reduce, Reduce::Count | Reduce::Any);
        let of = Reduction::new(reduce, if counts && scalar == Scalar::U32 { Scalar::Bool } else { scalar })?;
        let name = format!("reduce_{}_{}", format!("{reduce:?}").to_lowercase(), scalar.name());
        let spot = Spot { file: "a reduction".to_owned(), line: 1 };
        let float64 = (scalar == Scalar::F64).then(|| spot.clone());
        let int64 = matches!(scalar, Scalar::U64 | Scalar::I64).then_some(spot);
        let flat = FlatKernel { facts: Facts { float64, int64, ..Facts::default() }, ..FlatKernel::empty(name) };
        Ok((of, flat))
    }

    /// Returns `true` if rows return `bool` and results are words.
    pub(crate) fn counts(&self) -> bool {
        matches!(self.reduce, Reduce::Count | Reduce::Any)
    }

    pub(crate) fn with_row(&self) -> bool {
        self.reduce == Reduce::ArgMin
    }

    pub(crate) fn layout(&self) -> ReduceLayout {
        ReduceLayout {
            reduce: self.reduce,
            scalar: self.scalar,
            words: self.scalar.words() + u32::from(self.with_row()),
        }
    }
}
