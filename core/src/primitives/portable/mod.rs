//! The portable form of every primitive, in the kernel language.

use super::request::Request;
use crate::backend::not_overridden;
use crate::data::Row;
use crate::device::Device;
use crate::error::Result;
use crate::program::ProgramBuilder;
use crate::table::{Memory, Table};
use imminent_ir::Scalar;
use std::sync::Arc;

/// A value of two words, or of one, with the row where it was found: what an arg reduction gives.
#[crate::kernels]
mod results {
    #[derive(Row)]
    pub struct FoundNarrow {
        pub value: u32,
        pub row: u32,
    }

    #[derive(Row)]
    pub struct FoundWide {
        pub value: u64,
        pub row: u32,
    }
}

/// A table of one row for what an arg reduction finds in a column of this type.
pub(super) fn found(device: &Device, scalar: Scalar) -> Result<Arc<Memory>> {
    fn one<R: Row>(device: &Device) -> Result<Arc<Memory>> {
        Table::<R>::zeroed(device, 1).map(|table| table.memory.clone())
    }
    if scalar.words() == 2 { one::<results::FoundWide>(device) } else { one::<results::FoundNarrow>(device) }
}

/// Records the launches that a primitive comes to.
pub(super) fn record(_builder: &mut ProgramBuilder, request: &Request) -> Result<()> {
    Err(not_overridden(request.primitive()))
}
