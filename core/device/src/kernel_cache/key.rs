//! Keys of kernels.

use std::fmt;

/// Hash of everything on which a compiled kernel depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(pub(super) blake3::Hash);

impl Key {
    /// Returns the key of these parts, in this order: format and version of the writer, device, driver, compiler,
    /// options, text. Parts are delimited, so different lists never hash the same bytes.
    #[must_use]
    pub fn of<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Key {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Key(hasher.finalize())
    }
}

impl fmt::Display for Key {
    /// Writes 64 hexadecimal digits: the name of the kernel's file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_hex())
    }
}
