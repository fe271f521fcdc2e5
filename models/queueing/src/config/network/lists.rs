//! Lists that have an entry at least, and whose errors say what an entry is.

use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// Reads a list of numbers that is not empty.
pub(super) fn some_numbers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
    not_empty(Vec::deserialize(deserializer)?)
}

/// Reads times with the number of servers from then on.
pub(super) fn changes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(f64, u32)>, D::Error> {
    #[derive(Deserialize)]
    #[serde(expecting = "give pairs of a time and a number of servers from then on, such as [[480, 3], [1020, 0]]")]
    struct Change(f64, u32);
    let changes = Vec::<Change>::deserialize(deserializer)?;
    not_empty(changes.into_iter().map(|Change(time, servers)| (time, servers)).collect())
}

/// Reads times with the rate from then on.
pub(super) fn rates<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(f64, f64)>, D::Error> {
    #[derive(Deserialize)]
    #[serde(expecting = "give pairs of a time and a rate from then on, such as [[480, 0.5], [1020, 0]]")]
    struct Change(f64, f64);
    let changes = Vec::<Change>::deserialize(deserializer)?;
    not_empty(changes.into_iter().map(|Change(time, rate)| (time, rate)).collect())
}

fn not_empty<T, E: Error>(list: Vec<T>) -> Result<Vec<T>, E> {
    if list.is_empty() { Err(E::custom("the list is empty: give it an entry, or remove the key")) } else { Ok(list) }
}
