#![allow(clippy::unwrap_used)]
use super::*;
use imminent_core::Error;

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
