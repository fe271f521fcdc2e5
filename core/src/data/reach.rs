//! Range of steps of histories.

/// Range of steps that a history covers, relative to the first step `s` of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reach {
    /// Number of steps before `s` that are kept, so that any row may read them.
    pub past: u32,
    /// Number of steps from `s` on that a row may write: at least those of the launch, and the longest delay beyond the
    /// last of them.
    pub ahead: u32,
}

impl Reach {
    /// Largest number of steps that a history keeps.
    pub const MAX_STEPS: u32 = 1 << 31;
}
