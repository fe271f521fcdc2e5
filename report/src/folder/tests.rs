#![allow(clippy::unwrap_used)]

use super::*;
use std::collections::BTreeMap;
use std::io::{Error, Write};

const NAMES: Names<'_> = Names { written: &["seal", "a", "b"], kept: &["journal"] };

fn contents(folder: &Path) -> BTreeMap<String, String> {
    let files = fs::read_dir(folder).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file());
    files.map(|file| (file.file_name().into_string().unwrap(), fs::read_to_string(file.path()).unwrap())).collect()
}

fn of(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

fn save(draft: &Draft, name: &str, text: &str) -> Result<(), FolderError> {
    draft.save(name, |file| file.write_all(text.as_bytes()))
}

fn run(path: &Path, text: &str, names: &[&str]) -> Result<(), FolderError> {
    Folder::claim(path, false, NAMES)?.replace(|draft| names.iter().try_for_each(|name| save(draft, name, text)))
}

#[test]
fn a_run_replaces_all_files_of_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("journal"), "runs").unwrap();
    run(folder.path(), "old", &["seal", "a", "b"]).unwrap();
    assert_eq!(contents(folder.path()), of(&[("a", "old"), ("b", "old"), ("journal", "runs"), ("seal", "old")]));
    // A file that the run does not write is not part of its results.
    run(folder.path(), "new", &["seal", "b"]).unwrap();
    assert_eq!(contents(folder.path()), of(&[("b", "new"), ("journal", "runs"), ("seal", "new")]));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

/// A folder from a stranger, whose links lead to files of the user.
#[cfg(unix)]
#[test]
fn links_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let [folder, other] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    fs::write(other.path().join("seal"), "mine").unwrap();
    fs::write(other.path().join("journal"), "mine").unwrap();
    for (name, target) in [("journal", "journal"), (PUT, "."), (DONE, "."), (".imminent-1", ".")] {
        let link = folder.path().join(name);
        symlink(other.path().join(target), &link).unwrap();
        let told = run(folder.path(), "new", &["seal"]).unwrap_err().to_string();
        assert!(told.contains(name) && told.contains("leads elsewhere"), "{told}");
        fs::remove_file(link).unwrap();
    }
    // A result that is a link is replaced, not what it leads to.
    symlink(other.path().join("seal"), folder.path().join("seal")).unwrap();
    run(folder.path(), "new", &["seal"]).unwrap();
    assert_eq!(contents(other.path()), of(&[("journal", "mine"), ("seal", "mine")]));
    assert_eq!(contents(folder.path()), of(&[("seal", "new")]));
}

#[test]
fn a_file_that_cannot_be_written_leaves_the_results_of_the_run_before() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "old", &["seal", "a", "b"]).unwrap();
    let before = contents(folder.path());
    let claimed = Folder::claim(folder.path(), false, NAMES).unwrap();
    let error = claimed.replace(|draft| {
        save(draft, "seal", "new")?;
        draft.save("a", |file| file.write_all(b"ne").and(Err(Error::from(ErrorKind::StorageFull))))
    });
    let told = error.unwrap_err().to_string();
    assert!(
        told.contains(&folder.path().join("a").display().to_string()) && told.contains("no storage space"),
        "{told}"
    );
    assert_eq!(contents(folder.path()), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

/// A process may be killed after any change of the folder. With a seal, the remaining files are of one run. The next
/// process completes the steps.
#[test]
fn wherever_a_process_is_killed_no_files_of_two_runs_are_taken_for_one() {
    let old = of(&[("a", "old"), ("b", "old"), ("seal", "old")]);
    let new = of(&[("b", "new"), ("seal", "new")]);
    // For each moment: the subfolder, the files in place, and the new files that are still in the subfolder.
    type Moment<'m> = (&'m str, &'m [(&'m str, &'m str)], &'m [&'m str]);
    let moments: [Moment<'_>; 7] = [
        (".imminent-7", &[("a", "old"), ("b", "old"), ("seal", "old")], &["b"]),
        (".imminent-7", &[("a", "old"), ("b", "old"), ("seal", "old")], &["b", "seal"]),
        (DONE, &[("a", "old"), ("b", "old"), ("seal", "old")], &["b", "seal"]),
        (DONE, &[("b", "old")], &["b", "seal"]),
        (PUT, &[], &["b", "seal"]),
        (PUT, &[("b", "new")], &["seal"]),
        (PUT, &[("b", "new"), ("seal", "new")], &[]),
    ];
    for (within, placed, waiting) in moments {
        let folder = tempfile::tempdir().unwrap();
        placed.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
        fs::create_dir(folder.path().join(within)).unwrap();
        waiting.iter().for_each(|name| fs::write(folder.path().join(within).join(name), "new").unwrap());
        let left = contents(folder.path());
        assert!(!left.contains_key("seal") || left == old || left == new, "{within} {left:?}");
        drop(Folder::claim(folder.path(), false, NAMES).unwrap());
        let expected = if within == ".imminent-7" { &old } else { &new };
        assert_eq!(contents(folder.path()), *expected, "{within} {placed:?}");
        assert!(fs::read_dir(folder.path()).unwrap().all(|entry| entry.unwrap().path().is_file()), "{within}");
    }
}

#[test]
fn two_processes_do_not_write_into_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let first = Folder::claim(folder.path(), false, NAMES).unwrap();
    if first.lock.is_some() {
        assert!(matches!(Folder::claim(folder.path(), false, NAMES), Err(FolderError::InUse { .. })));
    }
    drop(first);
    assert!(Folder::claim(folder.path(), false, NAMES).is_ok());
}

#[test]
fn what_no_run_has_written_stays() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("thesis.tex"), "years").unwrap();
    assert!(matches!(run(folder.path(), "new", &["seal"]), Err(FolderError::NotEmpty { .. })));
    let claimed = Folder::claim(folder.path(), true, NAMES).unwrap();
    claimed.replace(|draft| save(draft, "seal", "new")).unwrap();
    assert_eq!(contents(folder.path()), of(&[("seal", "new"), ("thesis.tex", "years")]));
}
