//! Keys of kernels.

/// What a compiled kernel depends on, hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(pub(super) blake3::Hash);

impl Key {
    /// The key of these parts, in this order: format and version of the writer, device, driver, compiler, options, text.
    /// No two lists of parts run into one another.
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
