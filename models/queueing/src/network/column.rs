//! Numbers by index that take no room while they are all the same.

/// A list of numbers; one number where all are alike, so that large uniform networks stay small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Column {
    /// The same for every index.
    All(u32),
    /// One for each index.
    Each(Vec<u32>),
}

impl Column {
    pub(super) fn of(values: Vec<u32>) -> Self {
        match values.split_first() {
            Some((first, rest)) if rest.iter().all(|value| value == first) => Self::All(*first),
            None => Self::All(0),
            _ => Self::Each(values),
        }
    }

    /// The number at an index; 0 past the end of a list.
    pub(super) fn get(&self, index: usize) -> u32 {
        match self {
            Self::All(value) => *value,
            Self::Each(values) => values.get(index).copied().unwrap_or(0),
        }
    }

    /// The sum over `count` indices.
    pub(super) fn sum(&self, count: usize) -> u64 {
        match self {
            Self::All(value) => u64::from(*value) * count as u64,
            Self::Each(values) => values.iter().map(|&value| u64::from(value)).sum(),
        }
    }
}
