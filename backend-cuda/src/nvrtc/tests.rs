#![allow(clippy::unwrap_used)]
use super::*;
use imminent_core::Error;

#[test]
fn a_folder_without_the_library_is_unavailable_and_says_how_to_get_it() {
    let empty = tempfile::tempdir().unwrap();
    let error = Compiler::find(Some(empty.path()), 90, Some((13, 0))).unwrap_err();
    assert!(matches!(error, Error::Unavailable { .. }));
    let text = error.to_string();
    assert!(text.contains("pip install nvidia-cuda-nvrtc==13.*") && text.contains("IMMINENT_NVRTC"), "{text}");
    let text = Compiler::find(Some(empty.path()), 90, Some((12, 4))).unwrap_err().to_string();
    assert!(text.contains("pip install nvidia-cuda-nvrtc-cu12`"), "{text}");
}

#[test]
fn machine_code_is_preferred_where_the_driver_would_refuse_ptx() {
    let known = [75, 80, 86, 90, 100];
    assert_eq!(architecture(&known, 90, true).unwrap(), "sm_90");
    assert_eq!(architecture(&known, 89, false).unwrap(), "compute_86");
    assert_eq!(architecture(&known, 89, true).unwrap(), "sm_86");
    assert_eq!(architecture(&known, 103, true).unwrap(), "sm_100");
    assert_eq!(architecture(&known, 120, true).unwrap(), "compute_100", "no code of this generation is known");
    assert_eq!(architecture(&known, 70, true), None);
}

#[test]
fn devices_before_volta_get_texts_without_the_qualifier_that_they_lack() {
    assert_eq!(architecture_number("--gpu-architecture=compute_103"), 103);
    let text = "__global__ void k(const __grid_constant__ imminent_launch launch);";
    for (architecture, version, changes) in
        [(52, (12, 9), true), (61, (11, 8), true), (90, (11, 6), true), (70, (11, 7), false), (90, (13, 5), false)]
    {
        let adapted = adapted(text, architecture, version);
        assert_eq!(adapted.contains("#undef __grid_constant__"), changes, "{architecture} {version:?}");
        assert!(adapted.ends_with(text));
    }
}

#[test]
fn libraries_of_every_version_are_found_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["libnvrtc.so.11.2", "libnvrtc.so.12", "libnvrtc.so.12.9.86", "libnvrtc.alt.so.12", "libnvrtc.so.13"];
    for name in names.into_iter().chain(["libnvrtc-builtins.so.12.9"]) {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let named = |name: &str| folder.path().join(name);
    let found = places::files(Some(folder.path()));
    assert_eq!(found, ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"].map(named));
    assert_eq!(places::builtins(&found[1], (12, 9)), Some(named("libnvrtc-builtins.so.12.9")));
    assert_eq!(places::builtins(&found[0], (13, 0)), None);
    assert_eq!(places::builtins(std::path::Path::new("libnvrtc.so.12"), (12, 9)), None, "the loader finds it");
}

#[test]
fn a_file_that_is_no_library_is_named_among_the_tried() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("libnvrtc.so.13");
    std::fs::write(&file, "not an object file").unwrap();
    let text = Compiler::find(Some(&file), 90, None).unwrap_err().to_string();
    assert!(text.contains("libnvrtc.so.13"), "{text}");
}
