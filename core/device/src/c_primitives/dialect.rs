//! The languages of the texts.

/// A language of the primitives' texts. The lowering of kernels has a type of its own for it, since neither knows the
/// other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// CUDA C++.
    Cuda,
    /// OpenCL C 1.2.
    OpenCl,
}
