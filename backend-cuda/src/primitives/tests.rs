#![allow(clippy::unwrap_used)]
use imminent_core::c_dialect::Dialect;
use imminent_core::c_primitives::Kernel;

#[test]
#[cfg_attr(not(has_nvrtc), ignore = "NVRTC was not found when this was built: pip install nvidia-cuda-nvrtc")]
fn every_kernel_compiles_for_every_generation() {
    for device in [75, 80, 90] {
        let compiler = crate::nvrtc::Compiler::find(None, device, None).unwrap();
        for kernel in Kernel::all() {
            compiler.compile(&format!("{kernel:?}"), &kernel.text(Dialect::Cuda)).unwrap();
        }
    }
}
