//! Short names of keys, by which command lines and calls of functions give them values.

use super::{Key, Keys};
use std::collections::HashMap;

impl Keys {
    /// Returns the keys that a short name can give a value, each with that name: keys of a single value or of a list of
    /// such, which are no elements of lists.
    ///
    /// The short name is the last part of the key with dashes for underscores, unless another key ends so that is no
    /// deeper: then it has as many parts as tell it from these. Names that are `taken` are left to others.
    #[must_use]
    pub fn short_names(&self, mut taken: Vec<String>) -> Vec<(String, Key)> {
        let keys: Vec<Key> = self.all().into_iter().filter(is_single).collect();
        let mut names: Vec<Option<String>> = vec![None; keys.len()];
        let mut places: Vec<usize> = (0..keys.len()).collect();
        places.sort_by_key(|place| keys.get(*place).map(Key::depth));
        let mut depths: HashMap<&str, Vec<usize>> = HashMap::new();
        for key in &keys {
            ends(&key.name).for_each(|end| depths.entry(end).or_default().push(key.depth()));
        }
        for place in places {
            let Some(key) = keys.get(place) else { continue };
            let depth = key.depth();
            let so_deep = |end: &str| depths.get(end).map_or(0, |of| of.iter().filter(|of| **of <= depth).count());
            let is_alone = |end: &&str| so_deep(end) == 1;
            let name = ends(&key.name).filter(is_alone).map(dashed).find(|name| !taken.contains(name));
            taken.extend(name.clone());
            names.iter_mut().skip(place).take(1).for_each(|slot| slot.clone_from(&name));
        }
        drop(depths);
        names.into_iter().zip(keys).filter_map(|(name, key)| Some((name?, key))).collect()
    }
}

impl Key {
    /// Returns the number of parts of the key.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.name.split('.').count()
    }
}

/// Returns the ends of a key, the shortest first.
fn ends(key: &str) -> impl Iterator<Item = &str> {
    let starts = key.rmatch_indices('.').map(|(dot, _)| dot + 1);
    starts.chain([0]).filter_map(|start| key.get(start..))
}

/// Returns `true` for a key that takes a value or a list of values and is no element of a list.
fn is_single(key: &Key) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '.';
    (key.domain.is_some() || key.is_list) && key.name.chars().all(is_plain)
}

fn dashed(key: &str) -> String {
    key.replace(['_', '.'], "-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
    struct Run {
        seed: u64,
        warm_up: f64,
    }

    #[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
    struct Source {
        rate: f64,
        seed: u64,
    }

    #[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
    struct Configuration {
        run: Run,
        source: Source,
        rate: f64,
        quiet: bool,
        sizes: Vec<u32>,
    }

    #[test]
    fn names_have_as_many_parts_as_tell_keys_apart() {
        let named = Keys::of::<Configuration>().short_names(vec!["quiet".to_owned()]);
        let mut told: Vec<_> = named.iter().map(|(name, key)| (name.as_str(), key.name.as_str())).collect();
        told.sort_unstable();
        let expected = [
            ("rate", "rate"),
            ("run-seed", "run.seed"),
            ("sizes", "sizes"),
            ("source-rate", "source.rate"),
            ("source-seed", "source.seed"),
            ("warm-up", "run.warm_up"),
        ];
        assert_eq!(told, expected);
    }
}
