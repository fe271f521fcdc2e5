//! The traits of bundles.

/// References to resources that a kernel and its functions take as one parameter: a struct with `#[derive(Bundle)]`.
///
/// `#[kernels]` generates the implementation. Code of a model only names [`Bundle::Args`].
pub trait Bundle {
    /// The arguments of a launch, field by field: the struct `NetArgs` for a bundle `Net`. A field is what
    /// [`Kernel::Args`](super::Kernel::Args) has for a parameter of the field's type.
    type Args<'a>;
}

/// Type behind field number `FIELD` of a [`Bundle`], which kernels of other modules need.
pub trait BundleField<const FIELD: usize> {
    /// Row, parameter block or element: `T` of `&T`, `&Rows<T>` or `&Tally<T>`.
    type Target;
}
