//! Input files, read up to a limit.
//!
//! A file may come from a stranger, and may name others: `/dev/zero` has no end, and a pipe may never have a beginning.
//! Only regular files are read, and only up to a limit of bytes. A text is in UTF-8; its byte order mark is left out.
//!
//! An error never shows the contents of a file. A parser may quote lines of a file that the user named; of a file that
//! *another file* named, it gives the number of the line alone: the user may be allowed to read what its author is not.

use crate::free_memory::Bytes;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// Largest size of a text file, in bytes: 64 MiB.
pub const MAX_TEXT: u64 = 64 << 20;
/// Largest size of a raster or another file of data, in bytes: 1 GiB.
pub const MAX_DATA: u64 = 1 << 30;

/// Reasons why an input file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InputError {
    /// The system does not read the file.
    #[error("{file}: cannot be read: {reason}; check the path and its permissions")]
    Unreadable {
        /// Name of the file.
        file: String,
        /// Error message of the system.
        reason: String,
    },
    /// The path leads to a folder, a device, a pipe or a socket.
    #[error("{file}: is {kind}, not a regular file; name a regular file, or copy the contents into one")]
    NotRegular {
        /// Name of the file.
        file: String,
        /// Kind of the file, with its article.
        kind: &'static str,
    },
    /// The file has more bytes than such files may have.
    #[error("{file}: has more than {}, the most that such a file may have; give a smaller file", Bytes(*most))]
    TooLarge {
        /// Name of the file.
        file: String,
        /// Limit in bytes.
        most: u64,
    },
    /// The file needs more memory than this process may still allocate.
    #[error("{file}: its {} do not fit into memory; give a smaller file, or give the process more memory", Bytes(*bytes))]
    Memory {
        /// Name of the file.
        file: String,
        /// Size of the file in bytes.
        bytes: u64,
    },
    /// The file is no text in UTF-8.
    #[error("{file}, line {line}: not text in UTF-8; save the file in this encoding")]
    NotUtf8 {
        /// Name of the file.
        file: String,
        /// Line of the first invalid byte, from 1.
        line: usize,
    },
}

/// Contents of files that were given, by path.
static GIVEN: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());

/// Gives this process the contents of a file, which later reads find in place of one of the system until it is
/// [taken back](take_back). Programs without a file system, such as a page in a browser, give files so.
pub fn give(path: &Path, contents: Vec<u8>) {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), contents);
}

/// Takes back a file that was [given](give): its path leads to the system again, and it is not among the
/// [files that were read](files_read).
pub fn take_back(path: &Path) {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
    READ.lock().unwrap_or_else(PoisonError::into_inner).retain(|read| read != path);
}

/// Returns the contents of a file that was [given](give), if they have at most `most` bytes.
fn given(path: &Path, most: u64) -> Option<Result<Vec<u8>, InputError>> {
    let all = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    let contents = all.get(path)?;
    let is_small = contents.len() as u64 <= most;
    Some(if is_small {
        Ok(contents.clone())
    } else {
        Err(InputError::TooLarge { file: path.display().to_string(), most })
    })
}

/// Reads the bytes of a regular file that has at most `most`.
///
/// # Errors
/// [`InputError`].
pub fn bytes(path: &Path, most: u64) -> Result<Vec<u8>, InputError> {
    if let Some(given) = given(path, most) {
        return given.inspect(|contents| note(path, contents));
    }
    let file = || path.display().to_string();
    let unreadable = |error: std::io::Error| InputError::Unreadable { file: file(), reason: error.to_string() };
    // The kind is looked at before the file is opened: opening a pipe waits for its writer.
    let found = fs::metadata(path).map_err(unreadable)?;
    if !found.is_file() {
        return Err(InputError::NotRegular { file: file(), kind: kind(&found) });
    }
    let too_large = || InputError::TooLarge { file: file(), most };
    if found.len() > most {
        return Err(too_large());
    }
    let mut contents = Vec::new();
    let memory = |_| InputError::Memory { file: file(), bytes: found.len() };
    contents.try_reserve_exact(found.len() as usize + 1).map_err(memory)?;
    // Files of the kernel, such as those in `/proc`, have a length of 0 and contents of any size.
    let read = File::open(path).map_err(unreadable)?.take(most.saturating_add(1)).read_to_end(&mut contents);
    match read {
        Err(error) => Err(unreadable(error)),
        Ok(length) if length as u64 > most => Err(too_large()),
        Ok(_) => {
            note(path, &contents);
            Ok(contents)
        }
    }
}

