//! Clang compiles the kernels for AMD's GPUs: the texts for CUDA as HIP, and those for OpenCL unchanged.

use crate::{kernels, on_two_cores};
use imminent_lowering::c::{COptions, lower};
use imminent_testkit::c_texts::texts;
use imminent_testkit::clang::{Clang, GPUS, Language};
use imminent_testkit::needs;

/// Requires a clang for AMD's GPUs.
pub(crate) fn for_amd() -> Result<(), String> {
    Clang::find().map(drop)
}

pub(crate) fn every_text_compiles_as_hip() {
    compile(Language::Hip, &COptions::cuda(), 0);
}

pub(crate) fn every_text_compiles_as_opencl_for_amd() {
    compile(Language::OpenCl, &COptions { float64: true, int64_atomics: true, ..COptions::opencl() }, 1);
}

/// Compiles the kernels of models and tests, each for one GPU, in rotation: all of them in a full run, otherwise every
/// second one, from number `first` on.
fn compile(language: Language, options: &COptions, first: usize) {
    let of_models = kernels().into_iter().map(|(name, flat)| (name, lower(&flat, options).unwrap()));
    let mut all: Vec<_> = of_models.chain(texts(options)).collect();
    assert!(all.len() > 140, "{} texts", all.len());
    if !needs::everything() {
        all = all.into_iter().skip(first).step_by(2).collect();
    }
    let clang = Clang::find().unwrap();
    on_two_cores(all.len(), |at| {
        let (name, source) = &all[at];
        let gpu = GPUS[at / 2 % GPUS.len()];
        let assembly = clang.compile(language, &source.code, gpu).unwrap_or_else(|log| panic!("{name}, {gpu}: {log}"));
        assert!(assembly.contains(&format!(".amdhsa_kernel {}", source.entry)), "{name}, {gpu}");
    });
}
