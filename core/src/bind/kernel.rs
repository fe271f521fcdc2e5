//! The trait of kernels.

use super::binder::Binder;
use crate::data::Data;
use crate::device::Device;
use crate::error::Result;
use crate::source::KernelSource;

/// A kernel that can be launched: the type that `#[kernels]` generates beside each `#[kernel]` function, under the
/// function's name.
///
/// `queue.launch::<torus::advance>((&mut facilities, &mut posts, &before, &network))`
pub trait Kernel {
    /// The arguments of a launch, in the order of the function's parameters: `&mut Table<T>` for `&mut T`, `&Table<T>`
    /// for `&T` and `&Rows<T>`, `&TallyTable<T>` for `&Tally<T>`, `&P` for a parameter block, and
    /// [`Bundle::Args`](super::Bundle::Args) for a bundle. The row number is not passed.
    type Args<'a>;

    /// Result of a launch: the reduced value, [`ArgMin`](crate::ArgMin) for an arg-min, `()` if the kernel returns
    /// nothing.
    type Output: Data;

    /// Identity of the kernel.
    const SOURCE: KernelSource;

    /// Passes every argument to the binder, in order.
    ///
    /// # Errors
    /// [`Error`](crate::Error) if the arguments do not fit together, for instance own rows of tables of different
    /// lengths.
    fn bind(args: Self::Args<'_>, binder: &mut Binder<'_>) -> Result<()>;
}

impl Device {
    /// Returns the code that the device's backend generates for a kernel.
    ///
    /// # Errors
    /// [`Error::Compile`](crate::Error::Compile), [`Error::Module`](crate::Error::Module),
    /// [`Error::Unsupported`](crate::Error::Unsupported).
    pub fn generated<K: Kernel>(&self) -> Result<String> {
        self.backend().generated(K::SOURCE.module, K::SOURCE.index)
    }
}