/// Largest number of files that are remembered.
const MAX_REMEMBERED: usize = 100;

/// Files that this process has read, each once.
static READ: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn note(path: &Path, contents: &[u8]) {
    show(path, contents);
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if read.len() < MAX_REMEMBERED && !read.iter().any(|known| known == path) {
        read.push(path.to_owned());
    }
}

/// Returns the first hundred input files that this process has read, in their order. Reports name them.
#[must_use]
pub fn files_read() -> Vec<PathBuf> {
    READ.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Observer of the files that a thread reads.
type Observer = Rc<RefCell<dyn FnMut(&Path, &[u8])>>;

thread_local! {
    /// Observers of the files that this thread reads, the innermost last.
    static OBSERVERS: RefCell<Vec<Observer>> = const { RefCell::new(vec![]) };
}

/// Executes `work`, and calls `observe` with the path and the contents of every file that the calling thread reads
/// meanwhile through this module: also of files that other files name, and once for each time that a file is read.
/// `observe` itself reads no files.
pub fn observed<T>(observe: impl FnMut(&Path, &[u8]) + 'static, work: impl FnOnce() -> T) -> T {
    /// Removes the innermost observer, also if the work panics.
    struct Until;
    impl Drop for Until {
        fn drop(&mut self) {
            OBSERVERS.with_borrow_mut(|observers| drop(observers.pop()));
        }
    }
    OBSERVERS.with_borrow_mut(|observers| observers.push(Rc::new(RefCell::new(observe))));
    let _until = Until;
    work()
}

/// Calls the observers of this thread with a file that was read.
fn show(path: &Path, contents: &[u8]) {
    for observer in OBSERVERS.with_borrow(Clone::clone) {
        if let Ok(mut observe) = observer.try_borrow_mut() {
            observe(path, contents);
        }
    }
}

/// Reads a text of at most [`MAX_TEXT`] bytes, without its byte order mark.
///
/// # Errors
/// [`InputError`].
pub fn text(path: &Path) -> Result<String, InputError> {
    String::from_utf8(without_mark(bytes(path, MAX_TEXT)?)).map_err(|error| {
        let before = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
        let line = before.filter(|byte| **byte == b'\n').count() + 1;
        InputError::NotUtf8 { file: path.display().to_string(), line }
    })
}

/// Reads a text of at most [`MAX_TEXT`] bytes, without its byte order mark. Bytes that are no UTF-8 are read as
/// Windows-1252, a character each: files that were written before UTF-8 was common may have them in comments and names.
///
/// # Errors
/// [`InputError`], but not [`InputError::NotUtf8`].
pub fn text_of_any_encoding(path: &Path) -> Result<String, InputError> {
    let contents = without_mark(bytes(path, MAX_TEXT)?);
    Ok(String::from_utf8(contents).unwrap_or_else(|error| western(error.as_bytes())))
}

/// Characters of the bytes 0x80 to 0x9F in Windows-1252. ISO 8859-1 has control characters there, which no text has.
const WESTERN: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž', '\u{fffd}', '\u{fffd}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}', 'ž', 'Ÿ',
];

/// Returns a text in UTF-8, whose other bytes are read as Windows-1252.
fn western(bytes: &[u8]) -> String {
    // A byte of Windows-1252 has at most three bytes in UTF-8, mostly two; few bytes of a text are of this kind.
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        let character = |&byte: &u8| {
            let at = usize::from(byte).checked_sub(0x80);
            at.and_then(|at| WESTERN.get(at)).copied().unwrap_or_else(|| char::from(byte))
        };
        text.extend(chunk.invalid().iter().map(character));
    }
    text
}

/// Removes the byte order mark of UTF-8.
fn without_mark(mut contents: Vec<u8>) -> Vec<u8> {
    let mark = "\u{feff}".as_bytes();
    if contents.starts_with(mark) {
        contents.drain(..mark.len());
    }
    contents
}

