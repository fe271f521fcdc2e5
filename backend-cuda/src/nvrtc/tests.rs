#![allow(clippy::unwrap_used, clippy::panic)]
use super::*;
use imminent_core::Error;

fn compiler(device: u32) -> Compiler {
    Compiler::find(None, device, None).unwrap_or_else(|error| panic!("pip install nvidia-cuda-nvrtc: {error}"))
}

const SQUARES: &str = r#"
extern "C" __global__ void squares(float *out, const float *in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { out[i] = in[i] * in[i] + in[i]; }
}
"#;

#[test]
fn a_folder_without_the_library_is_unavailable_and_says_how_to_get_it() {
    let empty = tempfile::tempdir().unwrap();
    let error = Compiler::find(Some(empty.path()), 90, Some(13)).unwrap_err();
    assert!(matches!(error, Error::Unavailable { .. }));
    let text = error.to_string();
    assert!(text.contains("pip install nvidia-cuda-nvrtc==13.*") && text.contains("IMMINENT_NVRTC"), "{text}");
}

#[test]
fn a_file_that_is_no_library_is_named_among_the_tried() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("libnvrtc.so.13");
    std::fs::write(&file, "not an object file").unwrap();
    let text = Compiler::find(Some(&file), 90, None).unwrap_err().to_string();
    assert!(text.contains("libnvrtc.so.13"), "{text}");
}

#[test]
#[cfg_attr(not(has_nvrtc), ignore = "NVRTC was not found when this was built: pip install nvidia-cuda-nvrtc")]
fn a_kernel_is_compiled_to_machine_code_for_every_generation() {
    for device in [75, 80, 90] {
        let image = compiler(device).compile("squares", SQUARES).unwrap();
        assert!(image.bytes.starts_with(b"\x7fELF"), "sm_{device}");
    }
}

#[test]
#[cfg_attr(not(has_nvrtc), ignore = "NVRTC was not found when this was built: pip install nvidia-cuda-nvrtc")]
fn a_device_that_the_compiler_does_not_know_gets_text_for_the_newest_it_knows() {
    let compiler = compiler(9999);
    assert!(compiler.architecture().unwrap().contains("compute_"));
    let image = compiler.compile("squares", SQUARES).unwrap();
    let text = String::from_utf8_lossy(&image.bytes).into_owned();
    assert!(text.contains(".target sm_"));
    // The options do what they say: nothing is fused.
    assert!(text.contains("mul") && !text.contains("fma.rn"), "{text}");
    assert!(super::tests::compiler(10).architecture().is_err());
}

#[test]
#[cfg_attr(not(has_nvrtc), ignore = "NVRTC was not found when this was built: pip install nvidia-cuda-nvrtc")]
fn what_the_compiler_says_reaches_the_caller() {
    let text = "#line 12 \"model.rs\"\nextern \"C\" __global__ void broken(int *a) { a[0] = missing; }\n";
    let message = compiler(80).compile("broken", text).unwrap_err();
    assert!(message.contains("model.rs") && message.contains("12") && message.contains("missing"), "{message}");
}

#[test]
#[cfg_attr(not(has_nvrtc), ignore = "NVRTC was not found when this was built: pip install nvidia-cuda-nvrtc")]
fn a_compiler_newer_than_the_driver_is_passed_over() {
    let text = Compiler::find(None, 90, Some(3)).unwrap_err().to_string();
    assert!(text.contains("newer than the driver"), "{text}");
}
