//! Limits on the size of a network.

/// Largest number of nodes of a network, and of nodes times classes: 2^26, a torus of 8,192 x 8,192.
///
/// The limit turns a mistyped size into an error instead of exhausting the machine's memory.
pub const MAX_NODES: usize = 1 << 26;

/// Largest number of edges of a network: 2^28.
pub const MAX_EDGES: usize = 1 << 28;

/// Largest number of tokens of a network at the start: 2^28.
pub const MAX_TOKENS: u64 = 1 << 28;

/// Entry of lists of laws for no law.
pub(super) const NO_LAW: u32 = u32::MAX;