fn kind(found: &fs::Metadata) -> &'static str {
    if found.is_dir() {
        return "a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = found.file_type();
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
    }
    "a device"
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn with(contents: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), contents).unwrap();
        file
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        let file = with(b"\xef\xbb\xbfa,b\n");
        assert_eq!(text(file.path()).unwrap(), "a,b\n");
        assert_eq!(text_of_any_encoding(file.path()).unwrap(), "a,b\n");
    }

    #[test]
    fn other_encodings_are_found_by_line() {
        let file = with(b"plain\nna\xefve\n");
        let name = file.path().display().to_string();
        assert_eq!(text(file.path()), Err(InputError::NotUtf8 { file: name, line: 2 }));
        assert_eq!(text_of_any_encoding(file.path()).unwrap(), "plain\nnaïve\n");
    }

    #[test]
    fn bytes_that_are_no_utf_8_are_single_characters_of_windows_1252() {
        // The first two bytes of a character of three, quotation marks, a byte without a meaning, and UTF-8.
        let file = with(b"\xe2\x82 \x93a\x94 \x81 \xff \xc3\xa9\n");
        assert_eq!(text_of_any_encoding(file.path()).unwrap(), "â‚ “a” \u{fffd} ÿ é\n");
        let all: Vec<u8> = (0x80..=0xff).collect();
        let read = text_of_any_encoding(with(&all).path()).unwrap();
        assert_eq!(read.chars().count(), 128);
        assert!(!read.chars().any(char::is_control), "{read}");
    }

    #[test]
    fn files_that_were_given_are_read_like_others() {
        let file = Path::new("in no folder/given.csv");
        assert!(matches!(text(file), Err(InputError::Unreadable { .. })));
        give(file, b"\xef\xbb\xbfa,b\n".to_vec());
        assert_eq!(text(file).unwrap(), "a,b\n");
        let most = InputError::TooLarge { file: file.display().to_string(), most: 6 };
        assert_eq!(bytes(file, 6), Err(most));
        assert!(files_read().iter().any(|read| read == file));
        take_back(file);
        assert!(matches!(text(file), Err(InputError::Unreadable { .. })));
        assert!(!files_read().iter().any(|read| read == file));
    }

    #[test]
    fn files_that_a_thread_reads_are_observed() {
        let (first, second) = (with(b"1"), with(b"22"));
        let seen = Rc::new(RefCell::new(vec![]));
        let noted = Rc::clone(&seen);
        let observe = move |path: &Path, contents: &[u8]| noted.borrow_mut().push((path.to_owned(), contents.len()));
        let read = |file: &tempfile::NamedTempFile| bytes(file.path(), 10).unwrap();
        let inner = |_: &Path, _: &[u8]| {};
        observed(observe, || {
            read(&first);
            std::thread::scope(|scope| drop(scope.spawn(|| read(&second)).join()));
            observed(inner, || read(&second));
            bytes(first.path(), 0).unwrap_err();
        });
        read(&first);
        assert_eq!(*seen.borrow(), [(first.path().to_owned(), 1), (second.path().to_owned(), 2)]);
    }

    #[test]
    fn the_limit_is_the_largest_size() {
        let file = with(b"12345");
        let name = file.path().display().to_string();
        assert_eq!(bytes(file.path(), 5).unwrap(), b"12345");
        assert_eq!(bytes(file.path(), 4), Err(InputError::TooLarge { file: name, most: 4 }));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn only_regular_files_are_read() {
        let kind = |path: &str| match bytes(Path::new(path), 10) {
            Err(InputError::NotRegular { kind, .. }) => kind,
            other => panic!("{other:?}"),
        };
        assert_eq!((kind("/dev/zero"), kind("/tmp")), ("a device", "a folder"));
        // Files of the kernel tell no length.
        let limits = bytes(Path::new("/proc/self/limits"), 10);
        assert_eq!(limits, Err(InputError::TooLarge { file: "/proc/self/limits".into(), most: 10 }));
        let missing = bytes(Path::new("/dev/missing"), 10);
        assert!(matches!(missing, Err(InputError::Unreadable { .. })), "{missing:?}");
    }
}
