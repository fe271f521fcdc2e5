#![allow(clippy::unwrap_used)]
use imminent_core::c_dialect::Dialect;
use imminent_core::c_primitives::Kernel;

/// Each for one generation, by turns: to compile them all for each takes minutes. Two threads share them.
#[test]
#[cfg_attr(not(has_nvrtc), ignore = "NVRTC was not found when this was built: pip install nvidia-cuda-nvrtc")]
fn every_kernel_compiles() {
    let compilers = [75, 80, 90].map(|device| crate::nvrtc::Compiler::find(None, device, None).unwrap());
    let kernels: Vec<_> = Kernel::all(Dialect::Cuda).into_iter().zip(compilers.iter().cycle()).collect();
    let (even, odd): (Vec<_>, Vec<_>) = kernels.iter().enumerate().partition(|(at, _)| at % 2 == 0);
    std::thread::scope(|scope| {
        for share in [even, odd] {
            scope.spawn(move || {
                for (_, (kernel, compiler)) in share {
                    compiler.compile(&format!("{kernel:?}"), &kernel.text(Dialect::Cuda)).unwrap();
                }
            });
        }
    });
}
