//! Snapshot of the error texts of this package.

use crate::folder::FolderError;
use imminent_testkit::error_texts;
use imminent_testkit::error_texts::ErrorTexts;
use std::io;
use std::path::PathBuf;

#[test]
fn every_error_has_a_text() {
    let mut texts = ErrorTexts::default();
    let (out, full) = (|| PathBuf::from("out"), || io::Error::other("no space left on device"));
    error_texts!(texts, FolderError {
        NotEmpty => [
            FolderError::NotEmpty { folder: out(), file: "notes.txt".into(), others: 0 },
            FolderError::NotEmpty { folder: out(), file: "notes.txt".into(), others: 2 },
        ],
        NotAFolder => [FolderError::NotAFolder { folder: out() }],
        Irregular => [FolderError::Irregular { file: out().join("runs.journal") }],
        InUse => [FolderError::InUse { folder: out() }],
        CannotMake => [FolderError::CannotMake { folder: out(), error: full() }],
        CannotRead => [FolderError::CannotRead { folder: out(), error: full() }],
        CannotWrite => [FolderError::CannotWrite { file: out().join("nodes.csv"), error: full() }],
        NotInPlace => [FolderError::NotInPlace { file: out().join("nodes.csv"), waiting: out().join(".imminent-put"), error: full() }],
    });
    insta::assert_snapshot!("errors", texts);
}
