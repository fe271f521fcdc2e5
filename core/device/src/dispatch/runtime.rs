//! Kernels that the runtime of a device itself needs, compiled when first used.

use imminent_core::Result;
use imminent_ir::Reductions;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// Kernel of a device's runtime. `C` describes the control of a program's steps, `P` a kernel of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuntimeKernel<C, P> {
    /// Copies the words of one buffer to another, if it is its turn in a program.
    Copy,
    /// Sets the words of a buffer to zero, if it is its turn in a program.
    Clear,
    /// Writes words of the launch block to the start of a buffer, if it is its turn in a program.
    Store,
    /// Ends a step of a program.
    Control(C),
    /// Further level of a reduction.
    Reduce {
        /// Results that are combined.
        results: Reductions,
        /// `true` if only the device knows the number of results.
        listed: bool,
    },
    /// Kernel of a primitive.
    Primitive(P),
}

/// Code of a kernel, once it has been compiled; locked meanwhile.
type Slot<K> = Arc<Mutex<Option<K>>>;

/// Kernels of a device's runtime that have been compiled to `K`. Different ones may be compiled at the same time.
#[derive(Debug)]
pub struct RuntimeKernels<C, P, K>(Mutex<HashMap<RuntimeKernel<C, P>, Slot<K>>>);

impl<C, P, K> Default for RuntimeKernels<C, P, K> {
    fn default() -> Self {
        RuntimeKernels(Mutex::default())
    }
}

impl<C: Eq + Hash, P: Eq + Hash, K: Clone> RuntimeKernels<C, P, K> {
    /// Returns a kernel, which `compile` compiles at the first request.
    ///
    /// # Errors
    /// The error of `compile`. The next request tries again.
    pub fn get(&self, kernel: RuntimeKernel<C, P>, compile: impl FnOnce() -> Result<K>) -> Result<K> {
        let slot = self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(kernel).or_default().clone();
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        match &*slot {
            Some(code) => Ok(code.clone()),
            None => Ok(slot.insert(compile()?).clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imminent_core::Error;

    #[test]
    fn a_kernel_is_compiled_once_and_again_after_an_error() {
        let kernels = RuntimeKernels::<u32, u32, &str>::default();
        let kernel = RuntimeKernel::Control(2);
        assert!(kernels.get(kernel, || Err(Error::invalid("kernel", "no"))).is_err());
        assert_eq!(kernels.get(kernel, || Ok("code")).unwrap(), "code");
        assert_eq!(kernels.get(kernel, || Err(Error::invalid("kernel", "no"))).unwrap(), "code");
        assert_eq!(kernels.get(RuntimeKernel::Primitive(2), || Ok("other")).unwrap(), "other");
    }
}
