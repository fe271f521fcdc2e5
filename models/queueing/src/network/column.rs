//! Columns of numbers that need no memory while all entries are equal.

/// A list of numbers; one number if all are equal, which keeps large uniform networks small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Column {
    /// Number for every index.
    All(u32),
    /// Numbers by index.
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

    /// Returns the number at an index; 0 past the end of a list.
    pub(super) fn get(&self, index: usize) -> u32 {
        match self {
            Self::All(value) => *value,
            Self::Each(values) => values.get(index).copied().unwrap_or(0),
        }
    }

    /// Returns the sum over `count` indices.
    pub(super) fn sum(&self, count: usize) -> u64 {
        match self {
            Self::All(value) => u64::from(*value) * count as u64,
            Self::Each(values) => values.iter().map(|&value| u64::from(value)).sum(),
        }
    }
}
