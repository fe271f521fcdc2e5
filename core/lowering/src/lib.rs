//! Lowering of kernels to text.
//!
//! A flat kernel ([`imminent_ir::flatten`]) becomes CUDA C++ or OpenCL C by [`c`], or WGSL by [`wgsl`]. Nothing here touches
//! a device: the sources say how a runtime binds, launches and compiles them.

pub mod c;
pub mod kept;
pub mod phases;
pub mod wgsl;
