//! Snapshot of the error texts of this package, and of those of selecting a device.

use crate::Failure;
use imminent::DeviceSelection;
use imminent_testkit::error_texts;
use imminent_testkit::error_texts::ErrorTexts;

fn add_selections(texts: &mut ErrorTexts) {
    let cpu = || DeviceSelection::backend("cpu");
    let selections = [
        ("an unknown name", DeviceSelection::backend("gpu")),
        ("a misspelt name", DeviceSelection::backend("opencI")),
        ("an index without a backend", DeviceSelection::default().device(0)),
        ("an index that is too large", cpu().device(3)),
        ("an option that the backend lacks", cpu().option("workgroup", "64")),
        ("a value that an option does not take", cpu().option("threads", "many")),
    ];
    for (name, selection) in selections {
        texts.add(&format!("imminent::select: {name}"), &imminent::select(&selection).err().unwrap());
    }
}

#[test]
fn every_error_has_a_text() {
    let mut texts = ErrorTexts::default();
    error_texts!(texts, Failure {
        Run => [Failure::Run("the device was lost".into())],
        Usage => [Failure::Usage("out: is no folder: name another for --out".into())],
        Told => [Failure::Told(0)],
    });
    add_selections(&mut texts);
    insta::assert_snapshot!("errors", texts);
}
