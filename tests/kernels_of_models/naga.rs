//! naga, the compiler in wgpu, translates the kernels to the languages of Metal, Direct3D 12 and Vulkan.

use crate::kernels;
use imminent_core::ir::flatten;
use imminent_lowering::LoweringError;
use imminent_lowering::wgsl::{WgslOptions, lower};
use imminent_testkit::modules::all;
use naga::back::{hlsl, msl, spv};
use naga::valid::{Capabilities, ValidationFlags, Validator};

/// 64-bit integers are emulated, as every device of WebGPU can have them.
pub(crate) fn every_text_is_translated_for_metal_direct3d_and_vulkan() {
    let of_tests = all().into_iter().map(|(name, built)| (name, flatten(&built.module, &built.kernel).unwrap()));
    let mut count = 0;
    for (name, flat) in kernels().into_iter().chain(of_tests) {
        match lower(&flat, &WgslOptions::default()) {
            Ok(source) => {
                translate(&source.code).unwrap_or_else(|error| panic!("{name}: {error}"));
                count += 1;
            }
            // WGSL has no `f64`, and no 64-bit minimum of a tally without 64-bit integers.
            Err(LoweringError::Unsupported { .. } | LoweringError::WideTally { .. }) => {}
            Err(error) => panic!("{name}: {error}"),
        }
    }
    assert!(count > 120, "{count} texts");
}

fn translate(code: &str) -> Result<(), Box<dyn std::error::Error>> {
    let module = naga::front::wgsl::parse_str(code)?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module)?;
    let metal = msl::Options { lang_version: (2, 4), ..msl::Options::default() };
    let (metal, _) = msl::write_string(&module, &info, &metal, &msl::PipelineOptions::default())?;
    let direct3d = hlsl::Options { shader_model: hlsl::ShaderModel::V6_0, ..hlsl::Options::default() };
    let (mut text, whole) = (String::new(), hlsl::PipelineOptions::default());
    hlsl::Writer::new(&mut text, &direct3d, &whole).write(&module, &info, None)?;
    let words = spv::write_vec(&module, &info, &spv::Options::default(), None)?;
    let are_whole =
        metal.contains("kernel void ") && text.contains("[numthreads(") && words.first() == Some(&0x0723_0203);
    if are_whole { Ok(()) } else { Err("a translation has no kernel".into()) }
}
